import type { Edit } from "../../text/index.ts";
import { columnsOf, leastWidth } from "./code-style.ts";

/**
 * Whether an edit makes a line longer than `widthOf()` columns where the line was not before, so
 * that a formatter would break it.
 */
export function outgrowsLine(text: string, edit: Edit, widthOf: () => number): boolean {
  for (const [index, { start, end }] of edit.edits.entries()) {
    const from = text.lastIndexOf("\n", start - 1) + 1;
    // A line with several replacements is checked with all of them.
    if (index > 0 && edit.edits[index - 1]!.end >= from) continue;
    const onLine = edit.edits
      .slice(index)
      .filter((one, i, all) => i === 0 || !text.slice(all[0]!.end, one.start).includes("\n"));
    const feed = text.indexOf("\n", Math.max(end, onLine.at(-1)!.end));
    const to = feed < 0 ? text.length : feed;
    let [fresh, at] = ["", from];
    for (const one of onLine) {
      fresh += text.slice(at, one.start) + one.text;
      at = one.end;
    }
    fresh += text.slice(at, to);
    if (longest(fresh) <= leastWidth) continue;
    const width = widthOf();
    if (longest(fresh) > width && longest(text.slice(from, to)) <= width) return true;
  }
  return false;
}

function longest(text: string): number {
  return text.split("\n").reduce((most, line) => Math.max(most, columnsOf(line.trimEnd())), 0);
}
