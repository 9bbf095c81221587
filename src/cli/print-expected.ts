/** How many terminals are named. */
const most = 12;

/**
 * What might stand at a place, in words for a person: tokens with names first, then what stands for itself; `undefined`
 * where nothing is known.
 */
export function printExpected(expected: readonly string[]): string | undefined {
  if (expected.length === 0) return undefined;
  const isLiteral = (name: string) => name.startsWith('"');
  const sorted = [...expected.filter((name) => !isLiteral(name)), ...expected.filter(isLiteral)];
  const rest = sorted.length - most;
  return sorted.slice(0, most).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
