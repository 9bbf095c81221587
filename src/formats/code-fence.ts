import { tryReadFenceInfoPath } from "./path-row.ts";
import { closesFence, type Fence, tryReadFence } from "./show-file.ts";

/** What opens a block of code in an answer: a fence of Markdown, or a tag such as `<source>` in its place. */
export type CodeFence =
  | (Fence & { readonly kind: "marks" })
  | { readonly kind: "tag"; readonly tag: string; readonly info: string };

/** The block of code that `row` opens, if it does. What closes one may open one too; whoever asks knows which. */
export function tryReadCodeFence(row: string): CodeFence | undefined {
  const fence = tryReadFence(row);
  if (fence !== undefined) return { kind: "marks", ...fence };
  const [, tag, info = ""] = /^<(source|code|pre|codeblock|sourcecode)>\s*([\w+#.-]*)\s*$/.exec(row) ?? [];
  return tag === undefined ? undefined : { kind: "tag", tag, info };
}

/** Whether `row` closes a block of code that `opening` opened. */
export function closesCode(row: string, opening: CodeFence): boolean {
  if (opening.kind === "tag") return row.trim() === `</${opening.tag}>`;
  const fence = tryReadFence(row);
  return fence !== undefined && closesFence(fence, opening);
}

/** As {@link closesCode} around rows of a diff, where a blank in front is the mark of a line that stays. */
export function closesAround(row: string, opening: CodeFence): boolean {
  return !row.startsWith(" ") && closesCode(row, opening);
}

/** Whether a block of code holds commands for a shell, or what they print. */
export function isShellFence({ info }: CodeFence): boolean {
  return /^(?:bash|sh|shell|zsh|fish|console|terminal|shell-?session|powershell|ps1|pwsh|cmd|bat)$/i.test(
    info.split(/\s/)[0]!,
  );
}

/**
 * Whether what stands behind the marks of a fence looks like the first line of its code: more than a language, a path and
 * attributes such as `title="a"` or `{1,3}`.
 */
export function holdsCode(info: string, known: readonly string[]): boolean {
  if (info === "" || tryReadFenceInfoPath(info, known) !== undefined) return false;
  return !/^(?:[\w+#.-]*|\{[^{}]*\})(?:\s*(?:\{[^{}]*\}|[\w-]+=(?:"[^"]*"|'[^']*'|\S*)|\/[\d,-]+\/|(?:show|no)?-?[lL]ine[\w-]*))*$/.test(
    info,
  );
}
