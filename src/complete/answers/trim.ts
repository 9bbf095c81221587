import { indentationAt, languageById, nearContext, plaintext, Structure } from "../../syntax/index.ts";
import { getOrInsert } from "../../text/index.ts";
import { type BracketBalance, bracketBalance } from "../fit/bracket-balance.ts";
import { indentOf, widthOf } from "../fit/line-indentation.ts";
import { isJson, type Shape } from "../fit/shape.ts";
import type { SuggestionChange } from "../outcome.ts";
import type { Place } from "../place.ts";

/** What a {@link Trimmer} is made from. */
export interface TrimOptions {
  readonly place: Pick<Place, "prefix" | "suffix" | "lineBefore" | "rest" | "language">;
  readonly shape: Shape;
  /** The most lines. */
  readonly maxLines: number;
  /**
   * Whether a statement begins with the line that begins at `lineStart` of `text`, which ends with
   * that line; called only outside of brackets. `undefined` where that is unknown.
   */
  readonly startsStatement?: ((text: string, lineStart: number) => boolean | undefined) | undefined;
}

/** Where a text is cut, and why. */
export interface TrimmedText {
  readonly text: string;
  readonly changes: readonly SuggestionChange[];
}

/** Where the text ends that has come so far. */
interface Cut {
  readonly end: number;
  readonly change?: SuggestionChange;
}

/**
 * Cuts a text to the shape that its place wants, also while it is still coming.
 *
 * One line ends with the line, in the middle of a line with the first at whose end nothing is open.
 * A statement ends where the next one begins or the text around it continues; a block where what is
 * open around it is closed, or what comes is indented less. What the document leaves open may be
 * closed; what it closes itself may not. All texts have `\n` only.
 */
export class Trimmer {
  readonly #options: TrimOptions;
  /** The result for each line, by the offset of its start. */
  readonly #starts = new Map<number, boolean>();
  readonly #context: string;
  #owed: BracketBalance | undefined;
  /** The start of the last line that {@link isEnough} has tested. */
  #lookedAt = 0;

  constructor(options: TrimOptions) {
    this.#options = options;
    this.#context = nearContext(options.place);
  }

  /**
   * Whether everything behind `text`, the answer so far, would be cut off. `false` in the first
   * line; of a line that is still coming only the first 60 UTF-16 units are tested.
   */
  isEnough(text: string): boolean {
    const lastLine = text.lastIndexOf("\n") + 1;
    if (lastLine === 0) return false;
    // How a line begins may tell, and its end; what comes in between does not.
    const isMiddle = lastLine === this.#lookedAt && text.length > lastLine + maxBeginning;
    this.#lookedAt = lastLine;
    return !isMiddle && this.#cut(text, false) !== undefined;
  }

  /** Whether `text`, the answer so far, has a complete line that {@link trim} keeps. */
  isUsable(text: string): boolean {
    const hasLine = text.slice(0, text.lastIndexOf("\n") + 1).trim() !== "";
    return hasLine && this.trim(text, false).text.trim() !== "";
  }

  /**
   * The part of `text` that has the shape, without white space at its end and, on a blank line,
   * without blank lines at its start; it may be empty.
   *
   * `isWhole` is true if nothing would have followed; else the last line is taken for torn, unless
   * it is the only one. Where the text fills brackets, the rest of the cursor's line is added below
   * it.
   */
  trim(text: string, isWhole: boolean): TrimmedText {
    const { lineBefore } = this.#options.place;
    const start = lineBefore.trim() === "" ? /^(?:[ \t]*\n)*/.exec(text)![0].length : 0;
    const cut = this.#cut(text, isWhole) ?? (isWhole ? { end: text.length } : this.#lastBorder(text));
    const kept = text.slice(start, Math.max(start, cut.end)).trimEnd();
    const closed = kept !== "" && this.#fillsBraces(text) ? this.#closedBelow(kept) : kept;
    return { text: closed.replace(/^\n{3,}/, "\n\n"), changes: cut.change === undefined ? [] : [cut.change] };
  }

