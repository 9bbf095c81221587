import { byLine, type PastEdit } from "../context/index.ts";
import { detectLineEnding } from "../text/index.ts";

/** The text of a file before the edits of it in `history`, whose lines speak of `text`. Lines that come back end as most lines of the text do. */
export function textBefore(path: string, text: string, history: readonly PastEdit[]): string {
  const edits = history.filter((edit) => edit.path === path).sort(byLine);
  if (edits.length === 0) return text;
  // Lines of a history end with a line feed, whatever else a text has.
  const usual = detectLineEnding(text) === "\r\n" ? "\r\n" : "\n";
  // Every line has an ending while lines come and go. Those between are taken over in one piece: texts may be long.
  const whole = text + (text.endsWith("\r") ? "\n" : usual);
  const parts: string[] = [];
  let line = 0;
  let at = 0;
  const walkTo = (wanted: number): number => {
    for (; line < wanted && at < whole.length; line++) at = whole.indexOf("\n", at) + 1;
    return at;
  };
  for (const { lines, before } of edits) {
    parts.push(whole.slice(at, walkTo(lines.start)), ...before.map((said) => said + usual));
    walkTo(lines.end);
  }
  parts.push(whole.slice(at));
  return parts.join("").replace(/\r?\n$/, "");
}
