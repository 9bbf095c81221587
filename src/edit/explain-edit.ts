import type { NearestLines, Refusal } from "../formats/index.ts";
import { printLocation, printWorkspaceEdit } from "../text/index.ts";
import type { EditOutcome, EditProposal } from "./edit-outcome.ts";
import { lineFinder } from "./line-range.ts";
import type { AddedIssue } from "./repair/added-issues.ts";

/** Options for {@link explainEdit}. */
export interface ExplainEditOptions {
  /** Whether the answer was pasted from a chat, so that no model was requested. */
  readonly isPasted?: boolean;
}

/**
 * Prints an outcome for people, in lines that end with `\n`: a headline, then repairs,
 * normalizations, warnings, and refusals or errors. Rows and lines count from 1.
 *
 * The change itself is not printed; see `toWorkspaceDiff`.
 */
export function explainEdit(outcome: EditOutcome, { isPasted = false }: ExplainEditOptions = {}): string {
  const proposal = proposalOf(outcome);
  const rows = [headline(outcome, isPasted), ...(proposal === undefined ? [] : notes(proposal))];
  if (outcome.kind === "refused")
    rows.push(...outcome.refusals.flatMap(refusalRows), ...firstRowsOf(outcome.firstRows));
  if (outcome.kind === "broken") rows.push(...outcome.issues.map(issueRow));
  if (outcome.kind === "failed-verification") rows.push(...outcome.report.trimEnd().split("\n"));
  if (outcome.kind === "stale") rows.push(...outcome.paths.map((path) => row("changed", path)));
  return rows.map((text) => `${text.trimEnd()}\n`).join("");
}

/**
 * The change that an outcome offers, or its best attempt; `undefined` for `unchanged` and where
 * nothing could be used.
 */
export function proposalOf(outcome: EditOutcome): EditProposal | undefined {
  if (outcome.kind === "unchanged") return undefined;
  return outcome.kind === "offered" ? outcome.proposal : outcome.best;
}

function headline(outcome: EditOutcome, isPasted: boolean): string {
  switch (outcome.kind) {
    case "offered":
      return `${sentence(printWorkspaceEdit(outcome.proposal.edit))} (${origin(outcome.proposal)}).`;
    case "unchanged":
      return `Nothing changes. ${outcome.message}`;
    case "refused":
      return outcome.best === undefined
        ? `Nothing of the answer could be used.${hintOf(outcome.refusals, isPasted)}`
        : `A part of the answer could not be used (${origin(outcome.best)}). The rest would ${printWorkspaceEdit(outcome.best.edit)}.`;
    case "broken":
      return `The change breaks the syntax (${origin(outcome.best)}). It would ${printWorkspaceEdit(outcome.best.edit)}.`;
    case "failed-verification":
      return `The check fails (${origin(outcome.best)}). The change would ${printWorkspaceEdit(outcome.best.edit)}. Its output:`;
    case "stale":
      return "Files were changed meanwhile, in the lines that the change edits. Run the request again.";
  }
}

function hintOf(refusals: readonly Refusal[], isPasted: boolean): string {
  const kinds = new Set(refusals.map(({ kind }) => kind));
  if (!kinds.has("no-edits") || kinds.has("broken-connection")) return "";
  return noEditsHints[isPasted ? "pasted" : "model"];
}

/** What an answer without any edit mostly means, by who wrote it. */
const noEditsHints = {
  model: " A model that only completes code takes no instructions; `emend setup` finds one that chats.",
  pasted: " Paste the complete answer of the chat, or ask the chat for the format that the prompt describes.",
};

function origin({ format, requests }: EditProposal): string {
  const often = requests === 0 ? "" : requests === 1 ? ", 1 request" : `, ${requests} requests`;
  return `${format === "regions" ? "regions only" : `format ${format}`}${often}`;
}

function notes({ repairs, normalizations, warnings }: EditProposal): readonly string[] {
  return [
    ...repairs.map(({ path, before, message }) =>
      row("repaired", printLocation(path, { line: before.start }), message),
    ),
    ...normalizations.map((normalization) => row("understood", placeOf(normalization), normalization.message)),
    ...warnings.map((warning) => row("warning", "", warning)),
  ];
}

function refusalRows(refusal: Refusal): readonly string[] {
  const nearest = refusal.nearest ?? [];
  const head = row("refused", placeOf(refusal), refusal.message);
  return [head, ...(nearest.length === 0 ? [] : ["  most similar:"]), ...nearest.flatMap(nearestRows)];
}

function firstRowsOf(firstRows: readonly string[] = []): readonly string[] {
  return firstRows.length === 0 ? [] : ["  the answer begins:", ...firstRows.map((text) => `    | ${text}`)];
}

function nearestRows({ start, lines }: NearestLines): readonly string[] {
  return lines.map((line, i) => `  ${String(start + i + 1).padStart(6)} | ${line}`);
}

function issueRow({ file, suspectLine, message, ...range }: AddedIssue): string {
  const line = lineFinder(file.after)(range).start;
  const suspect = suspectLine === line ? "" : ` The mistake is probably in line ${suspectLine + 1}.`;
  return row("broken", printLocation(file.path, { line }), `${withStop(message)}${suspect}`);
}

function placeOf({ row, path }: Pick<Refusal, "row" | "path">): string {
  return [...(path === undefined ? [] : [path]), ...(row === undefined ? [] : [`row ${row + 1} of the answer`])].join(
    ", ",
  );
}

function row(what: string, place: string, message = ""): string {
  return `  ${what.padEnd(10)} ${place}${place !== "" && message !== "" ? ": " : ""}${message}`;
}

/** Adds the full stop that a parser's message may lack. */
function withStop(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
