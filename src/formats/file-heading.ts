/**
 * The path that a row outside of fences names, as in `# src/a.ts`, `**src/a.ts**` or `` `src/a.ts`: ``.
 *
 * A path that was shown is known in any dress; another one must look like a path: without blanks, with a folder or an
 * extension.
 */
export function tryReadPathRow(row: string, paths: readonly string[]): string | undefined {
  const [, text] = /^\s*(?:#{1,6}\s+|[-*]\s+)?(?:(?:file|path)\s*:\s*)?(.+?)\s*:?\s*$/i.exec(row) ?? [];
  if (text === undefined) return undefined;
  const path = undressed(text);
  if (paths.includes(path)) return path;
  return /^[^\s`*"'<>|()[\]{};,=]+$/.test(path) && /.\/.|\w\.[a-z]\w{0,9}$/i.test(path) ? path : undefined;
}

/** The path that stands behind the language of a fence, as in `ts src/a.ts` or `ts:src/a.ts`, if it was shown. */
export function tryReadPathInFence(info: string, paths: readonly string[]): string | undefined {
  return paths.find((path) => info === path || (info.endsWith(path) && /[\s:="]$/.test(info.slice(0, -path.length))));
}

/** Text without the marks of Markdown around it. */
function undressed(text: string): string {
  const [, inner] = /^(?:\*\*|__|`|")(.+?):?(?:\*\*|__|`|")$/s.exec(text) ?? [];
  return inner === undefined ? text : undressed(inner);
}
