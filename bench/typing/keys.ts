/**
 * A text as the keys that write it in an editor: a character each, whole where it takes two code
 * units, and a line break with the indentation behind it, which the editor adds by itself.
 */
export function keysOf(text: string): string[] {
  return Array.from(text.matchAll(/\r?\n[ \t]*|[\s\S]/gu), ([key]) => key);
}
