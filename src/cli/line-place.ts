import { resolve } from "node:path";
import { blockFinder, type CodeBlock, tryRelativePath } from "../codebase/index.ts";
import { toPortablePath } from "../codebase/node/index.ts";
import type { Lines } from "../text/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";

/** A line of a file, from 1. */
export interface LinePlace {
  readonly path: string;
  readonly line: number;
  readonly typed: string;
}

/** Reads `FILE:LINE`, told from the working folder. `flag` is what a person gave it with. Throws a {@link CommandFailure}. */
export function parseLinePlace(
  typed: string,
  { root, workingFolder, flag }: { readonly root: string; readonly workingFolder: string; readonly flag: string },
): LinePlace {
  const match = /^(.+?):(\d+)(?::\d+)?$/s.exec(typed);
  if (match === null || Number(match[2]) === 0) {
    throw usage(`"${typed}" is not FILE:LINE. Write for example ${flag} src/main.ts:12; lines count from 1.`);
  }
  const path = tryRelativePath(root, toPortablePath(resolve(workingFolder, match[1]!)));
  if (path === undefined) throw usage(`${match[1]} does not lie in the workspace ${root}.`);
  return { path, line: Number(match[2]), typed };
}

/** The innermost block that holds something of a line. */
export function blockOnLine(blocks: readonly CodeBlock[], lines: Lines, lineIndex: number): CodeBlock | undefined {
  const start = lines.start(lineIndex);
  const text = lines.text(lineIndex);
  return blockFinder(blocks)(start + text.length - text.trimStart().length);
}

function usage(message: string): CommandFailure {
  return new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}
