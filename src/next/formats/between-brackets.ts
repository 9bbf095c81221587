import { languageById, Structure } from "../../syntax/index.ts";

/** Text to insert at a cursor between two brackets, and the line around it. */
export interface TextBetween {
  readonly before: string;
  /** The text inserted at the cursor. */
  readonly added: string;
  /** The lines inserted below it. */
  readonly below: readonly string[];
  readonly rest: string;
}

/**
 * Whether the cursor is directly between an opening bracket and its partner, except for white
 * space, and inserted lines may belong between them. `false` where the line begins a block after
 * the cursor, which then contains the lines.
 */
export function isBetweenBrackets(before: string, rest: string, language: string): boolean {
  if (/(?:[([{:]|=>)\s*$/.test(rest)) return false;
  const pairs = languageById(language)?.brackets ?? [];
  return pairs.some(([open, close]) => before.trimEnd().endsWith(open) && rest.trimStart().startsWith(close));
}

/**
 * Returns the lines that the line of a cursor between brackets becomes. Where the text closes the
 * brackets itself, they are not closed again. Lines indented as content of the brackets are put
 * between them; all others are below.
 */
export function linesBetweenBrackets({ before, added, below, rest }: TextBetween, language: string): readonly string[] {
  const ordinary = [before + added + rest, ...below];
  const firstNonBlank = below.find((line) => line.trim() !== "");
  if (firstNonBlank === undefined) return ordinary;
  const lines = [before + added, ...below];
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const withLast = (more: string): readonly string[] => lines.with(last, lines[last]! + more);
  const left = withoutClosers(rest, closedBy([added, ...below].join("\n"), language));
  // The answer may repeat the punctuation behind the bracket.
  if (left !== undefined) return lines[last]!.endsWith(left) ? lines : withLast(left);
  if (indentOf(firstNonBlank).length <= indentOf(before).length) return ordinary;
  if (added.trim() === "") return [...lines.slice(0, last + 1), indentOf(before) + rest.trimStart()];
  return withLast(rest);
}

/** The brackets that a text closes and does not open, in order. */
function closedBy(text: string, language: string): readonly string[] {
  const known = languageById(language);
  if (known === undefined) return [];
  const closers = new Set(known.brackets.map(([, close]) => close));
  return Structure.of(text, known)
    .unmatched.map((bracket) => bracket.text)
    .filter((bracket) => closers.has(bracket));
}

/**
 * The rest of a line without these brackets at its start; `undefined` where there are none, or it
 * does not begin with them.
 */
function withoutClosers(rest: string, closers: readonly string[]): string | undefined {
  if (closers.length === 0) return undefined;
  let left = rest;
  for (const closer of closers) {
    left = left.trimStart();
    if (!left.startsWith(closer)) return undefined;
    left = left.slice(closer.length);
  }
  return left;
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)![0];
}
