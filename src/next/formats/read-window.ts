import {
  beginsWithReasoningTag,
  closesFence,
  type Fence,
  hasWords,
  isNonBlank,
  ReasoningRows,
  RepeatedContextFilter,
  RepeatedWindowDetector,
  tryReadFence,
  type WindowSurroundings,
} from "../../answers/index.ts";
import { isNoChangeRow } from "../../formats/index.ts";
import type { ModelEnd } from "../../model/index.ts";
import type { TextEdit } from "../../text/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { ModelAnswer, ReadEnd } from "./next-edit-format.ts";
import { PromptLines } from "./prompt-lines.ts";
import { answerRows, ElisionStop } from "./row-stream.ts";
import type { LinesEnd } from "./stream-diff.ts";
import { windowEdits } from "./window-lines.ts";

/**
 * Reads an answer that rewrites the window's lines, and yields the edits of the prompt input's
 * text, in its order. Returns `unreadable` where the answer is not in the format, leaves lines out,
 * or has fewer lines than the window and no end; see {@link ReadEnd}.
 *
 * `prefill` are the lines of the window with which the prompt ended, and from which the answer
 * continues.
 */
export async function* readWindow(
  answer: ModelAnswer,
  input: NextEditPromptInput,
  shape: WindowAnswer,
  prefill: readonly string[] = [],
): AsyncGenerator<TextEdit, ReadEnd> {
  const { page, window } = input;
  const shown = new PromptLines(input);
  const rows = new WindowRows(shown.texts(window), shape, {
    above: shown.texts({ start: page.start, end: window.start }),
    below: shown.texts({ start: window.end, end: page.end }),
    prefill,
  });
  const stop = new ElisionStop(input);
  const end = yield* windowEdits(stop.lines(rows.lines(answer)), input);
  if (stop.end !== undefined) return stop.end;
  return end === "short" ? { kind: "unreadable", message: fewerLines } : rows.end;
}

const fewerLines = "The answer has fewer lines than there are to edit, and marks no end.";

/** How models of a family answer with the window's lines. */
export interface WindowAnswer {
  /** Markers before the lines, which may be missing. */
  readonly opens: readonly string[];
  /** Markers after the lines. */
  readonly closes: readonly string[];
  /** The cursor marker, which is ignored where it is repeated. */
  readonly cursor: string;
  /** The answers for no change, in place of the lines. */
  readonly none: readonly string[];
  /**
   * Set where the format has an answer for no change, so that an answer without lines is
   * unreadable.
   */
  readonly needsAnswer?: true;
  /** Other markers, which no answer may contain. */
  readonly foreign: readonly string[];
  /** Whether the lines are in a Markdown fence. With `must`, text before the fence is ignored. */
  readonly fence: "never" | "maybe" | "must";
  /**
   * How the lines end where the model finishes without an end marker and its last lines are those
   * of the window; otherwise they are `open`.
   */
  readonly unmarkedEnd: Exclude<LinesEnd, "cut">;
}

/** Options of {@link WindowRows}. */
interface WindowRowsOptions extends Partial<Pick<WindowSurroundings, "above" | "below">> {
  /** The window's lines with which the prompt ended, and from which the answer continues. */
  readonly prefill?: readonly string[];
}

/**
 * Reads the lines of a window from an answer, to be diffed as they come.
 *
 * The blank lines at the end are those of the window: models and servers drop them. An answer with
 * blank lines only counts as empty. Repeated lines from outside the window are left out.
 */
export class WindowRows {
  readonly #window: readonly string[];
  readonly #shape: WindowAnswer;
  readonly #prefill: readonly string[];
  readonly #repeatedContext: RepeatedContextFilter;
  readonly #repeatedWindow: RepeatedWindowDetector;
  readonly #reasoning = new ReasoningRows();
  /** Whether tags of reasoning are lines of the code itself. */
  readonly #hasTags: boolean;
  /** How the reading ended, once the lines have ended. */
  end: ReadEnd = { kind: "read" };
  #isInside = false;
  #fence: Fence | undefined;
  /** A first row that may be the window's own fence, or one around the lines. */
  #ownFence: string | undefined;
  /**
   * Whether the fence ends with the last row of the answer, since the code contains such fences
   * too.
   */
  #isLastClosing = false;
  /** Whether the last row that is not blank closes the fence, if nothing follows. */
  #isClosing = false;
  /** Blank rows, and one that closes the fence, which are lines only if another line follows. */
  #blanks: string[] = [];
  /** A row with the answer for no edit, if nothing follows it. */
  #none: string | undefined;
  /** Whether a row outside of a fence states that there is no edit. */
  #statesNoChange = false;
  /** Whether the answer has a line that is not blank. */
  #isBegun = false;
  /** Whether a line was yielded. */
  #hasLines = false;
  /** The lines of the answer that are not blank. */
  readonly #written: string[] = [];
  /** Those of them that were yielded. */
  readonly #passed: string[] = [];
  /** The marker at which the lines end. */
  #close: string | undefined;
  /** The text before that marker in its row. */
  #beforeClose = "";

