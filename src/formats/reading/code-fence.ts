import { closesFence, type Fence, tryReadFence } from "../../answers/index.ts";
import { tryReadFenceInfoPath } from "./path-row.ts";

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
