import { Lines, type TextRange } from "../text/index.ts";
import type { HeldProposal, NextEditOutcome, NextEditSuggestion } from "./outcome.ts";
import { percent, printHoldReason } from "./print-hold-reason.ts";
import { printNextSilence } from "./print-next-silence.ts";
import type { WorkspaceTexts } from "./workspace-texts.ts";

/**
 * An outcome for people: what is suggested or why nothing is, the steps of the walk, and what was proposed and withheld. As JSON an outcome explains
 * itself. `files` has the texts that it is about.
 */
export function explainNextOutcome(outcome: NextEditOutcome, files: Pick<WorkspaceTexts, "textOf">): string {
  const sections = [
    outcome.kind === "offered"
      ? `${printSuggestion(outcome.suggestion)}\n`
      : `Nothing (${outcome.reason.kind}). ${printNextSilence(outcome.reason)}\n`,
    outcome.trace
      .map(({ step, tookMs, detail }) => `${step.padEnd(8)}${`${tookMs.toFixed(1)} ms`.padStart(10)}  ${detail}\n`)
      .join(""),
  ];
  if (outcome.held.length > 0) sections.push(printHeldProposals(outcome.held, files));
  return sections.join("\n");
}

/** Where a suggestion is and why, in one line: `src/a.ts:3:7, like your last 2 edits (example, 90 %)`. */
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

/** A place for people: line and column from 1, columns in UTF-16 units; of a file whose text is not known the path alone. */
export function printNextPlace(path: string, text: string | undefined, { start }: TextRange): string {
  if (text === undefined || start > text.length) return path;
  const { line, column } = Lines.of(text).positionAt(start);
  return `${path}:${line + 1}:${column + 1}`;
}

function printHeldProposals(held: readonly HeldProposal[], files: Pick<WorkspaceTexts, "textOf">): string {
  const rows = held.map(({ proposal, reason }) => {
    const { path, place, origin, reason: why, likelihood } = proposal;
    const at = printNextPlace(path, files.textOf(path), place);
    return `  ${at}, ${why} (${origin}, ${percent(likelihood)}): ${printHoldReason(reason)}\n`;
  });
  return `Withheld:\n${rows.join("")}`;
}