  constructor(window: readonly string[], shape: WindowAnswer, options: WindowRowsOptions = {}) {
    const { prefill = [], above = [], below = [] } = options;
    this.#window = window;
    this.#shape = shape;
    this.#prefill = prefill;
    this.#hasTags = [above, window, below].flat().some(beginsWithReasoningTag);
    // The prefill may be repeated, and nothing above it.
    const ownLines = window.slice(prefill.length);
    this.#repeatedWindow = new RepeatedWindowDetector(ownLines);
    this.#repeatedContext = new RepeatedContextFilter({
      above: prefill.length === 0 ? above : prefill,
      window: ownLines,
      below,
    });
  }

  /** Yields the lines in order. Stops reading the answer once their end is known. */
  async *lines(answer: ModelAnswer): AsyncGenerator<string, LinesEnd> {
    const rows = answerRows(answer);
    try {
      for (;;) {
        const next = await rows.next();
        if (next.done === true) {
          if (next.value.reason === "finished") yield* this.#pass(this.#repeatedContext.end());
          return yield* this.#ended(this.#endOf(next.value));
        }
        const mayReason = this.#shape.fence !== "never" && !this.#hasTags;
        const row = mayReason ? this.#reasoning.take(next.value) : next.value;
        let end = row === undefined ? undefined : yield* this.#take(row);
        if (end === "whole" && !this.#isComplete()) end = await this.#endBefore(rows);
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
      if (!this.#statesNoChange) return this.#unreadable("The answer has no block of code");
      return "open";
    }
    if (this.#isClosing || !this.#hasLines) return "whole";
    const ownLines = this.#window.slice(this.#prefill.length);
    const isOther =
      this.#prefill.length === 0 && !ownLines.some((line) => isNonBlank(line) && this.#passed.includes(line));
    // The answer is an explanation, or nothing shows where its lines belong.
    if (isOther && ownLines.filter(isNonBlank).length > 1)
      return this.#unreadable("The answer has none of the lines to edit, and marks no end");
    return endsAlike(ownLines, this.#passed) ? this.#shape.unmarkedEnd : "open";
  }

  *#take(rawRow: string): Generator<string, LinesEnd | undefined> {
    const row = rawRow.replaceAll(this.#shape.cursor, "");
    const rest = this.#isInside ? row : this.#takeAhead(row);
    if (rest === undefined) return this.end.kind === "unreadable" ? "cut" : undefined;
    const fence = this.#fence === undefined ? undefined : tryReadFence(rest);
    if (fence !== undefined && closesFence(fence, this.#fence!)) {
      if (!this.#isLastClosing) {
        this.#close = rest.trim();
        return "whole";
      }
      // An earlier closing row is a line; blank rows after it may still be the end.
      const known = this.#blanks.findLastIndex((row) => row.trim() !== "") + 1;
      for (const one of this.#blanks.splice(0, known)) yield* this.#pass(this.#repeatedContext.push(one));
      this.#blanks.push(rest);
      this.#isClosing = true;
      return undefined;
    }
    const close = closeIn(rest, this.#shape.closes);
    const line = close === undefined ? rest : rest.slice(0, close.at);
    const { opens, closes, foreign } = this.#shape;
    const mark = [...opens, ...closes, ...foreign].find((one) => line.includes(one));
    if (mark !== undefined) return this.#unreadable(`The answer contains ${mark} where it has no meaning`);
    if (close === undefined) return yield* this.#takeLine(line);
    this.#close = close.mark;
    if (line.trim() !== "") this.#beforeClose = line;
    return "whole";
  }

  /**
   * Whether the lines before the end marker include the window's last line, so that the marker is
   * not part of the text.
   */
  #isComplete(): boolean {
    const last = this.#beforeClose === "" ? this.#written.at(-1) : this.#beforeClose;
    return last === undefined || last === (this.#window.findLast(isNonBlank) ?? this.#written.at(-1));
  }

  /**
   * How the lines end: unreadable where the answer continues with lines of the window, or with the
   * same marker.
   */
  async #endBefore(rows: AsyncGenerator<string, ModelEnd>): Promise<LinesEnd> {
    const left = leftOf(this.#window.slice(this.#prefill.length).filter(isNonBlank), this.#written);
    const close = this.#close!;
    const isFence = tryReadFence(close) !== undefined;
    for (;;) {
      const next = await rows.next();
      if (next.done === true && next.value.reason === "finished") return "whole";
      if (next.done === true) return this.#endOf(next.value);
      const row = next.value.replaceAll(this.#shape.cursor, "");
      if (left.has(row) || (!isFence && row.includes(close)))
        return this.#unreadable(`The answer continues after ${close}, which ends it`);
    }
  }

  /** The start of the first line in a row before the lines; `undefined` if none. */
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
    const ownLines = this.#ownFence;
    this.#ownFence = undefined;
    if (ownLines !== undefined && rest === ownLines) {
      // The window's first row came twice: the first one was the fence around the lines.
      this.#fence = tryReadFence(ownLines);
      this.#isLastClosing = true;
    } else if (ownLines !== undefined) this.#blanks.unshift(ownLines);
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
      if (isNoChangeRow(rest)) this.#statesNoChange = true;
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
    if (this.#none !== undefined) return this.#unreadable(`The answer contains ${this.#none} and more`);
    if (this.#shape.none.includes(line.trim()) && !this.#window.includes(line)) {
      if (this.#isBegun) return this.#unreadable(`The answer contains lines and ${line.trim()}`);
      this.#none = line.trim();
      return undefined;
    }
    if (this.#repeatedWindow.push(line)) return this.#unreadable("The answer repeats its lines");
    this.#isBegun = true;
    this.#isClosing = false;
    this.#written.push(line);
    for (const one of [...this.#blanks.splice(0), line]) yield* this.#pass(this.#repeatedContext.push(one));
    return undefined;
  }

  *#pass(lines: readonly string[]): Generator<string> {
    if (lines.length === 0) return;
    if (!this.#hasLines) yield* this.#prefill;
    this.#hasLines = true;
    this.#passed.push(...lines.filter(isNonBlank));
    yield* lines;
  }

  *#ended(end: LinesEnd): Generator<string, LinesEnd> {
    if (end === "cut") return end;
    yield* this.#pass(this.#repeatedContext.end());
    const isEmpty = this.#written.length === 0 && this.#none === undefined && !this.#statesNoChange;
    if (isEmpty && this.#shape.needsAnswer && this.#window.some(isNonBlank))
      return this.#unreadable("The answer has none of the lines to edit");
    // Without lines there is no change.
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

/** The lines that the answer has not repeated as often as they occur. */
function leftOf(lines: readonly string[], written: readonly string[]): ReadonlySet<string> {
  const left = [...lines];
  for (const line of written) {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
  }
  return new Set(left);
}

/**
 * Returns the first marker in a row that ends the lines, with its offset; `undefined` where there
 * is none. Behind text it counts only where nothing but other markers or a fence follows in the
 * row: it may be text too.
 */
function closeIn(row: string, marks: readonly string[]): { readonly at: number; readonly mark: string } | undefined {
  const found = marks
    .map((mark) => ({ at: row.indexOf(mark), mark }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  const [first] = found;
  if (first === undefined || row.slice(0, first.at).trim() === "") return first;
  const others = marks.filter((mark) => mark !== first.mark);
  const behind = others
    .reduce((rest, mark) => rest.replaceAll(mark, ""), row.slice(first.at + first.mark.length))
    .trim();
  return behind === "" || tryReadFence(behind) !== undefined ? first : undefined;
}

/**
 * Whether rewritten lines end as the window does, so that they are complete without an end marker:
 * the last line of the window that contains words, and all lines behind it, are the last rewritten
 * lines too. Where no line of the window contains words, all its lines are compared. Blank lines do
 * not count.
 */
export function endsAlike(window: readonly string[], lines: readonly string[]): boolean {
  const known = window.filter(isNonBlank);
  const written = lines.filter(isNonBlank);
  for (let back = 1; back <= known.length; back++) {
    const line = known.at(-back)!;
    if (line !== written.at(-back)) return false;
    if (hasWords(line)) return true;
  }
  return true;
}
