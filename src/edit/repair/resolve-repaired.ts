import { fileLines, isElision, type Refusal, resolveOperations } from "../../formats/index.ts";
import { diffSequences, type FileTexts, type WorkspaceEdit } from "../../text/index.ts";
import { editedLines, type LineRange } from "../line-range.ts";
import type { AddedIssue } from "./added-issues.ts";

/** Lines that a model wrote for a block of a broken file. */
export interface RepairedBlock {
  readonly issue: AddedIssue;
  /** The block, in lines of the file after the change, from 0. */
  readonly block: LineRange;
  readonly lines: readonly string[];
  /** All files after the change. */
  readonly files: FileTexts;
}

/**
 * Returns the edit of `files` that replaces the block by the lines, with warnings, or a refusal
 * where lines seem to be left out.
 */
export function resolveRepaired({
  issue: { file },
  block,
  lines,
  files,
}: RepairedBlock): { readonly edit: WorkspaceEdit; readonly warnings: readonly string[] } | Refusal {
  const { path, after } = file;
  const refuse = (kind: Refusal["kind"], message: string): Refusal => ({ kind, message, row: undefined, path });
  const original = fileLines(after).slice(block.start, block.end);
  const elided = lines.find((line) => isElision(line, path) && !original.includes(line));
  if (elided !== undefined)
    return refuse("elided-code", `Code was left out where it says ${JSON.stringify(elided.trim())}.`);

  const edited = editedLines(after, file.edit);
  const isEdited = (line: number) => edited.some(({ start, end }) => start <= line && line < end);
  const untouched = original.filter((line, i) => line.trim() !== "" && !isEdited(block.start + i));
  const lost = lostLines(original, lines).filter((i) => !isEdited(block.start + i));
  if (lost.length > Math.max(2, untouched.length / 2)) {
    return refuse("elided-code", `${lost.length} lines that the change had not touched are missing.`);
  }
  const operation = { kind: "lines", row: 0, path, ...block, lines, anchors: [] } as const;
  const { edit, refusals } = resolveOperations([operation], files);
  if (refusals[0] !== undefined) return { ...refusals[0], row: undefined };
  const warnings = lost.map(
    (i) =>
      `The repair of ${path} removed a line that the change had not touched: ${JSON.stringify(original[i]!.trim())}`,
  );
  return { edit, warnings };
}

/** The indexes of the non-blank lines of `was` that `is` lacks; indentation is ignored. */
function lostLines(original: readonly string[], rewritten: readonly string[]): readonly number[] {
  const [before, after] = [original, rewritten].map((lines) => lines.map((line) => line.trim()));
  const lost: number[] = [];
  for (const { beforeStart, beforeEnd } of diffSequences(before!, after!)) {
    for (let i = beforeStart; i < beforeEnd; i++) if (before![i] !== "") lost.push(i);
  }
  return lost;
}
