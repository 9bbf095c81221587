import { closesFence, type Fence, tryReadFence } from "../formats/index.ts";

/** An answer that was cut off, and what the model wrote when it was asked to go on. */
export interface ContinuedAnswer {
  /** The whole rows of the answer, each with its line ending. */
  readonly rows: string;
  /** What came then. */
  readonly next: string;
}

/**
 * The answer as the model would have written it at once.
 *
 * It was asked to go on behind the last whole row. Models begin anew instead, write their last rows once more, or open a
 * fence that is open already; each is told by two rows at least, or by the fence, so that code which repeats a row by
 * chance stays.
 */
export function joinContinuation({ rows, next }: ContinuedAnswer): string {
  const had = rows.split("\n").slice(0, -1);
  const coming = next.split("\n");
  const start = coming.findIndex((row) => row.trim() !== "");
  if (start < 0) return rows + next;
  if (startsAnew(had, coming.slice(start))) return coming.slice(start).join("\n");
  const open = openFence(had);
  const fence = tryReadFence(coming[start]!);
  const opensAgain = open !== undefined && fence !== undefined && !closesFence(fence, open);
  const unfenced = opensAgain ? coming.slice(start + 1) : coming;
  return rows + unfenced.slice(repeated(had, unfenced)).join("\n");
}

/** The fence in which the rows end, if one is open there. */
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

/** Whether `coming` begins as the answer did. Its first two rows must, or its only one. */
function startsAnew(had: readonly string[], coming: readonly string[]): boolean {
  const [first, second] = had.filter((row) => row.trim() !== "");
  const [firstNow, secondNow] = coming.filter((row) => row.trim() !== "");
  if (first === undefined || first !== firstNow) return false;
  return second === undefined || second === secondNow;
}

/** How many of the first rows of `coming` are the last ones of `had`, if these are two or more that say something. */
function repeated(had: readonly string[], coming: readonly string[]): number {
  for (let count = Math.min(had.length, coming.length - 1); count >= 2; count--) {
    const last = had.slice(-count);
    if (!last.every((row, i) => row === coming[i])) continue;
    return last.some((row) => /\w{3}/.test(row)) ? count : 0;
  }
  return 0;
}
