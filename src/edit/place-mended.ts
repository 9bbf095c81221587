import { fileLines, isElision, placeAsks, type Refusal } from "../formats/index.ts";
import { diffSequences, type FileTexts, type WorkspaceEdit } from "../text/index.ts";
import type { AddedIssue } from "./added-issues.ts";
import { editedLines, type LineRange } from "./line-range.ts";

/** Lines that a model wrote for a block of a broken file. */
export interface MendedBlock {
  readonly issue: AddedIssue;
  /** In lines of the file as the change left it, from 0. */
  readonly block: LineRange;
  readonly lines: readonly string[];
  /** All files as the change left them. */
  readonly files: FileTexts;
}

/** The edit that puts the lines in the block's place, for `files`; or why they cannot be taken. */
export function placeMended({
  issue: { file },
  block,
  lines,
  files,
}: MendedBlock): { readonly edit: WorkspaceEdit; readonly warnings: readonly string[] } | Refusal {
  const { path, after } = file;
  const refuse = (kind: Refusal["kind"], message: string): Refusal => ({ kind, message, row: undefined, path });
  const was = fileLines(after).slice(block.start, block.end);
  const elided = lines.find((line) => isElision(line, path) && !was.includes(line));
  if (elided !== undefined)
    return refuse("elided-code", `Code was left out where it says ${JSON.stringify(elided.trim())}.`);

  const edited = editedLines(after, file.edit);
  const isEdited = (line: number) => edited.some(({ start, end }) => start <= line && line < end);
  const untouched = was.filter((line, i) => line.trim() !== "" && !isEdited(block.start + i));
  const lost = lostLines(was, lines).filter((i) => !isEdited(block.start + i));
  if (lost.length > Math.max(2, untouched.length / 2)) {
    return refuse("elided-code", `${lost.length} lines that the change had not touched are missing.`);
  }
  const ask = { kind: "lines", row: 0, path, ...block, lines, witnesses: [] } as const;
  const { edit, refusals } = placeAsks([ask], files);
  if (refusals[0] !== undefined) return { ...refusals[0], row: undefined };
  const warnings = lost.map(
    (i) => `Mending ${path} took out a line that the change had not touched: ${JSON.stringify(was[i]!.trim())}`,
  );
  return { edit, warnings };
}

/** The lines of `was`, blank ones left out, that are nowhere in `is` any more but for their indentation. */
function lostLines(was: readonly string[], is: readonly string[]): readonly number[] {
  const [before, after] = [was, is].map((lines) => lines.map((line) => line.trim()));
  const lost: number[] = [];
  for (const { beforeStart, beforeEnd } of diffSequences(before!, after!)) {
    for (let i = beforeStart; i < beforeEnd; i++) if (before![i] !== "") lost.push(i);
  }
  return lost;
}
