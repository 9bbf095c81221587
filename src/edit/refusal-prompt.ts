import { type EditFormat, fenceFor, type NearestLines, type Refusal, tryReadFence } from "../formats/index.ts";
import type { ChatMessage } from "../model/index.ts";
import type { FileTexts } from "../text/index.ts";

/** An answer of which something was refused. */
export interface RefusedAnswer {
  readonly answer: string;
  readonly refusals: readonly Refusal[];
  /** How many of its edits, and of those of the answers before, are in place. */
  readonly placedCount: number;
  readonly format: EditFormat;
  /** The files as the model was shown them. */
  readonly files: FileTexts;
}

/**
 * The answer, and what a model is told about it: what was refused, why, and the lines that are most alike, numbered as the
 * model saw them. What found its place is not asked for again.
 */
export function refusalPrompt({ answer, refusals, placedCount, format, files }: RefusedAnswer): readonly ChatMessage[] {
  const rows = answer.split(/\r?\n/);
  const told = refusals.slice(0, maxRefusals);
  const wasCut = refusals.some(({ kind }) => kind === "cut-off");
  const sections = [
    placedCount === 0 ? "Your answer could not be used:" : "A part of your answer could not be used:",
    ...told.map((refusal, i) => `${i + 1}. ${printRefusal(refusal, rows, format, files)}`),
    ...(refusals.length > told.length ? [`And ${refusals.length - told.length} more.`] : []),
    ...(wasCut && placedCount > 0 ? [lastRow(rows)] : []),
    placedCount === 0
      ? "Nothing was changed. Answer again, in the same way as before, with all edits."
      : `${inPlace(placedCount)} Answer again, in the same way as before, with only those edits that are listed here, put right${wasCut ? ", and those that were still to come" : ""}. Line numbers are still those of the files as you were shown them.`,
  ];
  return [
    { role: "assistant", text: answer.trim() === "" ? "(nothing)" : answer },
    { role: "user", text: `${sections.join("\n\n")}\n` },
  ];
}

/** How many refusals a model is told at once: mending the first ones often mends the others. */
const maxRefusals = 8;

/** How many of the lines that are alike are shown of each stretch. */
const maxNearestLines = 12;

/** Where an answer that was cut off ends: only who wrote it knows whether its last edit is whole. */
function lastRow(rows: readonly string[]): string {
  const last = rows.findLast((row) => row.trim() !== "") ?? "";
  return `The last row that came is \`${last}\`. If the edit that it belongs to was not done, write that edit again, too.`;
}

function inPlace(count: number): string {
  return count === 1
    ? "One edit is in place: do not write it again."
    : `${count} edits are in place: do not write them again.`;
}

function printRefusal(
  { message, row, path, nearest }: Refusal,
  rows: readonly string[],
  format: EditFormat,
  files: FileTexts,
): string {
  const quoted =
    row === undefined || rows[row] === undefined ? "" : `Row ${row + 1} of your answer, \`${rows[row]}\`: `;
  const text = path === undefined ? undefined : files.get(path);
  if (nearest === undefined || nearest.length === 0 || path === undefined || text === undefined)
    return quoted + message;
  const shown = rowsOf(format.showFile({ path, text }));
  const stretches = nearest.map((lines) => showNearest(lines, shown));
  const fence = fenceFor(stretches.join("\n"));
  return `${quoted}${message} Most alike in ${path}:\n\n${stretches.map((code) => `${fence}\n${code}\n${fence}`).join("\n\n")}`;
}

function showNearest({ start, lines }: NearestLines, shown: readonly string[]): string {
  return lines
    .slice(0, maxNearestLines)
    .map((line, i) => shown[start + i] ?? line)
    .join("\n");
}

/** The rows in the fence of a shown file, each of which is one of its lines. */
function rowsOf(shownFile: string): readonly string[] {
  const rows = shownFile.split("\n");
  return rows.slice(rows.findIndex((row) => tryReadFence(row) !== undefined) + 1);
}
