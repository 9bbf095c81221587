import type { Lines, TextRange } from "../../text/index.ts";
import { offsetOfPlace } from "../place.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";

/**
 * A hole as typed: `LINE:COL`, or `LINE:COL-LINE:COL` for text that is replaced. Counted from 1.
 */
export interface HolePlaces {
  readonly start: HolePlace;
  readonly end: HolePlace;
}

interface HolePlace {
  readonly line: number;
  readonly column: number;
}

/** Parses the value of `--at`. Throws a {@link CommandFailure} where it is malformed. */
export function parseHole(text: string): HolePlaces {
  const match = /^(\d+):(\d+)(?:-(\d+):(\d+))?$/.exec(text.trim());
  if (match === null)
    throw usage(`"${text}" is not LINE:COL or LINE:COL-LINE:COL. Write for example 12:5 or 12:5-14:1.`);
  const [line, column, endLine = line, endColumn = column] = match.slice(1).map((part) => part && Number(part)) as [
    number,
    number,
    number?,
    number?,
  ];
  if ([line, column, endLine, endColumn].includes(0)) {
    throw usage(`"${text}" counts from 0: lines and columns count from 1.`);
  }
  return { start: { line, column }, end: { line: endLine!, column: endColumn! } };
}

/** Parses several holes, separated by commas. */
export function parseHoles(text: string): readonly HolePlaces[] {
  return text.split(",").map(parseHole);
}

/**
 * The ranges of holes in a text, in UTF-16 code units, in the order of the text. Throws a {@link
 * CommandFailure} for one that is outside, ends before it starts, or touches another.
 */
export function rangesOfHoles(lines: Lines, file: string, holes: readonly HolePlaces[]): readonly TextRange[] {
  const ranges = holes.map(({ start, end }) => ({
    start: offsetOfPlace(lines, { file, ...start }),
    end: offsetOfPlace(lines, { file, ...end }),
  }));
  for (const [index, range] of ranges.entries()) {
    if (range.end < range.start) throw usage(`The hole ${printHole(holes[index]!)} ends before it starts.`);
  }
  const sorted = [...ranges].sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [index, range] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next !== undefined && next.start <= range.end) {
      throw usage("Two of the holes overlap or touch. Give holes with some text between.");
    }
  }
  return sorted;
}

function printHole({ start, end }: HolePlaces): string {
  return `${start.line}:${start.column}-${end.line}:${end.column}`;
}

function usage(message: string): CommandFailure {
  return new CommandFailure("bad-place", message, { exitCode: exitCodes.usage });
}
