/** Names the lines from `start` up to `end`, from 0, by numbers from 1, such as `Lines 3 to 5`. */
export function nameLines(start: number, end: number): string {
  if (end <= start) return `The lines around line ${start + 1}`;
  return end === start + 1 ? `Line ${end}` : `Lines ${start + 1} to ${end}`;
}

/** Lists line indexes as numbers from 1, such as `3, 8 and 12`; after five, the rest as a count. */
export function listLines(lines: readonly number[]): string {
  const shown = lines.slice(0, 5).map((line) => `${line + 1}`);
  if (lines.length > 5) return `${shown.join(", ")} and ${lines.length - 5} more`;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