  /** Where the text is cut for good, or `undefined` where more of it is wanted. */
  #cut(text: string, isWhole: boolean): Cut | undefined {
    const { place, maxLines } = this.#options;
    const fills = this.#fillsBraces(text);
    const shape = fills ? "block" : this.#options.shape;
    const lines = linesOf(text, isWhole);
    const first = lines.findIndex(({ text: line }) => line.trim() !== "");
    // The text on the line of the cursor is empty when it begins with a line ending; in mid-line
    // that is all, unless it goes between braces.
    if (place.rest.trim() !== "" && first > 0 && !fills) return { end: 0 };
    if (first < 0) return undefined;
    const scan = this.#scan(text);
    // What looks like a closer may be part of a literal that only the rest of its line ends.
    const isSeen = scan.foreignCloser !== undefined && (isWhole || text.includes("\n", scan.foreignCloser));
    const foreign = isSeen ? scan.foreignCloser : undefined;
    const closes = (end: number): Cut | undefined =>
      foreign !== undefined && foreign < end ? { end: foreign, change: "trimmed-at-block" } : undefined;

    if (shape === "line") {
      for (const line of lines.slice(first)) {
        if (!line.isComplete) break;
        const isOpen = place.rest.trim() !== "" && (scan.isOpenAt(line.end) || this.#hasMoreMembers(line.text));
        if (!isOpen) return { end: line.end, ...(text.slice(line.end).trim() !== "" && { change: "trimmed-lines" }) };
        if (line.index - first + 1 >= maxLines) return { end: line.end, change: "trimmed-lines" };
      }
      return undefined;
    }

    const owed = scan.owedCloser;
    const closer = lines.find(({ start, end }) => owed !== undefined && start <= owed && owed <= end);
    const base = this.#baseWidth(lines, first);
    let border: number | undefined;
    for (const line of lines.slice(first + 1)) {
      const before = lines[line.index - 1]!.end;
      const closed = closes(before);
      if (closed !== undefined) return closed;
      // The block is over with the line that closes it.
      if (closer !== undefined && closer.index < line.index) return { end: before, change: "trimmed-at-block" };
      if (closer === line) continue;
      if (scan.isOpenAt(line.start)) {
        if (line.index - first >= maxLines) return { end: border ?? before, change: "trimmed-lines" };
        continue;
      }
      if (line.text.trim() === "") {
        if (line.isComplete && shape === "statement") return { end: before, change: "trimmed-at-statement" };
        continue;
      }
      if (foreign !== undefined && text.slice(line.start, foreign).trim() === "" && foreign >= line.start) {
        return { end: before, change: "trimmed-at-block" };
      }
      const width = widthOf(line.text);
      if (width < base) return { end: before, change: "trimmed-at-block" };
      // Whether it continues the line above is known at its end.
      if (!line.isComplete) break;
      const isBorder = width === base && this.#startsStatement(text, lines[line.index - 1]!, line);
      if (isBorder && shape === "statement") return { end: before, change: "trimmed-at-statement" };
      if (isBorder) border = before;
      if (line.index - first >= maxLines) return { end: border ?? before, change: "trimmed-lines" };
    }
    return closes(text.length);
  }

  /**
   * Whether a line of JSON ends with a comma, so that the member behind it belongs to what is
   * wanted.
   */
  #hasMoreMembers(line: string): boolean {
    return isJson(this.#options.place.language) && /,[ \t]*$/.test(line);
  }

  /**
   * Whether a text gets lines of its own between a brace or bracket before the cursor and closers
   * behind it.
   */
  #fillsBraces(text: string): boolean {
    const { lineBefore, rest } = this.#options.place;
    return /^[ \t]*\n/.test(text) && /[{[][ \t]*$/.test(lineBefore) && /^[ \t]*[}\]][)\]};,\s]*$/.test(rest);
  }

  /**
   * A text with the rest of the cursor's line below it, as if it had been written before that was
   * there.
   */
  #closedBelow(text: string): string {
    const { lineBefore, rest } = this.#options.place;
    return `${text}\n${indentOf(lineBefore)}${rest.trim()}`;
  }

  /** The end of the last line that is complete, outside of all brackets if there is one. */
  #lastBorder(text: string): Cut {
    const scan = this.#scan(text);
    const complete = linesOf(text, false).filter(({ isComplete, text: line }) => isComplete && line.trim() !== "");
    const border = complete.findLast(({ end }) => !scan.isOpenAt(end)) ?? complete[0];
    return border === undefined ? { end: text.length } : { end: border.end, change: "trimmed-lines" };
  }

  /** How far the first statement is indented, in columns. */
  #baseWidth(lines: readonly TextLine[], first: number): number {
    const { lineBefore } = this.#options.place;
    const line = lines[first]!.text;
    return widthOf(first === 0 ? indentOf(lineBefore) + line : line);
  }

  /**
   * Whether a statement begins with `line`, which is complete, and does not go on with the one
   * above.
   */
  #startsStatement(text: string, above: TextLine, line: TextLine): boolean {
    // A comma alone ends what stood before the cursor; the text itself begins behind it.
    if (above.text.trim() === "," && text.slice(0, above.start).trim() === "") return false;
    return getOrInsert(
      this.#starts,
      line.start,
      () =>
        this.#options.startsStatement?.(text.slice(0, line.end), line.start) ??
        !(goesOn.test(line.text) || hangsOn.test(above.text)),
    );
  }

  #scan(text: string): BracketScan {
    const { place } = this.#options;
    return new BracketScan(this.#context, text, place, () => {
      this.#owed ??= bracketBalance(place.prefix + place.suffix, place.language);
      return this.#owed;
    });
  }
}

