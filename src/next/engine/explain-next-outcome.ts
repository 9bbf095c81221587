import { Lines, oneLine, type TextRange } from "../../text/index.ts";
import type { Proposal } from "../providers/next-edit-provider.ts";
import type {
  FilteredProposal,
  FilterReason,
  LeftOut,
  NextEditOutcome,
  NextEditSuggestion,
  NoNextEditReason,
} from "./outcome.ts";
import type { WorkspaceTexts } from "./text-index.ts";

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
  if (outcome.filteredOut.length > 0) sections.push(printFilteredProposals(outcome.filteredOut, files));
  return sections.join("\n");
}

/**
 * Returns the location and reason of a suggestion in one line: `src/a.ts:3:7, like your last 2
 * edits (example, 90 %)`.
 */
export function printSuggestion(suggestion: NextEditSuggestion): string {
  const { path, text, place, origin, model, likelihood } = suggestion;
  const who = [
    origin,
    ...(model === undefined ? [] : [model]),
    ...(likelihood === undefined || !isGuess(suggestion) ? [] : [percent(likelihood)]),
  ];
  return `${printNextPlace(path, text, place)}${printProposed(suggestion)} (${who.join(", ")})`;
}

/**
 * Whether a proposal may be wrong: it is no place that has an error, and no edit that fixes one.
 */
export function isGuess({ edit, error, isCertain = false }: Pick<Proposal, "edit" | "error" | "isCertain">): boolean {
  return error === undefined || (edit !== undefined && !isCertain);
}

/**
 * Returns what a proposal does at its place, and why, to be put behind the place: `, like your last
 * 2 edits`, or ` has an error now: ` with the whole message.
 */
