import type { PastEdit } from "../context/index.ts";
import { detectLineEnding } from "../text/index.ts";

/** The text of a file before the edits of it in `history`, whose lines speak of `text`. Lines that come back end as most lines of the text do. */
export function textBefore(path: string, text: string, history: readonly PastEdit[]): string {
  const edits = history.filter((edit) => edit.path === path).sort((one, other) => other.lines.start - one.lines.start);
  if (edits.length === 0) return text;
  const usual = detectLineEnding(text) ?? "\n";
  const said = text.split("\n");
  const lines = said.map((line, i) => {
    if (line.endsWith("\r")) return { said: line.slice(0, -1), ending: "\r\n" };
    return { said: line, ending: i < said.length - 1 ? "\n" : usual };
  });
  for (const { lines: range, before } of edits)
    lines.splice(range.start, range.end - range.start, ...before.map((line) => ({ said: line, ending: usual })));
  return lines.map(({ said: line, ending }, i) => (i < lines.length - 1 ? line + ending : line)).join("");
}
