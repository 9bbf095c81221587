import {
  beginsWithReasoningTag,
  closesFence,
  type Fence,
  RepeatedLinesAbove,
  readsAsTalk,
  tryReadFence,
  withoutReasoning,
} from "../../answers/index.ts";
import { languageById, plaintext, Structure } from "../../syntax/index.ts";
import type { RegionPlace } from "./region-place.ts";
import type { RegionMarks } from "./region-prompt.ts";

/** A normalization that turned an answer into the text of a region. */
export type RegionChange =
  /** The answer had no fence. */
  | "bare-answer"
  /** Marks of the region were removed. */
  | "cut-marks"
  /** Lines or text that repeat the surroundings of the region were removed. */
  | "cut-echo"
  /** Missing indentation was restored. */
  | "indented"
  /** Superfluous closing brackets at the end were removed. */
  | "cut-closers";

/** The options of a {@link RegionReader}. */
export interface RegionReaderOptions {
  readonly place: RegionPlace;
  readonly marks: RegionMarks;
  /** The id of the language in the registry. */
  readonly language: string;
  /**
   * The text accepted so far: `kept` are the whole lines that the answer continues, `partial` the
   * line that it writes again.
   */
  readonly kept: string;
  readonly partial: string;
  /** Whether an answer without a fence is refused, where no guide distinguishes text from prose. */
  readonly needsFence: boolean;
}

/** The form of an answer at its end. */
export type RegionForm = "whole" | "open-fence" | "no-fence" | "several-fences";

/**
 * Reads the text of a region from an answer, row by row while it streams: the rows inside its
 * fence, without reasoning, region marks and repeated surrounding lines.
 *
 * Prose around the fence is ignored. In prose files a fence may contain other fences; elsewhere a
 * second fence makes the answer ambiguous. Where `needsFence` is false, an answer without a fence
 * is used as it is, unless it begins like a chat reply.
 */
export class RegionReader {
  /** The normalizations so far. */
  readonly changes = new Set<RegionChange>();
  readonly #options: RegionReaderOptions;
  readonly #repeatedLines: RepeatedLinesAbove;
  readonly #isProse: boolean;
  #ahead = "";
  #opening: Fence | undefined;
  /** The row that closed the fence, and the rows after it. */
  #behind: string[] | undefined;
  #isDoubtful = false;
  /** The text so far. */
  #text = "";
  #hasRows = false;
  /**
   * The first line that is not blank, and the blank ones after it, while its indentation is
   * undecided.
   */
  #waiting: string[] | undefined;
  #missing: string | undefined;
  /**
   * The last row of a region within lines, which is held back because its end may repeat the text
   * after the region.
   */
  #last: string | undefined;

  constructor(options: RegionReaderOptions) {
    this.#options = options;
    const { place, language, kept } = options;
    const lines = kept === "" ? [] : kept.slice(0, -1).split("\n");
    this.#repeatedLines = new RepeatedLinesAbove([...place.above, ...lines], kept === "" ? place.old.split("\n") : []);
    this.#isProse = languageById(language)?.isProse === true;
  }

