import { languageById, Structure } from "../../syntax/index.ts";

/** Text for a cursor between two brackets, and what stands around it on its line. */
export interface TextBetween {
  readonly before: string;
  /** What goes in at the cursor. */
  readonly added: string;
  /** The lines that are said below it. */
  readonly below: readonly string[];
  readonly rest: string;
}

/**
 * Whether the cursor stands right between an opening bracket and its partner, blanks aside, and lines below may belong into these: a line that begins a block
 * has them in that.
 */
export function isBetweenBrackets(before: string, rest: string, language: string): boolean {
  if (/(?:[([{:]|=>)\s*$/.test(rest)) return false;
  const pairs = languageById(language)?.brackets ?? [];
  return pairs.some(([open, close]) => before.trimEnd().endsWith(open) && rest.trimStart().startsWith(close));
}

/**
 * What the line of a cursor between brackets becomes. Where the text closes the brackets itself, they are not closed again; lines that are indented
 * as what stands in the brackets are put into them; all others stand below.
 */
export function linesBetweenBrackets({ before, added, below, rest }: TextBetween, language: string): readonly string[] {
  const ordinary = [before + added + rest, ...below];
  const firstSaid = below.find((line) => line.trim() !== "");
  if (firstSaid === undefined) return ordinary;
  const lines = [before + added, ...below];
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const withLast = (more: string): readonly string[] => lines.with(last, lines[last]! + more);
  const left = withoutClosers(rest, closedBy([added, ...below].join("\n"), language));
  // The sign behind the bracket may be said again with it.
  if (left !== undefined) return lines[last]!.endsWith(left) ? lines : withLast(left);
  if (indentOf(firstSaid).length <= indentOf(before).length) return ordinary;
  if (added.trim() === "") return [...lines.slice(0, last + 1), indentOf(before) + rest.trimStart()];
  return withLast(rest);
}

/** The brackets that a text closes and does not open, in their order. */
function closedBy(text: string, language: string): readonly string[] {
  const known = languageById(language);
  if (known === undefined) return [];
  const closers = new Set(known.brackets.map(([, close]) => close));
  return Structure.of(text, known)
    .unmatched.map((bracket) => bracket.text)
    .filter((bracket) => closers.has(bracket));
}

/** The rest of a line without these brackets in front; `undefined` where there are none, or it does not begin with them. */
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
