import { resolve } from "node:path";
import { blockFinder, type CodeBlock, tryRelativePath } from "../codebase/index.ts";
import { toPortablePath } from "../codebase/node/index.ts";
import type { Lines } from "../text/index.ts";
import { exitCodes } from "./terminal/exit-codes.ts";
import { CommandFailure } from "./terminal/failure.ts";

/** A line of a file, from 1. */
export interface LinePlace {
  readonly path: string;
  readonly line: number;
  readonly typed: string;
}

/**
 * Parses `FILE:LINE`, relative to the working folder. `flag` is the option it was given with, for
 * messages. Throws a {@link CommandFailure} where it is malformed or outside of the workspace.
 */
export function parseLinePlace(
  typed: string,
  { root, workingFolder, flag }: { readonly root: string; readonly workingFolder: string; readonly flag: string },
): LinePlace {
  const match = /^(.+?):(\d+)(?::\d+)?$/s.exec(typed);
  if (match === null || Number(match[2]) === 0) {
    throw usage(`"${typed}" is not FILE:LINE. Write for example ${flag} src/main.ts:12; lines count from 1.`);
  }
  const path = tryRelativePath(root, toPortablePath(resolve(workingFolder, match[1]!)));
  if (path === undefined) throw usage(`${match[1]} is not in the workspace ${root}.`);
  return { path, line: Number(match[2]), typed };
}

/** The innermost block at the first character of a line; `undefined` if there is none. */
export function blockOnLine(blocks: readonly CodeBlock[], lines: Lines, lineIndex: number): CodeBlock | undefined {
  const start = lines.start(lineIndex);
  const text = lines.text(lineIndex);
  return blockFinder(blocks)(start + text.length - text.trimStart().length);
}

function usage(message: string): CommandFailure {
  return new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}