export function printProposed(one: Pick<Proposal, "edit" | "reason" | "error" | "isCertain">): string {
  const { edit, reason, error, isCertain = false } = one;
  if (error === undefined) return `${edit === undefined ? " is worth a look" : ""}, ${reason}`;
  const message = oneLine(error.message).replace(/\.$/, "");
  if (edit === undefined) return ` has an error now: ${message}`;
  return `, ${reason}; ${isCertain ? "fixes" : "may fix"}: ${message}`;
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

/**
 * Returns one line on why there is no next edit and, where the user can change that, how. Settings
 * have the names of the settings file.
 */
export function describeNoNextEdit(reason: NoNextEditReason): string {
  switch (reason.kind) {
    case "language-off":
      return reason.setting === "enabled"
        ? "Switched off everywhere by next.enabled; request one by key, or change that setting."
        : `Switched off for ${reason.language} by next.${reason.setting}; request one by key, or change that setting.`;
    case "secret-file":
      return `${reason.path} may contain keys or passwords, so no edits are suggested in it.`;
    case "ignored-file":
      return `${reason.path} is ignored by ${reason.by}; change that rule to have edits suggested in it.`;
    case "too-large":
      return `The document has ${amount(reason.characters)}, more than ${reason.limit.toLocaleString("en")}; raise next.maxDocumentCharacters, or split it.`;
    case "rejected-lately":
      return `A suggestion was just rejected; no next edit is shown automatically for another ${(reason.leftMs / 1000).toFixed(1)} s.`;
    case "cancelled":
      return "The request was cancelled.";
    case "superseded":
      return "A newer request replaced this one.";
    case "hidden":
      return "There is a suggestion for an earlier position of the cursor; move back there to see it.";
    case "nothing-edited":
      return "There is no recent edit that a next edit could follow from.";
    case "nothing-follows":
      return ["No next edit follows from the recent edits.", ...(reason.leftOut ?? []).map(printLeftOut)].join(" ");
    case "model-failed":
      return `The model failed (${reason.code}): ${oneLine(reason.message)}`;
    case "timed-out":
      return `The model proposed no edit within ${(reason.afterMs / 1000).toFixed(1)} s, the limit of next.timeoutMs.`;
    case "model-silent":
      return "The model proposes no change here.";
    case "model-withheld":
      return `What the model proposes here is filtered out: ${describeFilterReason(reason.reason)}.`;
    case "model-cut":
      return reason.why === "length"
        ? "The model's answer reached its length limit before an edit was certain; raise the limit at its server, or configure a model with less reasoning."
        : "The model's server stopped the answer by its content filter before an edit was certain.";
    case "model-unreadable":
      return `The model's answer cannot be read: ${oneLine(reason.message)}`;
    case "model-not-requested":
      return `No request was sent to the model: ${oneLine(reason.why)}`;
  }
}

function amount(characters: number): string {
  return `${characters.toLocaleString("en")} ${characters === 1 ? "character" : "characters"}`;
}

function printLeftOut(left: LeftOut): string {
  if (left.kind === "types")
    return `Type information was not used: the document has ${amount(left.characters)}, more than ${left.limit.toLocaleString("en")}.`;
  if (left.kind === "types-opening")
    return "Type information was not used: the type checker is being opened; request a next edit again.";
  const limit = `within ${(left.limitMs / 1000).toFixed(1)} s; request a next edit again.`;
  if (left.kind === "types-late") return `The type checker had no answer ${limit}`;
  return `Renames were left out: the names of long files were not read ${limit}`;
}

/**
 * Returns one line on why a proposal is filtered out, to be put behind "filtered out:". Settings
 * have the names of the settings file.
 */
export function describeFilterReason(reason: FilterReason): string {
  switch (reason.kind) {
    case "nothing-changes":
      return "the document already contains this change";
    case "white-space-only":
      return "it changes only white space, and next.whiteSpace is off";
    case "import-only":
      return "it changes only imports, and next.imports is off";
    case "too-many-lines":
      return `it has ${reason.lines.toLocaleString("en")} lines, more than next.maxLines`;
    case "special-mark":
      return `it inserts ${JSON.stringify(reason.mark)}, a special token of models or a conflict marker`;
    case "control-character":
      return `it inserts ${reason.code}, an invisible character or half of one, and the file contains none`;
    case "goes-back":
      return reason.stepsAgo === 1 ? "it reverts the last edit" : `it reverts the last ${reason.stepsAgo} edits`;
    case "deletes-typed":
      return `it deletes ${quoted(reason.text)}, which was typed ${ago(reason.stepsAgo)}`;
    case "restores-deleted":
      return `it restores ${quoted(reason.text)}, which was deleted ${ago(reason.stepsAgo)}`;
    case "rejected":
      return "it was rejected before";
    case "unlikely":
      return `its likelihood is below ${percent(reason.threshold)}, the minimum of ${reason.setting ?? "next.eagerness"}`;
    case "secret-file":
      return "its file may contain keys or passwords";
    case "ignored-file":
      return "its file is ignored";
    case "breaks-syntax":
      return `it adds a syntax error: ${oneLine(reason.issue.message)}`;
    case "leaves-undeclared":
      return `it removes the declaration of ${reason.names.map(quoted).join(", ")}, which is still used`;
    case "unknown-members":
      return `it uses the member ${reason.names.map(quoted).join(", ")}, which the workspace does not contain`;
    case "mends-nothing":
      return "it concerns something else of the same name: it fixes no type error";
    case "other-member":
      return "it renames another member of the same name, according to the type checker";
    case "breaks-types": {
      const [first, ...others] = reason.findings;
      const more = others.length === 0 ? "" : `, and ${others.length} more`;
      return `it adds a type error${first === undefined ? "" : `: ${oneLine(first.message)}`}${more}`;
    }
  }
}

/** Formats a share from 0 to 1 as a whole percentage: `85 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function quoted(text: string): string {
  const line = oneLine(text.trim());
  return JSON.stringify(line.length > 40 ? `${line.slice(0, 39)}…` : line);
}

function ago(steps: number): string {
  return steps === 1 ? "with the last edit" : `${steps} edits ago`;
}
