import type { LineSplice } from "../formats/index.ts";
import { diffSequences, isSubsequence } from "../text/index.ts";
import { saysSomething } from "./says-something.ts";

/**
 * How the lines of a rewritten window ended.
 *
 * `whole`: the model marked the end, so what it left out is to go. `open`: it said all it wanted and marked no end. `cut`: somebody stopped it.
 */
export type LinesEnd = "whole" | "open" | "cut";

/** How a diff ended: as its lines, or `short` where they are `open` and fewer than there are to compare with, so that what differs is not told. */
export type DiffEnd = LinesEnd | "short";

/** What {@link streamDiff} knows of the window beside its lines. */
export interface StreamDiffOptions {
  /** The window's line that the cursor is on, from 0. If it only grows, that is told at once; no line unless told. */
  readonly cursorLine?: number;
}

/**
 * Reads whole lines of a window as a model writes them anew, and tells each change as soon as it is sure: when
 * two lines that say something agree with the window again, or at the end. The more lines a change would take away, the more must agree.
 *
 * The changes come in the order of the window, and no line is in two of them. All count the window's lines as they were.
 * Lines that the stream does not come to stay, unless its end is `whole`; where it is `cut`, a change that is not sure is
 * not told; where it is `open`, it is told if the stream has at least as many lines as there are to compare with.
 *
 * Laws: of a `whole` stream the changes make the stream's lines of the window. What a stream says when it is cut
 * is how the changes of the whole stream begin, so that a cut takes no line away that would have stayed.
 *
 * Source: the stream diff of VS Code's Copilot extension, without its deleting what a cut stream does not come to.
 */
export async function* streamDiff(
  window: readonly string[],
  lines: AsyncGenerator<string, LinesEnd>,
  { cursorLine }: StreamDiffOptions = {},
): AsyncGenerator<LineSplice, DiffEnd> {
  const diff = new StreamDiff(window, cursorLine);
  // A `for await` would lose what the generator returns; leaving early ends it too.
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
  /** The window's lines before this one are settled. */
  #settled = 0;
  /** The stream's lines behind what is settled, the first of which differs from the window. */
  #fresh: string[] = [];
  /** For each line of the window, how many lines up to it agree with the last fresh ones, and how many of these say something. */
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
    const weight = saysSomething(line) ? 1 : 0;
    this.#agreeing = this.#window.map((known, i) => {
      if (i < this.#settled || known !== line) return none;
      const { lines, weight: sum } = before[i - 1] ?? none;
      return { lines: lines + 1, weight: sum + weight };
    });
  }

  /** The change that the last line makes sure. Of several the one that takes away the fewest lines. */
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

  /** What makes `lines` of the window's lines from those that are settled up to `end`. */
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

/** So many lines that say something have to agree. */
const enough = 2;
