import type { LineSplice } from "../../formats/index.ts";
import { addToGroup } from "../../text/index.ts";
import { indentationOf } from "./line-transitions.ts";

/**
 * Counts how a file repeats lines: how many blank lines precede lines of a kind, and which other
 * lines occur twice in a row.
 *
 * A line that repeats its neighbour is a mistake or intended; where the file does the same
 * elsewhere, the two cannot be distinguished.
 */
export class LineRepeats {
  readonly #lines: readonly string[];
  /** Lines without their indentation. */
  readonly #twice: ReadonlySet<string>;
  /** For each line pattern, the number of blank lines in front of each of its lines. */
  readonly #blanks = new Map<string, number[]>();

  /** Counts the repetitions in the lines of a file. */
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
        addToGroup(this.#blanks, look, blanks);
      }
      blanks = 0;
    }
  }

  /**
   * Whether the file also repeats lines elsewhere as it would at the first or last edge of
   * `splice`; true as well if nothing is repeated there.
   */
  isUsual({ start, end, lines: fresh }: LineSplice, edge: "first" | "last"): boolean {
    const lines = this.#lines;
    const [line = "", next = ""] = edge === "first" ? [lines[start - 1], fresh[0]] : [fresh.at(-1), lines[end]];
    const same = line.trim();
    if (same !== "" && same === next.trim()) return this.#twice.has(same) || twiceIn(fresh).has(same);
    const above = start - 1 - lines.findLastIndex((one, i) => i < start && !isBlank(one));
    const below = lines.findIndex((one, i) => i >= end && !isBlank(one));
    const behind = (below < 0 ? lines.length : below) - end;
    const first = fresh.findIndex((one) => !isBlank(one));
    if (first < 0) return this.#isUsualBlankCount(above + fresh.length + behind, lines[below]);
    if (edge === "first") return this.#isUsualBlankCount(above + first, fresh[first]);
    return this.#isUsualBlankCount(
      fresh.length - 1 - fresh.findLastIndex((one) => !isBlank(one)) + behind,
      lines[below],
    );
  }

  #isUsualBlankCount(count: number, next: string | undefined): boolean {
    const seen = next === undefined ? [] : looksOf(next).map((look) => this.#blanks.get(look) ?? []);
    const significant = seen.find((counts) => counts.length >= enough);
    return significant === undefined || significant.includes(count);
  }
}

/** The number of lines of one pattern from which their blank lines are predicted. */
const enough = 3;

/** The patterns of a line that the blank lines before it may depend on, most specific first. */
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
