import { resolve } from "node:path";
import { blockFinder, type CodeBlock } from "../analysis/index.ts";
import type { Lines } from "../text/index.ts";
import { tryRelativePath } from "../workspace/index.ts";
import { toPortablePath } from "../workspace/node/index.ts";
import { exitCodes } from "./terminal/exit-codes.ts";
import { badPlace, CommandFailure } from "./terminal/failure.ts";

/** A place as typed. Line and column count from 1, columns in UTF-16 code units. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Parses `FILE:LINE:COL`, counted from 1. /The last two colons count, so that drives and names with
 * colons work. Throws a {@link CommandFailure} where it is malformed.
 */
export function parsePlace(argument: string): Place {
  const match = /^(.+):(\d+):(\d+)$/s.exec(argument);
  if (match === null) {
    const isShort = /^.+:\d+:?$/s.test(argument) && !/:[^:\\/]*:\d+:?$/.test(argument);
    const rest = isShort ? "it has no column" : "it does not end with a line and a column";
    throw badPlace(`"${argument}" is not FILE:LINE:COL: ${rest}. Write for example src/main.ts:12:5.`);
  }
  const [, file, line, column] = match;
  if (Number(line) === 0 || Number(column) === 0) {
    throw badPlace(`"${argument}" counts from 0: lines and columns count from 1.`);
  }
  return { file: file!, line: Number(line), column: Number(column) };
}

/**
 * The offset of a place in the text of its file, in UTF-16 code units. Line and column count from
 * 1; a byte order mark is no column. Throws a {@link CommandFailure} with code `outside-text` when
 * it is outside.
 */
export function offsetOfPlace(lines: Lines, { file, line, column }: Place): number {
  const outside = (message: string) => new CommandFailure("outside-text", message, { exitCode: exitCodes.outsideText });
  if (line > lines.count) {
    const size = lines.count === 1 ? "1 line" : `${lines.count} lines`;
    throw outside(`Line ${line} is outside of ${file}, which has ${size}. Give a line from 1 to ${lines.count}.`);
  }
  const index = line - 1;
  // A byte order mark is invisible and is no column.
  const start = lines.start(index) + (index === 0 && lines.hasByteOrderMark ? 1 : 0);
  const length = lines.end(index) - start;
  if (column > length + 1) {
    const size = length === 0 ? "is empty" : `has ${length} UTF-16 units`;
    throw outside(
      `Column ${column} is outside of line ${line} of ${file}, which ${size}. Give a column from 1 to ${length + 1}.`,
    );
  }
  return start + column - 1;
}

/** A line of a file, from 1. */
export interface LinePlace {
  readonly path: string;
  readonly line: number;
  readonly typed: string;
}

/**
 * Parses `FILE:LINE`, counted from 1 and relative to the working folder; a column behind it is
 * ignored. The path of the result is relative to `root`./ `flag` is the option it was given with,
 * for messages. Throws a {@link CommandFailure} where it is malformed or outside of the workspace.
 */
export function parseLinePlace(
  typed: string,
  { root, workingFolder, flag }: { readonly root: string; readonly workingFolder: string; readonly flag: string },
): LinePlace {
  const match = /^(.+?):(\d+)(?::\d+)?$/s.exec(typed);
  if (match === null || Number(match[2]) === 0) {
    throw linePlaceUsage(`"${typed}" is not FILE:LINE. Write for example ${flag} src/main.ts:12; lines count from 1.`);
  }
  const path = tryRelativePath(root, toPortablePath(resolve(workingFolder, match[1]!)));
  if (path === undefined) throw linePlaceUsage(`${match[1]} is not in the workspace ${root}.`);
  return { path, line: Number(match[2]), typed };
}

/**
 * The innermost block at the first character of a line that is not white space; `undefined` if
 * there is none. `lineIndex` counts from 0. Throws `EmendError` `out-of-bounds` where the text has
 * no such line.
 */
export function blockOnLine(blocks: readonly CodeBlock[], lines: Lines, lineIndex: number): CodeBlock | undefined {
  const start = lines.start(lineIndex);
  const text = lines.text(lineIndex);
  return blockFinder(blocks)(start + text.length - text.trimStart().length);
}

function linePlaceUsage(message: string): CommandFailure {
  return new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}
