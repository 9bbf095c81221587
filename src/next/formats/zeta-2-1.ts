import type { ModelEnd } from "../../model/index.ts";
import type { TextEdit } from "../../text/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { ModelAnswer, NextEditFormat, ReadEnd } from "./next-edit-format.ts";
import { type FormatMarks, PromptLines, tryRefuse } from "./prompt-lines.ts";
import { answerRows, ElisionStop } from "./row-stream.ts";
import type { LinesEnd } from "./stream-diff.ts";
import { WindowLines, windowEdits } from "./window-lines.ts";
import { endOfText, seedCoderMarks, seedCoderPrompt, zetaCursor } from "./zeta-2.ts";

/** Returns the marker with this number, from 1. */
function blockMark(number: number): string {
  return `${blockMarkStart}${number}|>`;
}

/** The start of each marker. */
const blockMarkStart = "<|marker_";

/**
 * Returns the line indexes of a window, from 0, that have a marker in front: the first line, the
 * first line of each block, and the end. A block begins after a blank line, or where the one before
 * becomes long, at a line that begins a construct rather than ends one.
 *
 * Source: `compute_marker_offsets_v0318` in `multi_region.rs` of zed-industries/zed, crate
 * `zeta_prompt`; the limits are those the model was trained with.
 */
export function blockBorders({
  lines,
  endsBehindLastBreak,
}: Pick<WindowLines, "lines" | "endsBehindLastBreak">): readonly number[] {
  const shown = endsBehindLastBreak ? lines.slice(0, -1) : lines;
  const borders = [0];
  for (let line = 1; line < shown.length; line++) {
    const length = line - borders.at(-1)!;
    const start = firstBeginning(shown, line);
    const isBehindBlank = !isBlank(shown[line]!) && isBlank(shown[line - 1]!);
    const isBorder = isBehindBlank && length >= minLines && shown.length - start >= minLines;
    if (!isBorder && length < maxLines) continue;
    borders.push(start);
    line = start;
  }
  return [...borders, lines.length];
}

const minLines = 6;
const maxLines = 16;

/**
 * The first of the next few lines from `from` on that begins a construct; `from` itself if none
 * does.
 */
function firstBeginning(lines: readonly string[], from: number): number {
  const found = lines.slice(from, from + maxPassed).findIndex((line) => !isBlank(line) && !endsSomething(line.trim()));
  return from + Math.max(0, found);
}

const maxPassed = 5;

function isBlank(line: string): boolean {
  return line.trim() === "";
}

function endsSomething(line: string): boolean {
  return /^[\])}]/.test(line) || /^(?:break|continue|return|throw|end);*$/.test(line);
}

/** Markers that no prompt input for {@link zeta21} may contain. */
export const zeta21Marks: FormatMarks = { anywhere: [...seedCoderMarks, blockMarkStart] };

/**
 * The format of Zeta 2.1 (`V0318SeedMultiRegions`), a Seed-Coder 8B. Numbered markers are between
 * the blocks of the window, and the answer has only the text between two of them. It was trained
 * without diagnostics.
 *
 * Source: `multi_region.rs` and `zeta_prompt.rs` of zed-industries/zed, crate `zeta_prompt`.
 */
export const zeta21: NextEditFormat = {
  name: "zeta-2.1",
  ask: (input) => tryRefuse(input, zeta21Marks) ?? { kind: "raw", prompt: prompt(input), stop: [] },
  read,
};

function prompt(input: NextEditPromptInput): string {
  const shown = new PromptLines(input);
  const { start } = input.window;
  const borders = blockBorders(WindowLines.of(input));
  const blocks = borders.map((border, i) => {
    const block = { start: start + border, end: start + (borders[i + 1] ?? border) };
    return blockMark(i + 1) + shown.show(block, zetaCursor);
  });
  return seedCoderPrompt(shown, `${blocks.join("")}\n`);
}

async function* read(answer: ModelAnswer, input: NextEditPromptInput): AsyncGenerator<TextEdit, ReadEnd> {
  const window = WindowLines.of(input);
  const shape = { borders: blockBorders(window), cursor: zetaCursor, end: endOfText, foreign: zeta21Marks.anywhere };
  const rows = new NumberedRows(window.lines, shape);
  const stop = new ElisionStop(input);
  yield* windowEdits(stop.lines(rows.lines(answer)), input);
  return stop.end ?? rows.end;
}

/** What {@link NumberedRows} needs to know of the window and the format. */
interface NumberedRowsShape {
  /** The lines with a marker in front; see `blockBorders`. */
  readonly borders: readonly number[];
  /** The cursor marker, which is removed wherever it occurs. */
  readonly cursor: string;
  /** The token that ends the answer, where a server prints it. */
  readonly end: string;
  /** Markers that no answer may contain. */
  readonly foreign: readonly string[];
}

