import type { Range } from "vscode-languageserver-protocol";

/** The files that an edit may change: the active document, and added files. Plain data. */
export interface EditScope {
  /** The active document and its selection. */
  readonly active?: { readonly uri: string; readonly range: Range };
  readonly isActiveExcluded: boolean;
  /** Whether the instruction refers to the selected lines, if any. */
  readonly usesSelection: boolean;
  readonly added: readonly string[];
}

/** The initial scope: the active document and its selected lines. */
export const initialScope: EditScope = { isActiveExcluded: false, usesSelection: true, added: [] };

/** The documents of a scope in order, and the selected range of the first. */
export function targetsOf({ active, isActiveExcluded, usesSelection, added }: EditScope): {
  readonly uris: readonly string[];
  readonly range?: Range;
} {
  if (active === undefined || isActiveExcluded) return { uris: added };
  const uris = [active.uri, ...added.filter((uri) => uri !== active.uri)];
  return usesSelection && linesOf(active.range) !== undefined ? { uris, range: active.range } : { uris };
}

/** The lines that a selection covers, numbers from 1; `undefined` where nothing is selected. */
export function linesOf({ start, end }: Range): { readonly first: number; readonly last: number } | undefined {
  if (start.line === end.line && start.character === end.character) return undefined;
  // A selection of whole lines ends in front of the next one.
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { first: start.line + 1, last };
}

/** `line 3` or `lines 3 to 9`. */
export function printLines({ first, last }: { readonly first: number; readonly last: number }): string {
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}
