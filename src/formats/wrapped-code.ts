import { tryReadPathRow } from "./path-row.ts";
import { closesFence, type Fence, tryReadFence } from "./show-file.ts";

/** Code that stands in a fence of its own inside of a block. */
export interface WrappedCode {
  /** The path in a row above the inner fence. */
  readonly path: string | undefined;
  /** The first line of the code, and the one behind its last. */
  readonly start: number;
  readonly end: number;
  /** Whether nothing but blank lines stands behind the inner fence. */
  readonly isAll: boolean;
}

/**
 * What a block of code holds if that is a fence with the code in it, below a row with its path or not, as where a whole
 * answer is put into a fence; `undefined` if it does not begin so, or the inner fence is not closed.
 */
export function tryReadWrapped(lines: readonly string[], known: readonly string[]): WrappedCode | undefined {
  const filled = lines.flatMap((line, i) => (line.trim() === "" ? [] : [i]));
  const [first, second] = filled;
  if (first === undefined) return undefined;
  const path = tryReadFence(lines[first]!) === undefined ? tryReadPathRow(lines[first]!, known) : undefined;
  const start = path === undefined ? first : second;
  const fence = start === undefined ? undefined : tryReadFence(lines[start]!);
  if (start === undefined || fence === undefined) return undefined;
  const end = closingLine(lines, start + 1, fence);
  return end === undefined ? undefined : { path, start: start + 1, end, isAll: end === filled.at(-1) };
}

/** Whether the code is headed by another path than that of the block around it, and so is a sample in its text. */
export function isOfOther({ path }: WrappedCode, blockPath: string | undefined): boolean {
  return path !== undefined && blockPath !== undefined && path !== blockPath;
}

function closingLine(lines: readonly string[], start: number, opening: Fence): number | undefined {
  let depth = 0;
  for (let i = start; i < lines.length; i++) {
    const fence = tryReadFence(lines[i]!);
    if (fence === undefined) continue;
    if (fence.info !== "" && fence.marks.startsWith(opening.marks)) depth++;
    else if (closesFence(fence, opening) && depth-- === 0) return i;
  }
  return undefined;
}

/**
 * Lines of a block without the blanks in front of its fence, as in an item of a list; `undefined` where a line has not all
 * of these.
 */
export function tryOutdent(lines: readonly string[], fenceRow: string): readonly string[] | undefined {
  const [indent] = /^ */.exec(fenceRow)!;
  if (indent === "" || !lines.every((line) => line.trim() === "" || line.startsWith(indent))) return undefined;
  return lines.map((line) => line.slice(indent.length));
}
