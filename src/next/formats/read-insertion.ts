import { hasWords } from "../../answers/index.ts";
import { languageById, Structure } from "../../syntax/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { ModelAnswer, ReadEdit, ReadEnd } from "./next-edit-format.ts";
import { PromptLines } from "./prompt-lines.ts";
import { type WindowAnswer, WindowRows } from "./read-window.ts";
import { ElisionStop } from "./row-stream.ts";
import { WindowLines } from "./window-lines.ts";

/**
 * Reads an answer that is text for the cursor: its first line is inserted at the cursor, before the
 * rest of the line, and further lines below. Returns how the reading ended.
 *
 * It yields two edits: the insertion at the cursor as soon as its line is complete, and the lines
 * below at the end. Between adjacent brackets it yields one, since the place of the closing bracket
 * depends on the lines below. Repeated text is not inserted twice: for the cursor's line see {@link
 * stripRepeatedPrefix}; lines at the end that already follow are dropped too.
 */
export async function* readInsertion(
  answer: ModelAnswer,
  input: NextEditPromptInput,
  shape: WindowAnswer,
): AsyncGenerator<ReadEdit, ReadEnd> {
  const window = WindowLines.of(input);
  const { line, column } = window.cursor;
  const known = window.lines[line]!;
  const before = known.slice(0, column);
  const rest = known.slice(column);
  // Before the empty line after the file's last line ending, so that it stays the last one.
  const isLast = window.endsBehindLastBreak && line === window.lines.length - 1;
  const shown = new PromptLines(input);
  const following = shown.texts({ start: shown.cursor.line + 1, end: input.page.end });
  const rows = new WindowRows([], shape, { below: following });
  const stop = new ElisionStop(input);
  const lines = stop.lines(rows.lines(answer));
  try {
    const first = await lines.next();
    if (first.done) return stop.end ?? rows.end;
    const added = stripRepeatedPrefix(first.value, { before, rest });
    const isWhole = isBetweenBrackets(before, rest, input.language);
    const firstEdit = { start: line, end: isLast ? line : line + 1, lines: [before + added + rest] };
    if (added !== "" && !isWhole) yield window.toTextEdit(firstEdit);
    const below: string[] = [];
    for (;;) {
      const next = await lines.next();
      if (!next.done) {
        below.push(next.value);
        continue;
      }
      if (next.value === "cut") return stop.end ?? rows.end;
      if (isWhole) {
        const [inside, ...others] = linesBetweenBrackets({ before, added, below, rest }, input.language);
        if (inside === known && others.length > 0)
          yield window.toTextEdit({ start: line + 1, end: line + 1, lines: others });
        else if (inside !== known) yield window.toTextEdit({ ...firstEdit, lines: [inside!, ...others] });
      } else if (below.length > 0) {
        const at = isLast ? line : line + 1;
        const more = window.toTextEdit({ start: at, end: at, lines: below });
        yield added === "" ? more : { ...more, isRest: true };
      }
      return stop.end ?? rows.end;
    }
  } finally {
    await lines.return("cut");
  }
}

/** Text to insert at a cursor between two brackets, and the line around it. */
interface TextBetween {
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
function isBetweenBrackets(before: string, rest: string, language: string): boolean {
  if (/(?:[([{:]|=>)\s*$/.test(rest)) return false;
  const pairs = languageById(language)?.brackets ?? [];
  return pairs.some(([open, close]) => before.trimEnd().endsWith(open) && rest.trimStart().startsWith(close));
}

/**
 * Returns the lines that the line of a cursor between brackets becomes. Where the text closes the
 * brackets itself, they are not closed again. Lines indented as content of the brackets are put
 * between them; all others are below.
 */
function linesBetweenBrackets({ before, added, below, rest }: TextBetween, language: string): readonly string[] {
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

/** The text of the cursor's line before and after the cursor. */
interface CursorLine {
  readonly before: string;
  readonly rest: string;
}

/**
 * Returns what the first row of an answer inserts at the cursor. Models repeat the whole line, its
 * indentation, or the word that ends at the cursor; that is removed.
 */
export function stripRepeatedPrefix(row: string, { before, rest }: CursorLine): string {
  const line = before.trimStart();
  if (line === "") return row.startsWith(before) ? row.slice(before.length) : row;
  const written = row.trimStart();
  if (hasWords(line) && written.startsWith(line)) {
    const added = written.slice(line.length);
    const behind = rest.trimEnd();
    return behind !== "" && added.endsWith(behind) ? added.slice(0, -behind.length) : added;
  }
  const [word] = /(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(before) ?? [];
  return word !== undefined && row.startsWith(word) ? row.slice(word.length) : row;
}
