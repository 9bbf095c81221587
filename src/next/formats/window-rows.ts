import { closesFence, type Fence, isNoChangeRow, Thoughts, tryReadFence } from "../../formats/index.ts";
import type { ModelEnd } from "../../model/index.ts";
import type { ModelAnswer, ReadEnd } from "../next-edit-format.ts";
import { isSaid } from "../says-something.ts";
import type { LinesEnd } from "../stream-diff.ts";
import { answerRows } from "./answer-rows.ts";
import { closeIn } from "./close-in.ts";
import { endsAlike } from "./ends-alike.ts";
import { OutsideEcho, type WindowSurroundings } from "./outside-echo.ts";
import { SaysTwice } from "./says-twice.ts";

/** How models of a family answer with the lines of the window. */
export interface WindowAnswer {
  /** Marks in front of the lines, which may be left out. */
  readonly opens: readonly string[];
  /** Marks behind the lines. */
  readonly closes: readonly string[];
  /** The mark of the cursor; where it is repeated it says nothing. */
  readonly cursor: string;
  /** What stands in place of the lines where nothing is to be changed. */
  readonly none: readonly string[];
  /** Set where it has a way to say that nothing is to be changed, so that no lines at all say nothing. */
  readonly mustSay?: true;
  /** Other marks, which no answer may hold. */
  readonly foreign: readonly string[];
  /** Whether a fence of Markdown stands around the lines. Where one must, what is said in front of it is not for us. */
  readonly fence: "never" | "maybe" | "must";
  /** What it means that the model ends by itself and marks no end, if its lines end as the window does: otherwise they are `open`. */
  readonly unmarkedEnd: Exclude<LinesEnd, "cut">;
}

/** What {@link WindowRows} may know beside the window and the shape of the answer. */
export interface WindowRowsOptions extends Partial<Pick<WindowSurroundings, "above" | "below">> {
  /** The window's lines with which the prompt ended, for the answer to go on from. */
  readonly prefill?: readonly string[];
}

/**
 * Takes the lines of a window out of an answer, to be diffed as they come.
 *
 * Blank lines at the end are as many as the window has: models and servers cut them off. An answer without any line
 * that is not blank says nothing. Lines from outside of the window that are repeated are left out.
 */
export class WindowRows {
  readonly #window: readonly string[];
  readonly #shape: WindowAnswer;
  readonly #prefill: readonly string[];
  readonly #echo: OutsideEcho;
  readonly #twice: SaysTwice;
  readonly #thoughts = new Thoughts();
  /** What came of the answer, once its lines have ended. */
  end: ReadEnd = { kind: "read" };
  #isInside = false;
  #fence: Fence | undefined;
  /** A first row that may be the window's own fence, or one around the lines. */
  #ownFence: string | undefined;
  /** Whether the fence ends with the last row of the answer, since the code has such fences too. */
  #isLastClosing = false;
  /** Whether the last row that is not blank closes the fence, if nothing follows. */
  #isClosing = false;
  /** Blank rows, and one that closes the fence, which are lines only if another line follows. */
  #blanks: string[] = [];
  /** A row that says that there is no edit, if nothing follows it. */
  #none: string | undefined;
  /** Whether a sentence outside of a fence says that there is no edit. */
  #isNoneSaid = false;
  /** Whether it has a line that is not blank. */
  #isBegun = false;
  /** Whether a line was let through. */
  #hasLines = false;
  /** The lines of the answer that are not blank. */
  readonly #said: string[] = [];
  /** Those of them that were let through. */
  readonly #passed: string[] = [];
  /** The mark at which the lines end. */
  #close: string | undefined;
  /** What stands in front of that mark in its row. */
  #beforeClose = "";

  constructor(window: readonly string[], shape: WindowAnswer, options: WindowRowsOptions = {}) {
    const { prefill = [], above = [], below = [] } = options;
    this.#window = window;
    this.#shape = shape;
    this.#prefill = prefill;
    // What an answer goes on from may be said again, and nothing from above it.
    const own = window.slice(prefill.length);
    this.#twice = new SaysTwice(own);
    this.#echo = new OutsideEcho({ above: prefill.length === 0 ? above : prefill, window: own, below });
  }

