/** Names as a list for people: `a, b and c`; from six names on the last ones are counted. */
export function listed(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} more`] : names;
  return shown.length < 2 ? (shown[0] ?? "nothing") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