  /**
   * Adds a row of the answer, without its line ending. Returns the text of the region that it
   * releases, with `\n` line endings; often empty, since rows may be held back.
   */
  push(row: string): string {
    const fence = tryReadFence(row);
    if (this.#opening === undefined) {
      this.#ahead += `${row}\n`;
      // Reasoning may contain fences, too.
      if (fence === undefined || !withoutReasoning(this.#ahead).trimEnd().endsWith(row.trimEnd())) return "";
      this.#opening = fence;
      return "";
    }
    if (this.#behind !== undefined) {
      if (fence === undefined) {
        this.#behind.push(row);
        return "";
      }
      if (!this.#isProse) this.#isDoubtful = true;
      if (!this.#isProse || !closesFence(fence, this.#opening)) {
        this.#behind.push(row);
        return "";
      }
      const rows = this.#behind;
      this.#behind = [row];
      return rows.map((held) => this.#take(held)).join("");
    }
    if (fence !== undefined && closesFence(fence, this.#opening)) {
      this.#behind = [row];
      return "";
    }
    return this.#take(row);
  }

  /** Ends the answer. Returns the rest of the text and the form of the answer. */
  end(): { readonly text: string; readonly form: RegionForm } {
    if (this.#isDoubtful) return { text: "", form: "several-fences" };
    if (this.#opening !== undefined) {
      return { text: this.#finish(), form: this.#behind === undefined ? "open-fence" : "whole" };
    }
    const { old, above, below } = this.#options.place;
    // Where lines of the file begin with reasoning tags, such lines belong to the answer.
    const hasTags = [...old.split("\n"), ...above, ...below].some(beginsWithReasoningTag);
    const bare = (hasTags ? this.#ahead : withoutReasoning(this.#ahead)).replace(/^\s*\n/, "").trimEnd();
    const { needsFence } = this.#options;
    if (needsFence || bare === "" || (!this.#isProse && readsAsTalk(bare.split("\n", 1)[0]!)))
      return { text: "", form: "no-fence" };
    this.changes.add("bare-answer");
    const text = bare
      .split("\n")
      .map((row) => this.#take(row))
      .join("");
    return { text: text + this.#finish(), form: "whole" };
  }

  #take(row: string): string {
    const bare = this.#withoutMarks(row);
    if (bare === undefined) return "";
    return this.#repeatedLines
      .push(bare)
      .map((line) => this.#indent(line))
      .join("");
  }

  #finish(): string {
    let rest = this.#repeatedLines
      .end()
      .map((line) => this.#indent(line))
      .join("");
    if (this.#repeatedLines.isCut) this.changes.add("cut-echo");
    if (this.#waiting !== undefined) rest += this.#settleIndentation(undefined);
    if (this.#last !== undefined) {
      const { lineAfter } = this.#options.place;
      let line = this.#last;
      this.#last = undefined;
      if (isDistinctive(lineAfter) && line.endsWith(lineAfter) && !this.#options.place.old.endsWith(lineAfter)) {
        line = line.slice(0, line.length - lineAfter.length);
        this.changes.add("cut-echo");
      }
      rest += this.#write(line);
    }
    return rest;
  }

  #withoutMarks(row: string): string | undefined {
    const { start, end } = this.#options.marks;
    if (!row.includes(start) && !row.includes(end)) return row;
    this.changes.add("cut-marks");
    const bare = row.replaceAll(start, "").replaceAll(end, "");
    return bare.trim() === "" ? undefined : bare;
  }

  /**
   * Releases a line with its missing indentation. The second non-blank line decides whether all
   * lines lack it.
   */
  #indent(line: string): string {
    if (this.#waiting !== undefined) {
      if (line.trim() !== "") return this.#settleIndentation(line);
      this.#waiting.push(line);
      return "";
    }
    const isFirst = !this.#hasRows && line.trim() !== "";
    if (isFirst) {
      this.#hasRows = true;
      this.#missing = this.#tryMissing(line);
      if (this.#missing !== undefined) {
        this.#waiting = [line];
        return "";
      }
      const { lineBefore, old } = this.#options.place;
      if (
        isDistinctive(lineBefore) &&
        line.trimStart().startsWith(lineBefore.trimStart()) &&
        !old.startsWith(lineBefore.trim())
      ) {
        this.changes.add("cut-echo");
        return this.#pass(line.trimStart().slice(lineBefore.trimStart().length));
      }
    }
    return this.#pass(this.#hasRows && this.#missing ? this.#padded(line) : line);
  }

  /**
   * The indentation that the first line lacks, taken from the line in its place before; `undefined`
   * if none.
   */
  #tryMissing(line: string): string | undefined {
    const { place, kept, partial } = this.#options;
    if (!place.isLines || /^\s/.test(line)) return undefined;
    if (kept === "") return indentationOf(place.old);
    const first = /^[^\S\r\n\u2028\u2029]*\S.*/m.exec(kept)?.[0] ?? "";
    if (line.trimEnd() === first.trim()) return indentationOf(first);
    return partial.trim() !== "" && line.startsWith(/^\W*\w*/.exec(partial.trim())![0])
      ? indentationOf(partial)
      : undefined;
  }

  #settleIndentation(next: string | undefined): string {
    const [first, ...blank] = this.#waiting!;
    const missing = this.#missing!;
    this.#waiting = undefined;
    this.changes.add("indented");
    // After a line that opens nothing, the next one has equal depth: if that has the indentation,
    // only the first line lost it.
    const isAlone = next?.startsWith(missing) === true && !/(?:[([{:,=]|=>|\b(?:do|then|else))\s*$/.test(first!);
    const written = [first!, ...blank].map((line) => this.#pass(this.#padded(line))).join("");
    if (isAlone) this.#missing = undefined;
    if (next === undefined) return written;
    return written + this.#pass(isAlone ? next : this.#padded(next));
  }

  /**
   * Adds the missing indentation to a line, except inside a string, where white space is content.
   */
  #padded(line: string): string {
    if (line.trim() === "") return line;
    const structure = Structure.of(this.#text, languageById(this.#options.language) ?? plaintext);
    return structure.isInsideString(this.#text.length) ? line : this.#missing + line;
  }

  #pass(line: string): string {
    if (this.#options.place.isLines) return this.#write(line);
    const written = this.#last === undefined ? "" : this.#write(this.#last);
    this.#last = line;
    return written;
  }

  #isBegun = false;

  #write(line: string): string {
    const text = this.#options.place.endsWithBreak ? `${line}\n` : this.#isBegun ? `\n${line}` : line;
    this.#isBegun = true;
    this.#text += text;
    return text;
  }
}

function indentationOf(text: string): string | undefined {
  return /^[ \t]+(?=\S)/m.exec(/^[^\S\r\n\u2028\u2029]*\S.*/m.exec(text)?.[0] ?? "")?.[0];
}

/** Whether a part of a line is long enough that its repetition is no coincidence. */
function isDistinctive(text: string): boolean {
  return text.trim().length >= 3 && /\w/.test(text);
}
