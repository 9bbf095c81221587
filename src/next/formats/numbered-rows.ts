import type { ModelEnd } from "../../model/index.ts";
import type { ModelAnswer, ReadEnd } from "../next-edit-format.ts";
import type { LinesEnd } from "../stream-diff.ts";
import { answerRows } from "./answer-rows.ts";
import { blockMarkStart } from "./numbered-blocks.ts";

/** What {@link NumberedRows} has to know of the window and the format. */
export interface NumberedRowsShape {
  /** The lines that marks stand in front of, see `blockBorders`. */
  readonly borders: readonly number[];
  /** What is no text of the answer wherever it stands. */
  readonly cursor: string;
  /** What ends the answer, where a server prints it. */
  readonly end: string;
  /** What no answer may hold. */
  readonly foreign: readonly string[];
}

/**
 * Takes the lines of a window out of an answer that says only those between two of its numbered marks: in front of the first mark and behind the last
 * one the window stays as it is. Marks between them say nothing.
 *
 * Which mark is the last is known at the end of the answer. One mark said twice, with nothing between, is no edit.
 */
export class NumberedRows {
  readonly #window: readonly string[];
  readonly #shape: NumberedRowsShape;
  /** What came of the answer, once its lines have ended. */
  end: ReadEnd = { kind: "read" };
  /** The first mark, and the last one that has come. */
  #first: number | undefined;
  #last: number | undefined;
  /** Whether a line that is not blank came behind the last mark. */
  #isOpen = false;
  /** Blank lines that are some only if a line or a mark follows. */
  #blanks: string[] = [];
  #isUnchanged = false;

  constructor(window: readonly string[], shape: NumberedRowsShape) {
    this.#window = window;
    this.#shape = shape;
  }

  /** The lines of the whole window, in order. */
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

  /** Gives the lines that a row says; whether the answer cannot be read from here on. */
  *#take(row: string): Generator<string, boolean> {
    const strange = this.#shape.foreign.find((mark) => mark !== blockMarkStart && row.includes(mark));
    if (strange !== undefined) return this.#unreadable(`The answer says ${strange} where it means nothing`);
    const [ahead, ...parts] = row.split(/<\|marker_(\d+)\|>/);
    if (this.#first === undefined && ahead!.trim() !== "") return this.#unreadable("The answer has no mark in front");
    // Text in front of a mark that ends its row is a line of the block above; otherwise it goes on behind the mark.
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
    if (line.includes(blockMarkStart)) return this.#unreadable(`The answer says ${blockMarkStart} without a number`);
    if (this.#first === undefined) return false;
    if (this.#isUnchanged && line.trim() !== "")
      return this.#unreadable("The answer says that nothing changes and more");
    yield* this.#takeLine(line);
    return false;
  }

  *#takeLine(line: string): Generator<string> {
    this.#blanks.push(line);
    if (line.trim() === "") return;
    this.#isOpen = true;
    yield* this.#blanks.splice(0);
  }

  /** Gives the blank lines in front of a mark; what speaks against it where it stands, if something does. */
  *#takeMark(number: number): Generator<string, string | undefined> {
    const { borders } = this.#shape;
    const last = this.#last;
    if (number < 1 || number > borders.length) return `The answer says mark ${number}, and there are ${borders.length}`;
    if (last === undefined) {
      this.#first = number;
      this.#blanks = [];
      yield* this.#window.slice(0, this.#lineOf(number));
    } else if (number === this.#first && number === last && !this.#isOpen) this.#isUnchanged = true;
    else if (number <= last) return `The answer says mark ${number} behind mark ${last}`;
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
    // Lines that are blank behind the last mark are none.
    if (this.#last === this.#first || this.#isOpen) {
      this.#unreadable("The answer has no mark behind its last line");
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
