/** The name in the tag that begins at `start` of a text; empty for a fragment of JSX. */
export function tagName(text: string, start: number): string {
  const name = /<\/?([\p{L}\p{N}_$.:-]*)/uy;
  name.lastIndex = start;
  return name.exec(text)?.[1] ?? "";
}