/**
 * Reads the lines of a window from an answer that contains only those between two numbered markers:
 * before the first and after the last one the window stays as it is. Markers between them are
 * ignored.
 *
 * Which marker is the last is known at the end of the answer. The same marker twice, with nothing
 * between, means no edit.
 */
class NumberedRows {
  readonly #window: readonly string[];
  readonly #shape: NumberedRowsShape;
  /** How the reading ended, once the lines have ended. */
  end: ReadEnd = { kind: "read" };
  /** The first marker, and the last one so far. */
  #first: number | undefined;
  #last: number | undefined;
  /** Whether a line that is not blank followed the last marker. */
  #isOpen = false;
  /** Blank lines, which count only if a line or a marker follows. */
  #blanks: string[] = [];
  #isUnchanged = false;

  constructor(window: readonly string[], shape: NumberedRowsShape) {
    this.#window = window;
    this.#shape = shape;
  }

  /** Yields the lines of the whole window, in order. */
  async *lines(answer: ModelAnswer): AsyncGenerator<string, LinesEnd> {
    const rows = answerRows(answer);
    try {
      for (;;) {
        const next = await rows.next();
        if (next.done === true) return yield* this.#ended(next.value);
        const [row, ...behind] = next.value.replaceAll(this.#shape.cursor, "").split(this.#shape.end);
        const isBroken = yield* this.#take(row!);
        if (isBroken) return "cut";
        if (behind.length > 0) return yield* this.#ended({ reason: "finished" });
      }
    } finally {
      await rows.return({ reason: "finished" });
    }
  }

  /** Yields the lines of a row; returns whether the answer cannot be read from here on. */
  *#take(row: string): Generator<string, boolean> {
    const foreignMarker = this.#shape.foreign.find((mark) => mark !== blockMarkStart && row.includes(mark));
    if (foreignMarker !== undefined)
      return this.#unreadable(`The answer contains ${foreignMarker} where it has no meaning`);
    const [ahead, ...parts] = row.split(/<\|marker_(\d+)\|>/);
    if (this.#first === undefined && ahead!.trim() !== "")
      return this.#unreadable("The answer has no marker before its first line");
    // Text before a marker at the end of its row is a line of the block above; other text continues
    // behind the marker.
    let line = ahead!;
    if (parts.at(-1) === "" && line !== "") {
      yield* this.#takeLine(line);
      line = "";
    }
    for (let i = 0; i < parts.length; i += 2) {
      const problem = yield* this.#takeMark(Number(parts[i]));
      if (problem !== undefined) return this.#unreadable(problem);
      line += parts[i + 1]!;
    }
    if (line.includes(blockMarkStart))
      return this.#unreadable(`The answer contains ${blockMarkStart} without a number`);
    if (this.#first === undefined) return false;
    if (this.#isUnchanged && line.trim() !== "")
      return this.#unreadable("The answer states that nothing changes, and contains more");
    yield* this.#takeLine(line);
    return false;
  }

  *#takeLine(line: string): Generator<string> {
    this.#blanks.push(line);
    if (line.trim() === "") return;
    this.#isOpen = true;
    yield* this.#blanks.splice(0);
  }

  /**
   * Yields the blank lines before a marker; returns why the marker is not allowed here, if it is
   * not.
   */
  *#takeMark(number: number): Generator<string, string | undefined> {
    const { borders } = this.#shape;
    const last = this.#last;
    if (number < 1 || number > borders.length)
      return `The answer contains marker ${number}, and there are ${borders.length}`;
    if (last === undefined) {
      this.#first = number;
      this.#blanks = [];
      yield* this.#window.slice(0, this.#lineOf(number));
    } else if (number === this.#first && number === last && !this.#isOpen) this.#isUnchanged = true;
    else if (number <= last) return `The answer contains marker ${number} after marker ${last}`;
    this.#last = number;
    this.#isOpen = false;
    yield* this.#blanks.splice(0);
    return undefined;
  }

  *#ended({ reason }: ModelEnd): Generator<string, LinesEnd> {
    if (reason !== "finished") {
      this.end = { kind: "cut", why: reason };
      return "cut";
    }
    if (this.#first === undefined || this.#isUnchanged) return "cut";
    // Blank lines after the last marker are ignored.
    if (this.#last === this.#first || this.#isOpen) {
      this.#unreadable("The answer has no marker after its last line");
      return "cut";
    }
    yield* this.#window.slice(this.#lineOf(this.#last!));
    return "whole";
  }

  #lineOf(number: number): number {
    return this.#shape.borders[number - 1]!;
  }

  #unreadable(what: string): true {
    this.end = { kind: "unreadable", message: `${what}.` };
    return true;
  }
}
