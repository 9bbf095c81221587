/** How many terminals are named. */
const most = 12;

/** What could stand at a place, in words: tokens with names first, then what stands for itself. */
export function printTerminals(names: readonly string[]): string {
  const isLiteral = (name: string) => name.startsWith('"');
  const sorted = [...names.filter((name) => !isLiteral(name)), ...names.filter(isLiteral)];
  const rest = sorted.length - most;
  return `${sorted.slice(0, most).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
