import { closingFenceAt, tryReadFence } from "../../answers/index.ts";
import { tryReadPathRow } from "./path-row.ts";

/** Code in a fence of its own inside of a block. */
export interface WrappedCode {
  /** The path in a row above the inner fence. */
  readonly path: string | undefined;
  /** The indexes of the first line of the code and after its last one. */
  readonly start: number;
  readonly end: number;
  /** Whether only blank lines follow the inner fence. */
  readonly isAll: boolean;
}

/**
 * Finds the inner fence of a block that consists of a fence with the code, possibly below a row
 * with its path, as in an answer that is wrapped in a fence; `undefined` if the block begins
 * otherwise, or the inner fence is not closed.
 */
export function tryReadWrapped(lines: readonly string[], known: readonly string[]): WrappedCode | undefined {
  const filled = lines.flatMap((line, i) => (line.trim() === "" ? [] : [i]));
  const [first, second] = filled;
  if (first === undefined) return undefined;
  const path = tryReadFence(lines[first]!) === undefined ? tryReadPathRow(lines[first]!, known) : undefined;
  const start = path === undefined ? first : second;
  const fence = start === undefined ? undefined : tryReadFence(lines[start]!);
  if (start === undefined || fence === undefined) return undefined;
  const end = closingFenceAt(lines, start + 1, fence);
  return end === undefined ? undefined : { path, start: start + 1, end, isAll: end === filled.at(-1) };
}

/**
 * Whether the code has another path than the block around it, and so is a sample in its text;
 * `false` where one of both has no path.
 */
export function isOfOther({ path }: WrappedCode, blockPath: string | undefined): boolean {
  return path !== undefined && blockPath !== undefined && path !== blockPath;
}

/**
 * Removes the indentation of the block's fence from its lines, as in a list item; `undefined` where
 * the fence has none, or a line that is not blank has less.
 */
export function tryOutdent(lines: readonly string[], fenceRow: string): readonly string[] | undefined {
  const [indent] = /^ */.exec(fenceRow)!;
  if (indent === "" || !lines.every((line) => line.trim() === "" || line.startsWith(indent))) return undefined;
  return lines.map((line) => line.slice(indent.length));
}
