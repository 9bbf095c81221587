import { languageById, plaintext, type SyntaxIssue } from "../syntax/index.ts";
import { bracketAlarms } from "./bracket-alarms.ts";
import { type LineRange, lineFinder } from "./line-range.ts";

/** A text that a change broke. */
export interface BrokenText {
  /** The text before the change; empty where there was none. */
  readonly before: string;
  readonly after: string;
  /** Where the change put or took text, in lines of the text after it. */
  readonly edited: readonly LineRange[];
  /** What the parser says, in the text after the change. */
  readonly issue: SyntaxIssue;
  /** The id of the language. */
  readonly language: string;
}

/** Where a mistake likely is. Lines of the text after the change, from 0. */
export interface Fault {
  readonly line: number;
  /** The line of the bracket that is not closed, where one is known. */
  readonly opener: number | undefined;
}

/**
 * Where the mistake behind a syntax error likely is.
 *
 * A parser says where it could not go on, which is often far below a lost bracket. The lines that were edited are
 * trusted most; then, inside or outside of them, the place where brackets and indentation part ways, in a manner that
 * they did not before; then the parser.
 */
export function locateFault({ before, after, edited, issue, language: id }: BrokenText): Fault {
  const language = languageById(id) ?? plaintext;
  const habits = new Map<string, number>();
  for (const { text } of bracketAlarms(before, language)) habits.set(text, (habits.get(text) ?? 0) + 1);
  const alarms = bracketAlarms(after, language).filter(({ text }) => {
    const count = habits.get(text) ?? 0;
    habits.set(text, count - 1);
    return count <= 0;
  });
  const told = lineFinder(after)(issue.range).start;
  const isNear = ({ line }: { readonly line: number }) =>
    edited.some(({ start, end }) => line >= start - near && line < Math.max(end, start + 1) + near);
  const parser: Fault = { line: told, opener: undefined };
  const { line, opener } = alarms.find(isNear) ?? (isNear(parser) ? parser : (alarms[0] ?? parser));
  return { line, opener };
}

/** How many lines beside an edit still belong to it. */
const near = 1;
