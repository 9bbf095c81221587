import { fileLines } from "./placing/line-table.ts";

/** A fence of at least three backticks that no row of `text` can close. */
export function fenceFor(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([ticks]) => ticks.length));
  return "`".repeat(longest + 1);
}

/**
 * The lines of a file, each with its number from 1 and `separator` before it, and a line feed after
 * it.
 */
export function showNumbered(text: string, separator: string): string {
  return fileLines(text)
    .map((line, i) => `${i + 1}${separator}${line}\n`)
    .join("");
}

/**
 * Prints a file for a prompt: its path as a heading, and `content` in a fence that it cannot close,
 * with the file's extension as language. Ends with a line feed.
 */
export function showFenced(path: string, content: string): string {
  const fence = fenceFor(content);
  const language = /\.([\w+-]+)$/.exec(path)?.[1] ?? "";
  const end = content === "" || content.endsWith("\n") ? "" : "\n";
  return `# ${path}\n\n${fence}${language}\n${content}${end}${fence}\n`;
}