/**
 * Lines that go on with what is above them, and lines that hang on what is below, in one language
 * or another.
 */
const goesOn =
  /^\s*(?:[)\]}>,.?:|]|<\/|&&|[=+*/%&-]\s|(?:else|elif|elsif|catch|except|finally|rescue|ensure|then|do|done|end|fi|esac|and|or|when|where|instanceof)\b)/;
const hangsOn = /(?:[=+*%&|,?.\\([{]|=>|->)\s*$/;

/**
 * How much of a line, with its indentation, may tell that it is not wanted before it ends. UTF-16
 * units.
 */
const maxBeginning = 60;

const openers: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{", ">": "<" };

/** The brackets of a text behind its context. */
class BracketScan {
  /** Where the text closes what was open before it, and the document closes itself. */
  readonly foreignCloser: number | undefined;
  /** Where it first closes what the document leaves open. */
  readonly owedCloser: number | undefined;
  readonly #structure: Structure;
  readonly #from: number;

  /** `owed` gives the brackets that have no partner in the document. */
  constructor(
    context: string,
    text: string,
    { language, lineBefore }: Pick<Place, "language" | "lineBefore">,
    owed: () => BracketBalance,
  ) {
    this.#structure = Structure.of(context + text, languageById(language) ?? plaintext);
    this.#from = context.length;
    const open = new Map<string, number>();
    const isBlankBefore = lineBefore.trim() === "";
    for (const { offset, partner, text: bracket } of this.#structure.brackets) {
      if (offset < this.#from || (partner === undefined ? !(bracket in openers) : partner >= this.#from)) continue;
      const opener = openers[bracket]!;
      const count = open.get(opener) ?? 0;
      open.set(opener, count + 1);
      const isFirst = isBlankBefore && text.slice(0, offset - this.#from).trim() === "";
      const isAligned = partner === undefined || !isFirst || indentationAt(context, partner) === lineBefore;
      if (isAligned && count < (owed().get(opener) ?? 0)) {
        this.owedCloser ??= offset - this.#from;
        continue;
      }
      this.foreignCloser = offset - this.#from;
      break;
    }
  }

  /**
   * Whether a bracket that the text opened is open at an offset of it, or a string or comment that
   * it began.
   */
  isOpenAt(offset: number): boolean {
    const at = this.#from + offset;
    if (this.#structure.openersBefore(at).some((opener) => opener.offset >= this.#from)) return true;
    const region = this.#structure.regionAt(at);
    // A comment to the line's end is over with it.
    return (
      region !== undefined &&
      region.start >= this.#from &&
      region.start < at &&
      region.kind !== "text" &&
      region.end > at
    );
  }
}

interface TextLine {
  readonly index: number;
  readonly start: number;
  /** In front of its line feed. */
  readonly end: number;
  readonly text: string;
  /** Whether its line feed has come, or nothing will come any more. */
  readonly isComplete: boolean;
}

function linesOf(text: string, isWhole: boolean): TextLine[] {
  let start = 0;
  const parts = text.split("\n");
  return parts.map((line, index) => {
    const end = start + line.length;
    const found = { index, start, end, text: line, isComplete: isWhole || index < parts.length - 1 };
    start = end + 1;
    return found;
  });
}
