/** The most terminals that are named. */
const most = 12;

/**
 * The terminals that are possible at a place, for a person: named tokens first, then literals;
 * `undefined` where none is known.
 */
export function printExpected(expected: readonly string[]): string | undefined {
  if (expected.length === 0) return undefined;
  const isLiteral = (name: string) => name.startsWith('"');
  const sorted = [...expected.filter((name) => !isLiteral(name)), ...expected.filter(isLiteral)];
  const rest = sorted.length - most;
  return sorted.slice(0, most).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
