import { closesFence, type Fence, tryReadFence, withoutThoughts } from "../formats/index.ts";
import { readsAsTalk } from "../model/index.ts";
import { languageById, plaintext, Structure } from "../syntax/index.ts";
import { EchoAbove } from "./echo-above.ts";
import type { RegionPlace } from "./region-place.ts";
import type { RegionMarks } from "./region-prompt.ts";

/** What was done to an answer to make it the text of a region. */
export type RegionChange =
  /** It had no fence around it. */
  | "bare-answer"
  /** The marks of the region were taken off. */
  | "cut-marks"
  /** It began with what stands above the region, or ended with what stands below it; that was left out. */
  | "cut-echo"
  /** Its lines were written without the indentation of their place; they got it back. */
  | "indented"
  /** Closing brackets at its end closed nothing; they were left out. */
  | "cut-closers";

/** How a {@link RegionReader} is made. */
export interface RegionReaderOptions {
  readonly place: RegionPlace;
  readonly marks: RegionMarks;
  /** The language's id in the registry. */
  readonly language: string;
  /** What is written already of the region: whole lines that the answer goes on from, and the line that it writes anew. */
  readonly kept: string;
  readonly partial: string;
  /** Whether an answer without a fence is none: where nothing else tells text from talk. */
  readonly needsFence: boolean;
}

/** How an answer ended, as far as its form goes. */
export type RegionForm = "whole" | "open-fence" | "no-fence" | "several-fences";

/**
 * Reads the text of a region out of an answer, row by row, while it comes: the rows in its fence, without thoughts, marks and
 * lines around the region that are said again.
 *
 * Words around the fence are left out. In prose a fence may hold others; elsewhere a second one makes it unsure which is
 * meant. An answer without any is taken as it is where that may be, unless it begins as models speak to people.
 */
export class RegionReader {
  /** What was done so far. */
  readonly changes = new Set<RegionChange>();
  readonly #options: RegionReaderOptions;
  readonly #echo: EchoAbove;
  readonly #isProse: boolean;
  #ahead = "";
  #opening: Fence | undefined;
  /** The row that closed the fence, and what came behind it. */
  #behind: string[] | undefined;
  #isDoubtful = false;
  /** The text so far. */
  #text = "";
  #hasRows = false;
  /** The first line that says something, and blank ones before it, while its indentation is in doubt. */
  #waiting: string[] | undefined;
  #missing: string | undefined;
  /** Of a region inside of lines the last row, whose end may be said again. */
  #last: string | undefined;

  constructor(options: RegionReaderOptions) {
    this.#options = options;
    const { place, language, kept } = options;
    const lines = kept === "" ? [] : kept.slice(0, -1).split("\n");
    this.#echo = new EchoAbove([...place.above, ...lines], kept === "" ? place.old.split("\n") : []);
    this.#isProse = language === "markdown" || language === "plaintext";
  }

  /** Takes a row of the answer. Gives what the text of the region goes on with. */
  push(row: string): string {
    const fence = tryReadFence(row);
    if (this.#opening === undefined) {
      this.#ahead += `${row}\n`;
      // What a model thinks aloud may hold fences, too.
      if (fence === undefined || !withoutThoughts(this.#ahead).trimEnd().endsWith(row.trimEnd())) return "";
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

  /** Takes the end of the answer. Gives the rest of the text, and in which form it came. */
  end(): { readonly text: string; readonly form: RegionForm } {
    if (this.#isDoubtful) return { text: "", form: "several-fences" };
    if (this.#opening !== undefined) {
      return { text: this.#finish(), form: this.#behind === undefined ? "open-fence" : "whole" };
    }
    const bare = withoutThoughts(this.#ahead)
      .replace(/^\s*\n/, "")
      .trimEnd();
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
    return this.#echo
      .push(bare)
      .map((line) => this.#indent(line))
      .join("");
  }

  #finish(): string {
    let rest = this.#echo
      .end()
      .map((line) => this.#indent(line))
      .join("");
    if (this.#echo.isCut) this.changes.add("cut-echo");
    if (this.#waiting !== undefined) rest += this.#settleIndentation(undefined);
    if (this.#last !== undefined) {
      const { lineAfter } = this.#options.place;
      let line = this.#last;
      this.#last = undefined;
      if (saysSomething(lineAfter) && line.endsWith(lineAfter) && !this.#options.place.old.endsWith(lineAfter)) {
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

  /** Passes a line on with the indentation that it lacks. Whether all lack it is told by the second line that says something. */
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
        saysSomething(lineBefore) &&
        line.trimStart().startsWith(lineBefore.trimStart()) &&
        !old.startsWith(lineBefore.trim())
      ) {
        this.changes.add("cut-echo");
        return this.#pass(line.trimStart().slice(lineBefore.trimStart().length));
      }
    }
    return this.#pass(this.#hasRows && this.#missing ? this.#padded(line) : line);
  }

  /** The indentation that the first line lacks, by the line that stood in its place. */
  #tryMissing(line: string): string | undefined {
    const { place, kept, partial } = this.#options;
    if (!place.isLines || /^\s/.test(line)) return undefined;
    if (kept === "") return indentationOf(place.old);
    const first = /^.*\S.*$/m.exec(kept)?.[0] ?? "";
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
    // A line that opens nothing is followed by one as deep: where that has the indentation, the first alone lost it.
    const isAlone = next?.startsWith(missing) === true && !/(?:[([{:,=]|=>|\b(?:do|then|else))\s*$/.test(first!);
    const written = [first!, ...blank].map((line) => this.#pass(this.#padded(line))).join("");
    if (isAlone) this.#missing = undefined;
    if (next === undefined) return written;
    return written + this.#pass(isAlone ? next : this.#padded(next));
  }

  /** A line with the indentation that all lack, unless it stands in a string, whose blanks are its own. */
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
  return /^[ \t]+(?=\S)/m.exec(/^.*\S.*$/m.exec(text)?.[0] ?? "")?.[0];
}

/** Whether a part of a line is long enough that it does not stand there twice by chance. */
function saysSomething(text: string): boolean {
  return text.trim().length >= 3 && /\w/.test(text);
}
