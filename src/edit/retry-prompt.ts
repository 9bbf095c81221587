import { tryReadFence } from "../answers/index.ts";
import { hideSecrets, messageLanguage } from "../context/index.ts";
import { type EditFormat, fenceFor, formatNamed, type NearestLines, type Refusal } from "../formats/index.ts";
import type { ChatMessage } from "../model/index.ts";
import type { FileTexts } from "../text/index.ts";
import type { EditOutcome } from "./edit-outcome.ts";
import { showReport } from "./edit-prompt.ts";
import type { EditRequest } from "./edit-request.ts";
import { explainEdit, proposalOf } from "./explain-edit.ts";
import { promptFormat } from "./reply-format.ts";

/**
 * Builds the prompt that asks a chat to correct an answer that could not be used; `undefined` for
 * an outcome that is `offered`, `unchanged` or `stale`. The next answer is checked on its own, so
 * all edits are requested again.
 */
export function retryPromptFor(
  outcome: EditOutcome,
  { answer, request }: { readonly answer: string; readonly request: Pick<EditRequest, "files" | "format"> },
): string | undefined {
  const files = new Map(request.files.map(({ path, text }) => [path, text]));
  if (outcome.kind === "refused") {
    const name = outcome.best?.format ?? "regions";
    const format = formatNamed(name === "regions" ? promptFormat(request) : name);
    const messages = refusalPrompt({ answer, refusals: outcome.refusals, placedCount: 0, format, files });
    return messages.at(-1)!.text;
  }
  if (outcome.kind === "failed-verification") {
    return `Your answer could be used, and a check of the files with it is not content:\n\n${showReport(hideSecrets(outcome.report, messageLanguage).text)}\n\n${again}`;
  }
  if (outcome.kind !== "broken" || proposalOf(outcome) === undefined) return undefined;
  const [, ...rows] = explainEdit(outcome).trimEnd().split("\n");
  const errors = rows
    .map((row) => hideSecrets(row.trim(), messageLanguage).text)
    .filter((row) => row.startsWith("broken"));
  return `Your answer breaks the syntax of the files; lines are those after the change:\n\n${errors
    .map((row) => `- ${row.replace(/^broken\s+/, "")}`)
    .join("\n")}\n\n${again}`;
}

const again = "Nothing was changed. Answer again, in the same way as before, with all edits.\n";

/** An answer of which something was refused. */
interface RefusedAnswer {
  readonly answer: string;
  readonly refusals: readonly Refusal[];
  /** The number of operations, of this answer and the ones before, that were resolved. */
  readonly placedCount: number;
  readonly format: EditFormat;
  /** The files as the model was shown them. */
  readonly files: FileTexts;
}

/**
 * Builds the messages that ask a model to correct an answer: the answer itself, then each refusal
 * with its reason and the most similar lines, numbered as in the prompt. Operations that were
 * resolved are not requested again.
 */
export function refusalPrompt({ answer, refusals, placedCount, format, files }: RefusedAnswer): readonly ChatMessage[] {
  const rows = answer.split(/\r?\n/);
  // The model can do nothing about a connection.
  const own = refusals.filter(({ kind }) => kind !== "broken-connection");
  const listed = own.slice(0, maxRefusals);
  const wasCut = refusals.some(({ kind }) => kind === "cut-off");
  const sections = [
    placedCount === 0 ? "Your answer could not be used:" : "A part of your answer could not be used:",
    ...listed.map((refusal, i) => `${i + 1}. ${printRefusal(refusal, rows, format, files)}`),
    ...(own.length > listed.length ? [`And ${own.length - listed.length} more.`] : []),
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

/**
 * Refusals that are sent to a model at once; correcting the first ones often corrects the others.
 */
const maxRefusals = 8;

/** Lines shown of each similar stretch. */
const maxNearestLines = 12;

/**
 * Quotes the last row of a cut-off answer: only the model can decide whether its last operation is
 * complete.
 */
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

/** The rows inside the fence of a shown file; each is one line of the file. */
function rowsOf(shownFile: string): readonly string[] {
  const rows = shownFile.split("\n");
  return rows.slice(rows.findIndex((row) => tryReadFence(row) !== undefined) + 1);
}
