/**
 * A model's name without the address of its server, which says little to a person: the text behind
 * the `#`.
 */
export function shortModelName(name: string): string {
  const mark = name.indexOf("#");
  return name.slice(0, Math.max(mark, 0)).includes("://") ? name.slice(mark + 1) : name;
}
