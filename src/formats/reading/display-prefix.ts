/**
 * Removes copied line numbers from new lines; `undefined` where the lines are code as they are.
 *
 * All lines must have one, counting up from the first line of the place at `start`, from 0. Where
 * the old line itself begins with such a number, according to its `opening`, the numbers are code.
 */
export function takeDisplayPrefixes(
  lines: readonly string[],
  start: number,
  opening: string | undefined,
): readonly string[] | undefined {
  const number = `${start + 1}`;
  if (opening?.startsWith(number)) return undefined;
  const stripped = lines.map((line, i) => tryStrip(line, start + 1 + i));
  return stripped.every((line) => line !== undefined) ? stripped : undefined;
}

function tryStrip(line: string, number: number): string | undefined {
  const prefix = `${number}`;
  return line.startsWith(prefix) && /^[\t:]/.test(line.slice(prefix.length))
    ? line.slice(prefix.length + 1)
    : undefined;
}
