import { Edit, type TextEdit } from "../../text/index.ts";
import type { Proposal, ProvidedProposal } from "../providers/next-edit-provider.ts";

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

/**
 * Gives a proposal of another provider the chain of a rename, or of another one change, whose edit
 * it equals at its place. Accepting its chain then applies the whole rename in all files, whichever
 * provider ranks first.
 * Returns all proposals in their order; the others are unchanged.
 */
export function inRenameChains(
  proposals: readonly ProvidedProposal[],
  renames: readonly ProvidedProposal[],
  textOf: (path: string) => string | undefined,
): readonly ProvidedProposal[] {
  const renameChains = renames.filter(({ policy, chain }) => policy.chain === "one-change" && chain !== undefined);
  return proposals.map((proposal) => {
    const { policy, path, edit } = proposal;
    if (policy.chain === "one-change" || edit === undefined) return proposal;
    const text = renameChains.length === 0 ? undefined : textOf(path);
    if (text === undefined) return proposal;
    const rename = renameChains.find(
      (one) => one.path === path && one.edit !== undefined && doesPartOf(edit, one.edit, text),
    );
    return rename === undefined
      ? proposal
      : { ...proposal, chain: rename.chain!, chainProvider: rename.chainProvider! };
  });
}

/** Whether an edit produces the same text as the parts of `other` within its range. */
function doesPartOf(edit: Edit, other: Edit, text: string): boolean {
  const { start, end } = edit.span;
  const parts = other.edits.filter((one) => start <= one.start && one.end <= end);
  return parts.length > 0 && slice(parts, text, start, end) === slice(edit.edits, text, start, end);
}

/** The text of `[start, end)` with the edits applied. */
function slice(edits: readonly TextEdit[], text: string, start: number, end: number): string {
  let [made, at] = ["", start];
  for (const one of edits) {
    made += text.slice(at, one.start) + one.text;
    at = one.end;
  }
  return made + text.slice(at, end);
}
