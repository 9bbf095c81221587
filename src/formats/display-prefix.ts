/**
 * New lines without the numbers of the display in front of them, or `undefined` where they are code as they stand.
 *
 * All of them must have one, and the numbers must count up from the first line of the place, at `start`, from 0. Where
 * the old line begins with such a number itself, as its `opening` tells, it is code.
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
