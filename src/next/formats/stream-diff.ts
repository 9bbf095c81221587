import { hasWords } from "../../answers/index.ts";
import type { LineSplice } from "../../formats/index.ts";
import { diffSequences, isSubsequence } from "../../text/index.ts";

/**
 * How the lines of a rewritten window ended.
 *
 * `whole`: the model marked the end, so lines that it left out are deleted. `open`: it finished
 * without an end marker. `cut`: the answer was stopped.
 */
export type LinesEnd = "whole" | "open" | "cut";

/**
 * How a diff ended: as its lines did, or `short` where they are `open` and fewer than the lines to
 * compare with, so that the differences are not yielded.
 */
export type DiffEnd = LinesEnd | "short";

/** Options of {@link streamDiff}. */
export interface StreamDiffOptions {
  /**
   * The window's line with the cursor, from 0. A change that only inserts in it is yielded at once.
   * Default: no line.
   */
  readonly cursorLine?: number;
}

/**
 * Reads whole lines of a window as a model rewrites them, and yields each change as soon as it is
 * certain: when two lines with words agree with the window again, or at the end. The more lines a
 * change deletes, the more must agree. In line `cursorLine` of the window, from 0, a change that
 * only inserts is yielded at once.
 *
 * The changes are in the order of the window, and no line is in two of them. All count the window's
 * original lines, from 0. Lines that the stream does not reach stay, unless its end is `whole`.
 * Returns how the lines ended. Where that is `cut`, an uncertain change is not yielded; where it is
 * `open`, it is yielded if the stream has at least as many lines as there are to compare with, and
 * otherwise the end is `short`.
 *
 * Laws: the changes of a `whole` stream turn the window into the stream's lines. The changes of a
 * cut stream are the first ones of the whole stream, so a cut deletes no line that would have
 * stayed.
 *
 * Source: the stream diff of VS Code's Copilot extension, without deleting the lines that a cut
 * stream does not reach.
 */
export async function* streamDiff(
  window: readonly string[],
  lines: AsyncGenerator<string, LinesEnd>,
  { cursorLine }: StreamDiffOptions = {},
): AsyncGenerator<LineSplice, DiffEnd> {
  const diff = new StreamDiff(window, cursorLine);
  // A `for await` would lose the generator's return value; leaving early ends it too.
  try {
    for (;;) {
      const next = await lines.next();
      if (!next.done) {
        yield* diff.push(next.value);
        continue;
      }
      const end = next.value === "open" && diff.isShort ? "short" : next.value;
      if (end === "whole" || end === "open") yield* diff.end();
      return end;
    }
  } finally {
    await lines.return("cut");
  }
}

/** The state of {@link streamDiff}: how far the window agrees, and the lines since then. */
class StreamDiff {
  readonly #window: readonly string[];
  readonly #cursorLine: number | undefined;
  /** The window's lines before this index are settled. */
  #settled = 0;
  /** The stream's lines after the settled ones; the first differs from the window. */
  #fresh: string[] = [];
  /**
   * For each line of the window, how many lines up to it agree with the last fresh ones, and how
   * many of these contain words.
   */
  #agreeing: readonly Agreement[] = [];

  constructor(window: readonly string[], cursorLine: number | undefined) {
    this.#window = window;
    this.#cursorLine = cursorLine;
  }

  push(line: string): readonly LineSplice[] {
    if (this.#fresh.length === 0 && this.#settled < this.#window.length) {
      const known = this.#window[this.#settled]!;
      const isSame = known === line;
      if (isSame || (this.#settled === this.#cursorLine && isSubsequence(known, line))) {
        const start = this.#settled++;
        return isSame ? [] : [{ start, end: start + 1, lines: [line] }];
      }
    }
    this.#fresh.push(line);
    this.#agree(line);
    return this.#settle();
  }

  /** Whether fewer lines came than there are to compare with. */
  get isShort(): boolean {
    return this.#fresh.length < this.#window.length - this.#settled;
  }

  end(): readonly LineSplice[] {
    return this.#changes(this.#window.length, this.#fresh);
  }

  #agree(line: string): void {
    const before = this.#agreeing;
    const weight = hasWords(line) ? 1 : 0;
    this.#agreeing = this.#window.map((known, i) => {
      if (i < this.#settled || known !== line) return none;
      const { lines, weight: sum } = before[i - 1] ?? none;
      return { lines: lines + 1, weight: sum + weight };
    });
  }

  /**
   * The changes that the last line makes certain; of several possibilities those that delete the
   * fewest lines.
   */
  #settle(): readonly LineSplice[] {
    for (let i = this.#settled; i < this.#window.length; i++) {
      const { lines, weight } = this.#agreeing[i]!;
      const end = i + 1 - lines;
      const lost = end - this.#settled - (this.#fresh.length - lines);
      if (weight < Math.max(enough, lost)) continue;
      const changes = this.#changes(end, this.#fresh.slice(0, this.#fresh.length - lines));
      this.#settled = i + 1;
      this.#fresh = [];
      this.#agreeing = [];
      return changes;
    }
    return [];
  }

  /** The changes that turn the window's lines from the settled ones up to `end` into `lines`. */
  #changes(end: number, lines: readonly string[]): readonly LineSplice[] {
    const from = this.#settled;
    return diffSequences(this.#window.slice(from, end), lines).map((change) => ({
      start: from + change.beforeStart,
      end: from + change.beforeEnd,
      lines: lines.slice(change.afterStart, change.afterEnd),
    }));
  }
}

interface Agreement {
  readonly lines: number;
  readonly weight: number;
}

const none: Agreement = { lines: 0, weight: 0 };

/** How many lines with words must agree. */
const enough = 2;
