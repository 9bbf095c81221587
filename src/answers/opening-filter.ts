import { type AnswerPlace, readOpeningAt } from "./opening.ts";
import type { Removal, StreamFilter } from "./stream-filter.ts";

/**
 * Removes what a model writes around the text for a place: reasoning and sentences before it, and a
 * code fence with all that follows its end; see {@link readOpeningAt}. The line ending in front of
 * a closing fence belongs to the fence.
 */
export class OpeningFilter implements StreamFilter {
  readonly removed = new Set<Removal>();
  readonly #place: AnswerPlace;
  #beginning: string | undefined = "";
  #fence: FenceEnd | undefined;

  constructor(place: AnswerPlace) {
    this.#place = place;
  }

  get isOver(): boolean {
    return this.#fence?.isOver === true;
  }

  push(text: string): string {
    const rest = this.#beginning === undefined ? text : this.#open(text, false);
    return this.#fence === undefined ? rest : this.#fence.push(rest);
  }

  end(): string {
    const rest = this.#beginning === undefined ? "" : this.#open("", true);
    return this.#fence === undefined ? rest : this.#fence.push(rest) + this.#fence.end();
  }

  #open(text: string, isWhole: boolean): string {
    const beginning = this.#beginning + text;
    const opening = readOpeningAt(beginning, this.#place, isWhole);
    this.#beginning = opening === undefined ? beginning : undefined;
    if (opening === undefined) return "";
    if (opening.hasTalk) this.removed.add("talk");
    if (opening.fence !== undefined) {
      this.removed.add("fence");
      this.#fence = new FenceEnd(opening.fence);
    }
    return beginning.slice(opening.length);
  }
}

/**
 * Cuts text at the end of the code fence that it is in: a row with nothing but the marks, as many
 * as opened it or more, or such marks behind the last text of the answer.
 */
class FenceEnd {
  isOver = false;
  readonly #marks: string;
  /** The line ending in front of the held text. */
  #lineEnding = "";
  #held = "";
  /** Whether the beginning of the held row was let through. */
  #isInRow = false;

  constructor(marks: string) {
    this.#marks = marks;
  }

  push(text: string): string {
    if (this.isOver) return "";
    const rows = (this.#held + text).split("\n");
    this.#held = rows.pop()!;
    let passed = "";
    for (const row of rows) {
      const line = row.endsWith("\r") ? row.slice(0, -1) : row;
      if (!this.#isInRow && this.#closes(line)) {
        this.isOver = true;
        return passed;
      }
      passed += this.#lineEnding + line;
      this.#lineEnding = row === line ? "\n" : "\r\n";
      this.#isInRow = false;
    }
    if (!this.#isInRow && this.#hasMarksOnly(this.#held)) return passed;
    const decided = this.#decidedLength();
    if (decided === 0) return passed;
    passed += this.#lineEnding + this.#held.slice(0, decided);
    this.#lineEnding = "";
    this.#held = this.#held.slice(decided);
    this.#isInRow = true;
    return passed;
  }

  end(): string {
    if (this.isOver) return "";
    this.isOver = true;
    if (!this.#isInRow && this.#closes(this.#held)) return "";
    const end = this.#held.trimEnd().length;
    const start = startOfRun(this.#held, end, this.#marks[0]!);
    return this.#lineEnding + (end - start < this.#marks.length ? this.#held : this.#held.slice(0, start));
  }

  #hasMarksOnly(row: string): boolean {
    const marks = row.trim();
    return marks === this.#marks[0]!.repeat(marks.length);
  }

  #closes(row: string): boolean {
    return row.trim().length >= this.#marks.length && this.#hasMarksOnly(row);
  }

  /**
   * How much of the unfinished row belongs to the text: all but a `\r` at its end, and marks there,
   * which end the text if nothing follows.
   */
  #decidedLength(): number {
    const end = this.#held.endsWith("\r") ? this.#held.length - 1 : this.#held.length;
    const marksEnd = startOfRun(this.#held, end, " \t");
    const start = startOfRun(this.#held, marksEnd, this.#marks[0]!);
    return start < marksEnd ? start : end;
  }
}

/** Where the characters of `set` begin that end at the offset `end` of a text. */
function startOfRun(text: string, end: number, set: string): number {
  let start = end;
  while (start > 0 && set.includes(text[start - 1]!)) start--;
  return start;
}
