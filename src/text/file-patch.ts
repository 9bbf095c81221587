import { quotePath } from "./git-path.ts";

/** The change of one file in a patch, as plain data. */
export interface FilePatch {
  readonly kind: "modify" | "create" | "delete" | "rename" | "copy";
  /** The path before, without the `a/` of the header; `undefined` when it is created. */
  readonly pathBefore: string | undefined;
  /** The path after, without the `b/` of the header; `undefined` when it is deleted. */
  readonly pathAfter: string | undefined;
  /** Whether the content is binary, which no hunk describes. */
  readonly isBinary: boolean;
  /** The changed places, from top to bottom. */
  readonly hunks: readonly PatchHunk[];
}

/**
 * A changed place with the lines around it. Line indexes start at 0, unlike the numbers in the
 * header.
 */
export interface PatchHunk {
  readonly beforeStart: number;
  readonly beforeCount: number;
  readonly afterStart: number;
  readonly afterCount: number;
  /** What follows the numbers in the header, often the function around the hunk; may be empty. */
  readonly heading: string;
  readonly lines: readonly PatchLine[];
}

/**
 * A line of a hunk. In patches only `\n` ends a line; `text` includes it, except at the end of a
 * file without a final line ending.
 */
export interface PatchLine {
  readonly kind: "keep" | "delete" | "insert";
  readonly text: string;
}

/**
 * Prints a patch in the unified format with git's headers, which `git apply` and `patch -p1`
 * accept.
 *
 * Source: "Generating patch text with -p" in git's diff documentation; GNU diffutils, "Unified
 * Format".
 */
export function printFilePatch(patch: FilePatch): string {
  const { kind, pathBefore, pathAfter, hunks } = patch;
  const before = `a/${pathBefore ?? pathAfter ?? ""}`;
  const after = `b/${pathAfter ?? pathBefore ?? ""}`;
  const header = [`diff --git ${quotePath(before)} ${quotePath(after)}`];
  if (kind === "create") header.push("new file mode 100644");
  if (kind === "delete") header.push("deleted file mode 100644");
  if (kind === "rename" || kind === "copy") {
    header.push(`${kind} from ${quotePath(pathBefore ?? "")}`, `${kind} to ${quotePath(pathAfter ?? "")}`);
  }
  if (hunks.length > 0) {
    header.push(`--- ${pathBefore === undefined ? "/dev/null" : endWithTab(quotePath(before))}`);
    header.push(`+++ ${pathAfter === undefined ? "/dev/null" : endWithTab(quotePath(after))}`);
  }
  return `${header.join("\n")}\n${hunks.map(printHunk).join("")}`;
}

/**
 * Adds a tab after a path that contains a space, as git does. Without it `patch` reads a date
 * there.
 */
function endWithTab(path: string): string {
  return path.includes(" ") ? `${path}\t` : path;
}

function printHunk(hunk: PatchHunk): string {
  const before = printLineRange(hunk.beforeStart, hunk.beforeCount);
  const after = printLineRange(hunk.afterStart, hunk.afterCount);
  const heading = hunk.heading === "" ? "" : ` ${hunk.heading}`;
  return `@@ -${before} +${after} @@${heading}\n${hunk.lines.map(printLine).join("")}`;
}

/**
 * Prints a range of lines: an empty one with the number of the line before it, any other with the
 * number of its first line.
 */
function printLineRange(start: number, count: number): string {
  if (count === 0) return `${start},0`;
  return count === 1 ? `${start + 1}` : `${start + 1},${count}`;
}

const marks = { keep: " ", delete: "-", insert: "+" } as const;

function printLine({ kind, text }: PatchLine): string {
  return text.endsWith("\n") ? `${marks[kind]}${text}` : `${marks[kind]}${text}\n\\ No newline at end of file\n`;
}