  /** The lines, in order. It asks the model for nothing more once it knows their end. */
  async *lines(answer: ModelAnswer): AsyncGenerator<string, LinesEnd> {
    const rows = answerRows(answer);
    try {
      for (let index = 0; ; index++) {
        const next = await rows.next();
        if (next.done === true) {
          if (next.value.reason === "finished") yield* this.#pass(this.#echo.end());
          return yield* this.#ended(this.#endOf(next.value));
        }
        const thought =
          this.#shape.fence === "never" ? { text: next.value } : this.#thoughts.take({ index, text: next.value });
        let end = thought === undefined ? undefined : yield* this.#take(thought.text);
        if (end === "whole" && !this.#isAllSaid()) end = await this.#endBefore(rows);
        if (end === "whole" && this.#beforeClose !== "") end = (yield* this.#takeLine(this.#beforeClose)) ?? end;
        if (end !== undefined) return yield* this.#ended(end);
      }
    } finally {
      await rows.return({ reason: "finished" });
    }
  }

  #endOf({ reason }: ModelEnd): LinesEnd {
    if (reason !== "finished") {
      this.end = { kind: "cut", why: reason };
      return "cut";
    }
    if (this.#shape.fence === "must" && this.#fence === undefined) {
      if (!this.#isNoneSaid) return this.#unreadable("The answer has no block of code");
      return "open";
    }
    if (this.#isClosing || !this.#hasLines) return "whole";
    const own = this.#window.slice(this.#prefill.length);
    const isOther = this.#prefill.length === 0 && !own.some((line) => isSaid(line) && this.#passed.includes(line));
    // Words for the person, or nothing that shows where it belongs.
    if (isOther && own.filter(isSaid).length > 1)
      return this.#unreadable("The answer has none of the lines to edit, and marks no end");
    return endsAlike(own, this.#passed) ? this.#shape.unmarkedEnd : "open";
  }

  *#take(said: string): Generator<string, LinesEnd | undefined> {
    const row = said.replaceAll(this.#shape.cursor, "");
    const rest = this.#isInside ? row : this.#takeAhead(row);
    if (rest === undefined) return this.end.kind === "unreadable" ? "cut" : undefined;
    const fence = this.#fence === undefined ? undefined : tryReadFence(rest);
    if (fence !== undefined && closesFence(fence, this.#fence!)) {
      if (!this.#isLastClosing) {
        this.#close = rest.trim();
        return "whole";
      }
      // One that has come before is a line; blank rows behind it may still be the end.
      const known = this.#blanks.findLastIndex((row) => row.trim() !== "") + 1;
      for (const one of this.#blanks.splice(0, known)) yield* this.#pass(this.#echo.push(one));
      this.#blanks.push(rest);
      this.#isClosing = true;
      return undefined;
    }
    const close = closeIn(rest, this.#shape.closes);
    const line = close === undefined ? rest : rest.slice(0, close.at);
    const { opens, closes, foreign } = this.#shape;
    const mark = [...opens, ...closes, ...foreign].find((one) => line.includes(one));
    if (mark !== undefined) return this.#unreadable(`The answer says ${mark} where it means nothing`);
    if (close === undefined) return yield* this.#takeLine(line);
    this.#close = close.mark;
    if (line.trim() !== "") this.#beforeClose = line;
    return "whole";
  }

  /** Whether the lines up to the mark that ends them leave nothing out at the end, so that it is no text. */
  #isAllSaid(): boolean {
    const last = this.#beforeClose === "" ? this.#said.at(-1) : this.#beforeClose;
    return last === undefined || last === (this.#window.findLast(isSaid) ?? this.#said.at(-1));
  }

  /** How the lines end: they do not where the answer goes on with the window's lines, or with the same mark. */
  async #endBefore(rows: AsyncGenerator<string, ModelEnd>): Promise<LinesEnd> {
    const left = leftOf(this.#window.slice(this.#prefill.length).filter(isSaid), this.#said);
    const close = this.#close!;
    const isFence = tryReadFence(close) !== undefined;
    for (;;) {
      const next = await rows.next();
      if (next.done === true && next.value.reason === "finished") return "whole";
      if (next.done === true) return this.#endOf(next.value);
      const row = next.value.replaceAll(this.#shape.cursor, "");
      if (left.has(row) || (!isFence && row.includes(close)))
        return this.#unreadable(`The answer goes on behind ${close}, which ends it`);
    }
  }

  /** What a row in front of the lines has of the first one; `undefined` if nothing. */
  #takeAhead(row: string): string | undefined {
    let rest = row;
    for (let open = this.#opening(rest); open !== undefined; open = this.#opening(rest)) {
      rest = rest.slice(rest.indexOf(open) + open.length);
      this.#blanks = [];
      if (rest.trim() === "") return undefined;
    }
    if (rest.trim() === "") {
      if (this.#shape.fence !== "must" || this.#fence !== undefined) this.#blanks.push(rest);
      return undefined;
    }
    const fence = this.#fence === undefined && this.#shape.fence !== "never" ? tryReadFence(rest) : undefined;
    const own = this.#ownFence;
    this.#ownFence = undefined;
    if (own !== undefined && rest === own) {
      // Twice what the window begins with: the first one was around the lines.
      this.#fence = tryReadFence(own);
      this.#isLastClosing = true;
    } else if (own !== undefined) this.#blanks.unshift(own);
    else if (fence !== undefined && this.#shape.fence === "maybe" && this.#firstLine() === rest) {
      this.#ownFence = rest;
      this.#blanks = [];
      return undefined;
    } else if (fence !== undefined) {
      const inner = this.#window.find((line) => tryReadFence(line)?.marks.startsWith(fence.marks));
      if (inner !== undefined && this.#shape.fence === "must") {
        this.#unreadable(`The fence ${fence.marks} around the answer is no longer than one that the code has`);
        return undefined;
      }
      this.#fence = fence;
      this.#isLastClosing = inner !== undefined;
      this.#blanks = [];
      return undefined;
    }
    if (this.#shape.fence === "must" && this.#fence === undefined) {
      if (isNoChangeRow(rest)) this.#isNoneSaid = true;
      return undefined;
    }
    this.#isInside = true;
    return rest;
  }

  *#takeLine(line: string): Generator<string, LinesEnd | undefined> {
    if (line.trim() === "") {
      this.#blanks.push(line);
      return undefined;
    }
    if (this.#none !== undefined) return this.#unreadable(`The answer says ${this.#none} and more`);
    if (this.#shape.none.includes(line.trim()) && !this.#window.includes(line)) {
      if (this.#isBegun) return this.#unreadable(`The answer has lines and says ${line.trim()}`);
      this.#none = line.trim();
      return undefined;
    }
    if (this.#twice.push(line)) return this.#unreadable("The answer says its lines twice");
    this.#isBegun = true;
    this.#isClosing = false;
    this.#said.push(line);
    for (const one of [...this.#blanks.splice(0), line]) yield* this.#pass(this.#echo.push(one));
    return undefined;
  }

  *#pass(lines: readonly string[]): Generator<string> {
    if (lines.length === 0) return;
    if (!this.#hasLines) yield* this.#prefill;
    this.#hasLines = true;
    this.#passed.push(...lines.filter(isSaid));
    yield* lines;
  }

  *#ended(end: LinesEnd): Generator<string, LinesEnd> {
    if (end === "cut") return end;
    yield* this.#pass(this.#echo.end());
    const isEmpty = this.#said.length === 0 && this.#none === undefined && !this.#isNoneSaid;
    if (isEmpty && this.#shape.mustSay && this.#window.some(isSaid))
      return this.#unreadable("The answer has none of the lines to edit");
    // Without lines there is no change to tell.
    if (!this.#hasLines) return "cut";
    const blanks = this.#window.findLastIndex((line) => line.trim() !== "") + 1;
    yield* this.#window.slice(Math.max(blanks, this.#prefill.length));
    return end;
  }

  #opening(row: string): string | undefined {
    return this.#shape.opens.find((open) => row.trimStart().startsWith(open));
  }

  #firstLine(): string | undefined {
    return this.#window.find((line) => line.trim() !== "");
  }

  #unreadable(what: string): "cut" {
    this.end = { kind: "unreadable", message: `${what}.` };
    return "cut";
  }
}

/** Those lines that were said less often than they are there. */
function leftOf(lines: readonly string[], said: readonly string[]): ReadonlySet<string> {
  const left = [...lines];
  for (const line of said) {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
  }
  return new Set(left);
}
