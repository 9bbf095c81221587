/**
 * The name of a model without the URL of its server: the text after the `#`.
 */
export function shortModelName(name: string): string {
  const mark = name.indexOf("#");
  return name.slice(0, Math.max(mark, 0)).includes("://") ? name.slice(mark + 1) : name;
}
