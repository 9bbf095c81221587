import { closesFence, type Fence, tryReadFence, withoutReasoning } from "../../answers/index.ts";
import {
  fileLines,
  isElision,
  type Normalization,
  type NormalizationKind,
  type Refusal,
  type RefusalKind,
  resolveOperations,
} from "../../formats/index.ts";
import { diffSequences, type FileTexts, type WorkspaceEdit } from "../../text/index.ts";
import { editedLines, type LineRange } from "../line-range.ts";
import type { AddedIssue } from "./added-issues.ts";

/** The lines that a model wrote for a block, or why they cannot be used. */
export type RepairedLines =
  | { readonly kind: "lines"; readonly lines: readonly string[]; readonly normalizations: readonly Normalization[] }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/**
 * Reads an answer that rewrites a block: the rows in its only fence.
 *
 * Text around the fence is ignored. Line numbers copied from the display are removed, and missing
 * indentation of the block is restored; both are reported as normalizations. Never throws. An
 * answer that is cut off, or has no fence, several, or an unclosed one, is refused, since it could
 * be incomplete.
 */
export function readRepaired(answer: string, path: string, block: readonly string[], isCut: boolean): RepairedLines {
  const refuse = (kind: RefusalKind, message: string): RepairedLines => ({
    kind: "refused",
    refusal: { kind, message, row: undefined, path },
  });
  if (isCut) return refuse("cut-off", "The answer was cut off before its end.");
  const rows = withoutReasoning(answer).split(/\r?\n/);
  const fences = rows.flatMap((row, index) => {
    const fence = tryReadFence(row);
    return fence === undefined ? [] : [{ fence, index }];
  });
  const opening = fences[0];
  if (opening === undefined) return refuse("no-edits", "The answer holds no fence with the lines.");
  const ends = fences.slice(1).filter(({ fence }) => closesFence(fence, opening.fence));
  if (ends.length === 0) return refuse("cut-off", "The fence of the answer is not closed.");
  // A fence longer than needed contains shorter ones as code. With several rows that could close
  // it, the end is ambiguous.
  if (ends.length > 1 || opensAnother(fences.slice(1), ends[0]!.index)) {
    return refuse(
      "unreadable-row",
      "The answer holds more than one fence, so that nobody can tell which one is meant.",
    );
  }
  const written = rows.slice(opening.index + 1, ends[0]!.index);
  const normalizations: Normalization[] = [];
  const allow = (kind: NormalizationKind, message: string) =>
    void normalizations.push({ kind, message, row: undefined, path });
  const lines = withoutPrefixes(written) ?? written;
  if (lines !== written) allow("display-prefix", "Line numbers of the display were removed from the repaired lines.");
  const indented = indentedAs(block, lines);
  if (indented === undefined) return { kind: "lines", lines, normalizations };
  allow("indentation", "The repaired lines lacked the indentation of their place; it was restored.");
  return { kind: "lines", lines: indented, normalizations };
}

/**
 * The lines without the marks and numbers of a code frame; `undefined` unless all lines have them.
 */
function withoutPrefixes(lines: readonly string[]): readonly string[] | undefined {
  const bare = lines.map((line) => /^[+ ] +\d+ \|(?: (.*))?$/.exec(line));
  return bare.length > 0 && bare.every((found) => found !== null) ? bare.map((found) => found[1] ?? "") : undefined;
}

function opensAnother(fences: readonly { readonly fence: Fence; readonly index: number }[], end: number): boolean {
  return fences.some(({ index }) => index > end);
}

/**
 * Restores missing indentation, where the first line equals the block's first line apart from it;
 * `undefined` otherwise.
 *
 * Models omit it on all lines, or on the first line only; lines that also occur in the block decide
 * which.
 */
function indentedAs(block: readonly string[], lines: readonly string[]): readonly string[] | undefined {
  const first = lines.findIndex((line) => line.trim() !== "");
  const missing = missingIn(
    lines[first],
    block.find((line) => line.trim() !== ""),
  );
  if (!missing) return undefined;
  const others = lines.slice(first + 1).filter((line) => line.trim() !== "");
  const count = (has: (line: string) => boolean) => others.filter(has).length;
  const isAlone =
    count((line) => block.includes(line)) > count((line) => !block.includes(line) && block.includes(missing + line));
  return lines.map((line, i) => (line === "" || (isAlone && i !== first) ? line : missing + line));
}

/**
 * The part of the indentation of `was` that `is` lacks; `undefined` if the lines differ in more
 * than that.
 */
function missingIn(line: string | undefined, original: string | undefined): string | undefined {
  if (line === undefined || original === undefined || line.trim() !== original.trim()) return undefined;
  const [originalIndent, indent] = [indentation(original), indentation(line)];
  return originalIndent.endsWith(indent) ? originalIndent.slice(0, originalIndent.length - indent.length) : undefined;
}

function indentation(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

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
 * Returns the edit of `files` that replaces the block by the lines, with warnings about untouched
 * lines that it removes. Returns a refusal where the lines contain a placeholder for left-out code,
 * or lack more than two lines and more than half of those that the change had not touched.
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
