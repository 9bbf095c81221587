import type { Lines, TextRange } from "../../../text/index.ts";

/**
 * Returns the lines `[start, end)` of each merge conflict in a text, markers included, ascending:
 * from `<<<<<<<` to the next `>>>>>>>`, whatever a tool writes in between. A marker without its
 * partner is an ordinary line.
 *
 * Source: git's documentation of `git merge`, "How conflicts are presented"; the markers of Jujutsu
 * are the same at both ends.
 */
export function conflictBlocks(lines: Lines): readonly TextRange[] {
  const blocks: TextRange[] = [];
  let start: number | undefined;
  for (let line = 0; line < lines.count; line++) {
    const sign = lines.source.charAt(lines.start(line));
    // Seven characters at least: git writes longer markers where a file's attributes set that.
    if ((sign !== "<" && sign !== ">") || !/^(?:<{7,}|>{7,})(?: |$)/.test(lines.text(line))) continue;
    if (sign === "<") start = line;
    else if (start !== undefined) {
      blocks.push({ start, end: line + 1 });
      start = undefined;
    }
  }
  return blocks;
}
