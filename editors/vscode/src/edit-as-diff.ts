import { tryDiffFile } from "../../../src/text/index.ts";
import type { Replacement } from "./as-ghost-text.ts";

/** The changed lines of a diff with one line of context, marked by `+`, `-` or a space. */
export function editAsDiff(
  text: string,
  edits: readonly Replacement[],
  offsetAt: (place: Replacement["range"]["start"]) => number,
): string {
  const after = applied(text, edits, offsetAt);
  const patch = tryDiffFile({ before: text, after, path: "text", contextLines: 1 });
  const marks = { keep: " ", delete: "-", insert: "+" } as Record<string, string>;
  return (patch?.hunks ?? [])
    .map(({ lines }) =>
      lines.map(({ kind, text: line }) => `${marks[kind] ?? " "}${line.replace(/\r?\n$/, "")}`).join("\n"),
    )
    .join("\n⋯\n");
}

/** Applies edits to a text. Their ranges must not overlap. */
export function applied(
  text: string,
  edits: readonly Replacement[],
  offsetAt: (place: Replacement["range"]["start"]) => number,
): string {
  const sorted = [...edits].sort((a, b) => offsetAt(b.range.start) - offsetAt(a.range.start));
  return sorted.reduce(
    (result, { range, newText }) =>
      result.slice(0, offsetAt(range.start)) + newText + result.slice(offsetAt(range.end)),
    text,
  );
}

/** A Markdown code block with a fence longer than any in the text. */
export function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
