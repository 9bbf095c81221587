import type { Lines, TextRange } from "../text/index.ts";

/**
 * The lines `[start, end)` of each merge conflict in a text, marks included, ascending: from `<<<<<<<` to the next `>>>>>>>`, with whatever
 * a tool writes between them. A mark without its partner is an ordinary line.
 *
 * Source: git's documentation of `git merge`, "How conflicts are presented"; the marks of Jujutsu are the same at both ends.
 */
export function conflictBlocks(lines: Lines): readonly TextRange[] {
  const blocks: TextRange[] = [];
  let start: number | undefined;
  for (let line = 0; line < lines.count; line++) {
    const sign = lines.source.charAt(lines.start(line));
    // Seven signs at least: git writes more where that is set for a file.
    if ((sign !== "<" && sign !== ">") || !/^(?:<{7,}|>{7,})(?: |$)/.test(lines.text(line))) continue;
    if (sign === "<") start = line;
    else if (start !== undefined) {
      blocks.push({ start, end: line + 1 });
      start = undefined;
    }
  }
  return blocks;
}
