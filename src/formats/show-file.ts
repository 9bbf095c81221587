import { fileLines } from "./file-lines.ts";

/** A fence of backticks, at least three, that no row of `text` can close. */
export function fenceFor(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([ticks]) => ticks.length));
  return "`".repeat(longest + 1);
}

/** The fence that opens or closes a block, if `row` is one: three backticks or tildes or more, and what is behind them. */
export function tryReadFence(row: string): Fence | undefined {
  const [, marks, info] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(row) ?? [];
  if (marks === undefined || info === undefined) return undefined;
  // As in Markdown: words behind backticks may hold none, or the row is code between backticks.
  return marks.startsWith("`") && info.includes("`") ? undefined : { marks, info: info.trim() };
}

/** A row of Markdown that opens or closes a block of code. */
export interface Fence {
  /** The backticks or tildes. */
  readonly marks: string;
  /** What is behind them, such as a language. A fence that closes has nothing there. */
  readonly info: string;
}

/** Whether `fence` closes a block that `opening` opened: the same mark, at least as many of them, nothing behind. */
export function closesFence(fence: Fence, opening: Fence): boolean {
  return fence.info === "" && fence.marks.startsWith(opening.marks);
}

/** The lines of a file with their numbers from 1, each in front of its line with `separator` between. */
export function showNumbered(text: string, separator: string): string {
  return fileLines(text)
    .map((line, i) => `${i + 1}${separator}${line}\n`)
    .join("");
}

/** A file as a model is shown it: its path, and `content` in a fence. */
export function showFenced(path: string, content: string): string {
  const fence = fenceFor(content);
  const language = /\.([\w+-]+)$/.exec(path)?.[1] ?? "";
  const end = content === "" || content.endsWith("\n") ? "" : "\n";
  return `# ${path}\n\n${fence}${language}\n${content}${end}${fence}\n`;
}
