/** One replacement: `[start, end)` in UTF-16 units of the text before. */
export interface SmallestEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The single replacement that keeps the longest common prefix and suffix; `undefined` for equal
 * texts.
 */
export function smallestEdit(before: string, after: string): SmallestEdit | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail += 1;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}
