import type { Range } from "vscode-languageserver-protocol";

/** What an edit may change: what is looked at, and what the person added. Plain data. */
export interface EditScope {
  /** The document that was last looked at, unless it is left out. */
  readonly looked?: { readonly uri: string; readonly range: Range };
  readonly isLookedLeftOut: boolean;
  /** Whether the edit is about the selected lines, if some are selected. */
  readonly isAboutLines: boolean;
  readonly added: readonly string[];
}

/** Follows what is looked at, and its selected lines. */
export const wholeScope: EditScope = { isLookedLeftOut: false, isAboutLines: true, added: [] };

/** The documents of a scope in their order, and the lines of the first that it is about. */
export function targetsOf({ looked, isLookedLeftOut, isAboutLines, added }: EditScope): {
  readonly uris: readonly string[];
  readonly range?: Range;
} {
  if (looked === undefined || isLookedLeftOut) return { uris: added };
  const uris = [looked.uri, ...added.filter((uri) => uri !== looked.uri)];
  return isAboutLines && linesOf(looked.range) !== undefined ? { uris, range: looked.range } : { uris };
}

/** The lines that a selection covers, numbers from 1; `undefined` where nothing is selected. */
export function linesOf({ start, end }: Range): { readonly first: number; readonly last: number } | undefined {
  if (start.line === end.line && start.character === end.character) return undefined;
  // A selection of whole lines ends in front of the next one.
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { first: start.line + 1, last };
}

/** `line 3` or `lines 3 to 9`. */
export function sayLines({ first, last }: { readonly first: number; readonly last: number }): string {
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}
