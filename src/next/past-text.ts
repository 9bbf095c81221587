import type { PastEdit } from "../context/index.ts";
import { detectLineEnding } from "../text/index.ts";

/** The text of a file before the edits of it in `history`, whose lines speak of `text`. Lines that come back end as most lines of the text do. */
export function textBefore(path: string, text: string, history: readonly PastEdit[]): string {
  const edits = history.filter((edit) => edit.path === path).sort((one, other) => other.lines.start - one.lines.start);
  if (edits.length === 0) return text;
  const ending = detectLineEnding(text) ?? "\n";
  // Each line with its own ending; the last has none.
  const lines = text.split(/(?<=\n)/);
  if (text === "" || text.endsWith("\n")) lines.push("");
  for (const { lines: range, before } of edits) {
    const isLast = range.end >= lines.length;
    const back = before.map((line) => line + ending);
    lines.splice(range.start, range.end - range.start, ...back);
    if (isLast) lines.push((lines.pop() ?? "").replace(/\r?\n$/, ""));
  }
  return lines.join("");
}
