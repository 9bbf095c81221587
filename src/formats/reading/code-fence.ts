import { closesFence, type Fence, tryReadFence } from "../../answers/index.ts";
import { tryReadFenceInfoPath, tryReadPathRow } from "./path-row.ts";

/**
 * The start of a code block in an answer: a Markdown fence, or a tag such as `<source>` in its
 * place.
 */
export type CodeFence =
  | (Fence & { readonly kind: "marks" })
  | { readonly kind: "tag"; readonly tag: string; readonly info: string };

/**
 * Reads the start of a code block; `undefined` for other rows. A closing fence may look the same;
 * the caller knows which one it is.
 */
export function tryReadCodeFence(row: string): CodeFence | undefined {
  const fence = tryReadFence(row);
  if (fence !== undefined) return { kind: "marks", ...fence };
  const [, tag, info = ""] = /^<(source|code|pre|codeblock|sourcecode)>\s*(?:([\w+#.-]+)\s*)?$/.exec(row) ?? [];
  return tag === undefined ? undefined : { kind: "tag", tag, info };
}

/** Whether `row` closes the code block that `opening` opened. */
export function closesCode(row: string, opening: CodeFence): boolean {
  if (opening.kind === "tag") return row.trim() === `</${opening.tag}>`;
  const fence = tryReadFence(row);
  return fence !== undefined && closesFence(fence, opening);
}

/**
 * Like {@link closesCode}, around rows of a diff, where a blank at the start is the mark of a
 * context line.
 */
export function closesAround(row: string, opening: CodeFence): boolean {
  return !row.startsWith(" ") && closesCode(row, opening);
}

/**
 * Whether the language of a code block is that of a shell or a terminal, so that it contains
 * commands or their output.
 */
export function isShellFence({ info }: CodeFence): boolean {
  return /^(?:bash|sh|shell|zsh|fish|console|terminal|shell-?session|powershell|ps1|pwsh|cmd|bat)$/i.test(
    info.split(/\s/)[0]!,
  );
}

/**
 * Whether the text after the marks of a fence looks like the first line of its code: more than a
 * language, a path and attributes such as `title="a"` or `{1,3}`.
 */
export function holdsCode(info: string, known: readonly string[]): boolean {
  if (info === "" || tryReadFenceInfoPath(info, known) !== undefined) return false;
  return !/^(?:[\w+#.-]*|\{[^{}]*\})(?:\{[^{}]*\}|\/[\d,-]+\/)*(?:\s+(?:\{[^{}]*\}|[\w-]+=(?:"[^"]*"|'[^']*'|[^\s"']\S*|(?=\s|$))|\/[\d,-]+\/|(?:show|no)?-?[lL]ine[\w-]*))*$/.test(
    info,
  );
}

/** The code in a fence of an answer. */
export interface FencedCode {
  /** The row of its first line in the answer, from 0. */
  readonly row: number;
  /**
   * Without the indentation of the fence, blank lines around it, and a first row that is a path.
   */
  readonly lines: readonly string[];
  readonly isShell: boolean;
}

/**
 * The code in the fences of an answer that are not inside of others. One that is not closed extends
 * to the end.
 */
export function fencedCodeOf(answer: string): readonly FencedCode[] {
  const rows = answer.split(/\r?\n/);
  const found: FencedCode[] = [];
  for (let i = 0; i < rows.length; i++) {
    const fence = tryReadCodeFence(rows[i]!);
    if (fence === undefined) continue;
    const indent = /^ */.exec(rows[i]!)![0].length;
    let start = i + 1;
    let end = rows.findIndex((row, j) => j > i && closesCode(row, fence));
    if (end < 0) end = rows.length;
    i = end;
    const isBlank = (row: string) => row.trim() === "";
    while (start < end && (isBlank(rows[start]!) || tryReadPathRow(rows[start]!, []) !== undefined)) start++;
    while (end > start && isBlank(rows[end - 1]!)) end--;
    const lines = rows.slice(start, end).map((row) => row.slice(Math.min(indent, /^ */.exec(row)![0].length)));
    found.push({ row: start, lines, isShell: isShellFence(fence) });
  }
  return found;
}
