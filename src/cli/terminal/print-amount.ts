/** A count with its noun, which gets an `s` unless the count is 1: `1 file`, `1,204 files`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** A size in decimal units: `812 bytes`, `3.1 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return countText(bytes, "byte");
  const [unit, size] = bytes < 1e6 ? ["kB", 1e3] : bytes < 1e9 ? ["MB", 1e6] : ["GB", 1e9];
  return `${(bytes / Number(size)).toFixed(1)} ${unit}`;
}

/** A duration in milliseconds as text: `80 ms`, or `2.4 s` from one second on. */
export function secondsText(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/**
 * Names as a list for people: `a, b and c`; from six names on the last ones are counted. `nothing`
 * without names.
 */
export function listed(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} more`] : names;
  return shown.length < 2 ? (shown[0] ?? "nothing") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
