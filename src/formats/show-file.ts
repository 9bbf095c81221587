import { fileLines } from "./placing/line-table.ts";

/** A fence of at least three backticks that no row of `text` can close. */
export function fenceFor(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([ticks]) => ticks.length));
  return "`".repeat(longest + 1);
}

/**
 * Reads a row that opens or closes a code block: three or more backticks or tildes, indented by at
 * most three blanks; `undefined` for other rows, such as inline code.
 */
export function tryReadFence(row: string): Fence | undefined {
  const [, marks, info] = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(row) ?? [];
  if (marks === undefined || info === undefined) return undefined;
  // As in Markdown, the text after backticks contains none; otherwise the row is inline code.
  return marks.startsWith("`") && info.includes("`") ? undefined : { marks, info: info.trim() };
}

/** A row of Markdown that opens or closes a code block. */
export interface Fence {
  /** The backticks or tildes. */
  readonly marks: string;
  /** The text after them, such as a language; empty for a closing fence. */
  readonly info: string;
}

/**
 * Whether `fence` closes the block that `opening` opened: the same mark, at least as long, nothing
 * after it.
 */
export function closesFence(fence: Fence, opening: Fence): boolean {
  return fence.info === "" && fence.marks.startsWith(opening.marks);
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
