import { byLine, type PastEdit } from "../../context/index.ts";
import { detectLineEnding } from "../../text/index.ts";

/**
 * Returns the text that the file at `path` had before its edits in `history`, in any order, whose
 * line ranges refer to `text`; `text` itself where there are none. Restored lines get the line
 * ending that most lines of the text have.
 */
export function textBefore(path: string, text: string, history: readonly PastEdit[]): string {
  const edits = history.filter((edit) => edit.path === path).sort(byLine);
  if (edits.length === 0) return text;
  // The lines of a history have no line ending of their own: they get the usual one of the text.
  const usual = detectLineEnding(text) === "\r\n" ? "\r\n" : "\n";
  // Every line gets a line ending while lines are inserted and removed. Unchanged text is copied in
  // one piece, because texts may be long.
  const whole = text + (text.endsWith("\r") ? "\n" : usual);
  const parts: string[] = [];
  let line = 0;
  let at = 0;
  const walkTo = (wanted: number): number => {
    for (; line < wanted && at < whole.length; line++) at = whole.indexOf("\n", at) + 1;
    return at;
  };
  for (const { lines, before } of edits) {
    parts.push(whole.slice(at, walkTo(lines.start)), ...before.map((line) => line + usual));
    walkTo(lines.end);
  }
  parts.push(whole.slice(at));
  return parts.join("").replace(/\r?\n$/, "");
}
