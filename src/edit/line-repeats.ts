import type { LineSplice } from "../formats/index.ts";
import { indentationOf } from "./line-habits.ts";

/**
 * Which lines a file has several times in a row: so many blank ones in front of such a line, and others twice.
 *
 * A line that repeats its neighbour is said again by mistake or meant; where the file does the like elsewhere, nothing
 * tells which.
 */
export class LineRepeats {
  readonly #lines: readonly string[];
  /** Without their indentation. */
  readonly #twice: ReadonlySet<string>;
  /** How many blank lines stand in front of each line of a look. */
  readonly #blanks = new Map<string, number[]>();

  /** Looks at the lines of a file. */
  constructor(lines: readonly string[]) {
    this.#lines = lines;
    this.#twice = twiceIn(lines);
    let blanks = 0;
    for (const line of lines) {
      if (isBlank(line)) {
        blanks++;
        continue;
      }
      for (const look of looksOf(line)) {
        const seen = this.#blanks.get(look);
        if (seen === undefined) this.#blanks.set(look, [blanks]);
        else seen.push(blanks);
      }
      blanks = 0;
    }
  }

  /** Whether the file repeats lines as it would where they meet the first or the last line of `splice`; also if none is repeated. */
  knows({ start, end, lines: fresh }: LineSplice, edge: "first" | "last"): boolean {
    const lines = this.#lines;
    const [line = "", next = ""] = edge === "first" ? [lines[start - 1], fresh[0]] : [fresh.at(-1), lines[end]];
    const same = line.trim();
    if (same !== "" && same === next.trim()) return this.#twice.has(same) || twiceIn(fresh).has(same);
    const above = start - 1 - lines.findLastIndex((one, i) => i < start && !isBlank(one));
    const below = lines.findIndex((one, i) => i >= end && !isBlank(one));
    const behind = (below < 0 ? lines.length : below) - end;
    const first = fresh.findIndex((one) => !isBlank(one));
    if (first < 0) return this.#knowsBlanks(above + fresh.length + behind, lines[below]);
    if (edge === "first") return this.#knowsBlanks(above + first, fresh[first]);
    return this.#knowsBlanks(fresh.length - 1 - fresh.findLastIndex((one) => !isBlank(one)) + behind, lines[below]);
  }

  #knowsBlanks(count: number, next: string | undefined): boolean {
    const seen = next === undefined ? [] : looksOf(next).map((look) => this.#blanks.get(look) ?? []);
    const telling = seen.find((counts) => counts.length >= enough);
    return telling === undefined || telling.includes(count);
  }
}

/** So many lines of one look tell how many blank lines stand in front of such. */
const enough = 3;

/** What the blank lines in front of a line may depend on, the closest look first. */
function looksOf(line: string): readonly string[] {
  const column = indentationOf(line);
  const [begin = ""] = /[\p{L}\p{N}_]+|\S/u.exec(line) ?? [];
  return [`${column} ${begin}`, `${column}`, ""];
}

function twiceIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.map((line) => line.trim()).filter((line, i, all) => line !== "" && line === all[i + 1]));
}

function isBlank(line: string): boolean {
  return line.trim() === "";
}
