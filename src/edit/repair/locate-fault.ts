import { languageById, plaintext, type SyntaxIssue } from "../../syntax/index.ts";
import { bracketAlarms } from "../boundaries/bracket-alarms.ts";
import { type LineRange, lineFinder } from "../line-range.ts";

/** A text that a change broke. */
export interface BrokenText {
  /** The text before the change; empty for a new file. */
  readonly before: string;
  readonly after: string;
  /** Where the change inserted or deleted text, in lines of the text after it. */
  readonly edited: readonly LineRange[];
  /** The parser's error, in the text after the change. */
  readonly issue: SyntaxIssue;
  /** The id of the language. */
  readonly language: string;
}

/** The likely location of a mistake, in lines of the text after the change, from 0. */
export interface Fault {
  readonly line: number;
  /** The line of the bracket that is not closed, where one is known. */
  readonly opener: number | undefined;
}

/**
 * Locates the likely mistake behind a syntax error.
 *
 * A parser reports where it gave up, which is often far below a lost bracket. In order of
 * preference: a new disagreement of brackets and indentation in or next to edited lines, the
 * parser's line if it is there, a new disagreement elsewhere, the parser's line.
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
  const errorLine = lineFinder(after)(issue.range).start;
  const isNear = ({ line }: { readonly line: number }) =>
    edited.some(({ start, end }) => line >= start - near && line < Math.max(end, start + 1) + near);
  const parser: Fault = { line: errorLine, opener: undefined };
  const { line, opener } = alarms.find(isNear) ?? (isNear(parser) ? parser : (alarms[0] ?? parser));
  return { line, opener };
}

/** The number of lines beside an edit that still belong to it. */
const near = 1;
