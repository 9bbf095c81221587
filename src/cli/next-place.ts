import type { Lines } from "../text/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { offsetOfPlace, parsePlace } from "./place.ts";

/** A place as a person types it for `emend next`: the column may be left out, and then the line too. They count from 1. */
export interface NextPlace {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** Reads `FILE:LINE:COL`, `FILE:LINE` or `FILE`. Throws a {@link CommandFailure} that says what is wrong with it. */
export function parseNextPlace(argument: string): NextPlace {
  if (/:\d+:\d+$/.test(argument)) return parsePlace(argument);
  const match = /^(.+?):(\d+):?$/s.exec(argument);
  if (match === null) {
    if (argument !== "" && !argument.endsWith(":")) return { file: argument };
    throw usage(
      `"${argument}" is no place. Write for example src/main.ts:12:5, or leave it out for the place that was edited last.`,
    );
  }
  const [, file, line] = match;
  if (Number(line) === 0) throw usage(`"${argument}" counts from 0: lines count from 1.`);
  return { file: file!, line: Number(line) };
}

/** The offset of a place: without a column the end of its line, where a cursor stands that has written it. */
export function offsetOfNextPlace(lines: Lines, { file, line, column }: NextPlace): number | undefined {
  if (line === undefined) return undefined;
  if (column !== undefined) return offsetOfPlace(lines, { file, line, column });
  const start = offsetOfPlace(lines, { file, line, column: 1 });
  return Math.max(start, lines.end(line - 1));
}

function usage(message: string): CommandFailure {
  return new CommandFailure("bad-place", message, { exitCode: exitCodes.usage });
}
