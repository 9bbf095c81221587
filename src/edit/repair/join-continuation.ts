import { closesFence, type Fence, tryReadFence } from "../../formats/index.ts";

/** An answer that was cut off, and the text with which the model continued it. */
export interface ContinuedAnswer {
  /** The whole rows of the answer, each with its line ending. */
  readonly rows: string;
  /** The continuation. */
  readonly next: string;
}

/**
 * Joins a cut-off answer and its continuation into the answer that the model would have written in
 * one piece.
 *
 * The model was asked to continue after the last whole row. Models start over instead, repeat their
 * last rows, or reopen a fence that is open already. Each is recognized by at least two rows, or by
 * the fence, so that code which repeats a row by chance is kept.
 */
export function joinContinuation({ rows, next }: ContinuedAnswer): string {
  const earlier = rows.split("\n").slice(0, -1);
  const continuation = next.split("\n");
  const start = continuation.findIndex((row) => row.trim() !== "");
  if (start < 0) return rows + next;
  if (startsOver(earlier, continuation.slice(start))) return continuation.slice(start).join("\n");
  const open = openFence(earlier);
  const fence = tryReadFence(continuation[start]!);
  const opensAgain = open !== undefined && fence !== undefined && !closesFence(fence, open);
  const unfenced = opensAgain ? continuation.slice(start + 1) : continuation;
  return rows + unfenced.slice(repeated(earlier, unfenced)).join("\n");
}

/** The fence that is still open after the rows; `undefined` if none. */
function openFence(rows: readonly string[]): Fence | undefined {
  let open: Fence | undefined;
  for (const row of rows) {
    const fence = tryReadFence(row);
    if (fence === undefined) continue;
    if (open === undefined) open = fence;
    else if (closesFence(fence, open)) open = undefined;
  }
  return open;
}

/** Whether `coming` begins with the same two rows as the answer, or with its only row. */
function startsOver(earlier: readonly string[], continuation: readonly string[]): boolean {
  const [first, second] = earlier.filter((row) => row.trim() !== "");
  const [firstNow, secondNow] = continuation.filter((row) => row.trim() !== "");
  if (first === undefined || first !== firstNow) return false;
  return second === undefined || second === secondNow;
}

/**
 * The number of first rows of `coming` that repeat the last rows of `had`; at least two, one of
 * them with a word, else 0.
 */
function repeated(earlier: readonly string[], continuation: readonly string[]): number {
  for (let count = Math.min(earlier.length, continuation.length - 1); count >= 2; count--) {
    const last = earlier.slice(-count);
    if (!last.every((row, i) => row === continuation[i])) continue;
    return last.some((row) => /\w{3}/.test(row)) ? count : 0;
  }
  return 0;
}
