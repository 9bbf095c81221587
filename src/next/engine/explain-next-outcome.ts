import { Lines, type TextRange } from "../../text/index.ts";
import { describeFilterReason, percent } from "./describe-filter-reason.ts";
import { describeNoNextEdit } from "./describe-no-next-edit.ts";
import type { FilteredProposal, NextEditOutcome, NextEditSuggestion } from "./outcome.ts";
import type { WorkspaceTexts } from "./workspace-texts.ts";

/**
 * Returns an outcome as text for people: the suggestion or the reason for none, the steps of the
 * trace, and the proposals that were filtered out. `files` gives the texts for line numbers.
 */
export function explainNextOutcome(outcome: NextEditOutcome, files: Pick<WorkspaceTexts, "textOf">): string {
  const sections = [
    outcome.kind === "offered"
      ? `${printSuggestion(outcome.suggestion)}\n`
      : `Nothing (${outcome.reason.kind}). ${describeNoNextEdit(outcome.reason)}\n`,
    outcome.trace
      .map(({ step, tookMs, detail }) => `${step.padEnd(8)}${`${tookMs.toFixed(1)} ms`.padStart(10)}  ${detail}\n`)
      .join(""),
  ];
  if (outcome.held.length > 0) sections.push(printFilteredProposals(outcome.held, files));
  return sections.join("\n");
}

/**
 * Returns the location and reason of a suggestion in one line: `src/a.ts:3:7, like your last 2
 * edits (example, 90 %)`.
 */
export function printSuggestion(suggestion: NextEditSuggestion): string {
  const { path, text, place, edit, origin, model, reason, likelihood } = suggestion;
  const who = [
    origin,
    ...(model === undefined ? [] : [model]),
    ...(likelihood === undefined ? [] : [percent(likelihood)]),
  ];
  const what = edit === undefined ? " is worth a look" : "";
  return `${printNextPlace(path, text, place)}${what}, ${reason} (${who.join(", ")})`;
}

/**
 * Returns a location as `path:line:column`, both from 1, columns in UTF-16 units. The path alone
 * where `text` is `undefined` or shorter than the location.
 */
export function printNextPlace(path: string, text: string | undefined, { start }: TextRange): string {
  if (text === undefined || start > text.length) return path;
  const { line, column } = Lines.of(text).positionAt(start);
  return `${path}:${line + 1}:${column + 1}`;
}

function printFilteredProposals(filtered: readonly FilteredProposal[], files: Pick<WorkspaceTexts, "textOf">): string {
  const rows = filtered.map(({ proposal, reason }) => {
    const { path, place, origin, reason: why, likelihood } = proposal;
    const at = printNextPlace(path, files.textOf(path), place);
    return `  ${at}, ${why} (${origin}, ${percent(likelihood)}): ${describeFilterReason(reason)}\n`;
  });
  return `Filtered out:\n${rows.join("")}`;
}
