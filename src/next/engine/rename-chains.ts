import { Edit } from "../../text/index.ts";
import type { Proposal } from "../providers/next-edit-provider.ts";

/**
 * Returns the texts of the other files that a chain edits, with those edits applied, by path. The
 * file at `path` and files without a text are left out.
 */
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

/**
 * Returns a proposal's edit joined with the edits of its chain in the same file. An edit that
 * touches an earlier one is left out; `undefined` where the proposal has no edit.
 */
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
