/** The number of terminals that are listed. */
const most = 12;

/**
 * Lists the terminals that are possible at a place, for people: named tokens first, then literals;
 * at most 12 and a count.
 */
export function printTerminals(names: readonly string[]): string {
  const isLiteral = (name: string) => name.startsWith('"');
  const sorted = [...names.filter((name) => !isLiteral(name)), ...names.filter(isLiteral)];
  const rest = sorted.length - most;
  return `${sorted.slice(0, most).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
