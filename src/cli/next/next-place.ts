import type { Lines } from "../../text/index.ts";
import { offsetOfPlace, parsePlace } from "../place.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";

/**
 * A place as typed for `emend next`, counted from 1: the column may be left out, and then the line
 * too.
 */
export interface NextPlace {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * Parses `FILE:LINE:COL`, `FILE:LINE` or `FILE`. Throws a {@link CommandFailure} where it is
 * malformed.
 */
export function parseNextPlace(argument: string): NextPlace {
  if (/:\d+:\d+$/.test(argument)) return parsePlace(argument);
  const match = /^(.+?):(\d+):?$/s.exec(argument);
  if (match === null) {
    if (argument !== "" && !argument.endsWith(":")) return { file: argument };
    throw usage(
      `"${argument}" is not a place. Write for example src/main.ts:12:5, or leave it out for the end of the last edit.`,
    );
  }
  const [, file, line] = match;
  if (Number(line) === 0) throw usage(`"${argument}" counts from 0: lines count from 1.`);
  return { file: file!, line: Number(line) };
}

/**
 * The offset of a place; without a column the end of its line, as after typing it. `undefined`
 * without a line.
 */
export function offsetOfNextPlace(lines: Lines, { file, line, column }: NextPlace): number | undefined {
  if (line === undefined) return undefined;
  if (column !== undefined) return offsetOfPlace(lines, { file, line, column });
  const start = offsetOfPlace(lines, { file, line, column: 1 });
  return Math.max(start, lines.end(line - 1));
}

function usage(message: string): CommandFailure {
  return new CommandFailure("bad-place", message, { exitCode: exitCodes.usage });
}
