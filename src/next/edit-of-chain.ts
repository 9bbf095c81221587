import { Edit } from "../text/index.ts";
import type { Proposal } from "./next-edit-source.ts";

/** What the proposals of a chain do to other files than one: their texts with it. */
export function textsOfChain(
  path: string,
  chain: readonly Proposal[],
  textOf: (path: string) => string | undefined,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const proposal of chain) {
    if (proposal.path === path || texts.has(proposal.path)) continue;
    const text = textOf(proposal.path);
    const edit = editOfChain(proposal, chain);
    if (text !== undefined && edit !== undefined) texts.set(proposal.path, edit.apply(text));
  }
  return texts;
}

/** What a proposal does together with those of its chain in its file, as one edit; those that touch one in front of them are left out. */
export function editOfChain(proposal: Proposal, others: readonly Proposal[]): Edit | undefined {
  const { path, chain, edit } = proposal;
  if (edit === undefined) return undefined;
  let all = edit;
  for (const other of others) {
    const isOne = chain !== undefined && other.chain === chain && other.path === path;
    if (!isOne || other.edit === undefined || all.touches(other.edit)) continue;
    all = Edit.tryOf([...all.edits, ...other.edit.edits]) ?? all;
  }
  return all;
}
