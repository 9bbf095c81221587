import type { PastEdit } from "../../context/index.ts";
import { type PatchHunk, tryDiffFile } from "../../text/index.ts";
import type { SceneLines } from "./scene-lines.ts";

/**
 * An edit as hunks of a unified diff, each line with a `\n`; without a header for the file.
 *
 * Around an edit of the scene's own file stand the lines of its page, `contextLines` on each side as it is now; of other files they are
 * not known. The numbers are those of the present lines, also on the side of what was before.
 */
export function pastEditDiff({ path, lines, before, after }: PastEdit, shown: SceneLines, contextLines = 3): string {
  const { scene } = shown;
  const { page } = scene;
  const isShown = path === scene.path && page.start <= lines.start && lines.end <= page.end;
  const start = isShown ? Math.max(page.start, lines.start - contextLines) : lines.start;
  const end = isShown ? Math.min(page.end, lines.end + contextLines) : lines.end;
  const above = shown.show({ start, end: lines.start });
  const below = shown.show({ start: lines.end, end });
  const around = (changed: readonly string[]): string => above + changed.map((line) => `${line}\n`).join("") + below;
  const patch = tryDiffFile({ path, before: around(before), after: around(after), contextLines });
  return (patch?.hunks ?? []).map((hunk) => printHunk(hunk, start)).join("");
}

function printHunk({ beforeStart, beforeCount, afterStart, afterCount, lines }: PatchHunk, firstLine: number): string {
  const before = printNumbers(beforeStart + firstLine, beforeCount);
  const after = printNumbers(afterStart + firstLine, afterCount);
  return `@@ -${before} +${after} @@\n${lines.map(({ kind, text }) => `${signs[kind]}${text}`).join("")}`;
}

/** As GNU's diff numbers lines: none are named by the line in front of them. */
function printNumbers(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}

const signs = { keep: " ", delete: "-", insert: "+" } as const;
