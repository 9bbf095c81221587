import { describeReason, printCharacters, printTrace, type ReasonTexts } from "../../complete/index.ts";
import { Lines, oneLine, printLocation, type TextRange } from "../../text/index.ts";
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
    printTrace(outcome.trace),
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
  return printLocation(path, Lines.of(text).positionAt(start));
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
 * Why there is no next edit and, where the user can change that, how. Settings have the names of
 * the settings file.
 */
export const noNextEditTexts: ReasonTexts<NoNextEditReason> = {
  "language-off": ({ setting, language }) =>
    setting === "enabled"
      ? "Switched off everywhere by next.enabled; request one by key, or change that setting."
      : `Switched off for ${language} by next.${setting}; request one by key, or change that setting.`,
  "secret-file": ({ path }) => `${path} may contain keys or passwords, so no edits are suggested in it.`,
  "ignored-file": ({ path, by }) => `${path} is ignored by ${by}; change that rule to have edits suggested in it.`,
  "too-large": ({ characters, limit }) =>
    `The document has ${printCharacters(characters)}, more than ${limit.toLocaleString("en")}; raise next.maxDocumentCharacters, or split it.`,
  "rejected-lately": ({ leftMs }) =>
    `A suggestion was just rejected; no next edit is shown automatically for another ${seconds(leftMs)}.`,
  cancelled: "The request was cancelled.",
  superseded: "A newer request replaced this one.",
  hidden: "There is a suggestion for an earlier position of the cursor; move back there to see it.",
  "nothing-edited": "There is no recent edit that a next edit could follow from.",
  "nothing-follows": ({ leftOut = [] }) =>
    ["No next edit follows from the recent edits.", ...leftOut.map((left) => describeReason(left, leftOutTexts))].join(
      " ",
    ),
  "model-failed": ({ code, message }) => `The model failed (${code}): ${oneLine(message)}`,
  "timed-out": ({ afterMs }) => `The model proposed no edit within ${seconds(afterMs)}, the limit of next.timeoutMs.`,
  "model-silent": "The model proposes no change here.",
  "model-withheld": ({ reason }) => `What the model proposes here is filtered out: ${describeFilterReason(reason)}.`,
  "model-cut": ({ why }) =>
    why === "length"
      ? "The model's answer reached its length limit before an edit was certain; raise the limit at its server, or configure a model with less reasoning."
      : "The model's server stopped the answer by its content filter before an edit was certain.",
  "model-unreadable": ({ message }) => `The model's answer cannot be read: ${oneLine(message)}`,
  "model-not-requested": ({ why }) => `No request was sent to the model: ${oneLine(why)}`,
};

/** Describes in one line why there is no next edit; see {@link noNextEditTexts}. */
export function describeNoNextEdit(reason: NoNextEditReason): string {
  return describeReason(reason, noNextEditTexts);
}

const leftOutTexts: ReasonTexts<LeftOut> = {
  types: ({ characters, limit }) =>
    `Type information was not used: the document has ${printCharacters(characters)}, more than ${limit.toLocaleString("en")}.`,
  "types-opening": "Type information was not used: the type checker is being opened; request a next edit again.",
  "types-late": ({ limitMs }) =>
    `The type checker had no answer within ${seconds(limitMs)}; request a next edit again.`,
  names: ({ limitMs }) =>
    `Renames were left out: the names of long files were not read within ${seconds(limitMs)}; request a next edit again.`,
};

const filterTexts: ReasonTexts<FilterReason> = {
  "nothing-changes": "the document already contains this change",
  "white-space-only": "it changes only white space, and next.whiteSpace is off",
  "import-only": "it changes only imports, and next.imports is off",
  "too-many-lines": ({ lines }) => `it has ${lines.toLocaleString("en")} lines, more than next.maxLines`,
  "special-mark": ({ mark }) => `it inserts ${JSON.stringify(mark)}, a special token of models or a conflict marker`,
  "control-character": ({ code }) =>
    `it inserts ${code}, an invisible character or half of one, and the file contains none`,
  "goes-back": ({ stepsAgo }) =>
    stepsAgo === 1 ? "it reverts the last edit" : `it reverts the last ${stepsAgo} edits`,
  "deletes-typed": ({ text, stepsAgo }) => `it deletes ${quoted(text)}, which was typed ${ago(stepsAgo)}`,
  "restores-deleted": ({ text, stepsAgo }) => `it restores ${quoted(text)}, which was deleted ${ago(stepsAgo)}`,
  rejected: "it was rejected before",
  unlikely: ({ threshold, setting = "next.eagerness" }) =>
    `its likelihood is below ${percent(threshold)}, the minimum of ${setting}`,
  "secret-file": "its file may contain keys or passwords",
  "ignored-file": "its file is ignored",
  "breaks-syntax": ({ issue }) => `it adds a syntax error: ${oneLine(issue.message)}`,
  "leaves-undeclared": ({ names }) =>
    `it removes the declaration of ${names.map(quoted).join(", ")}, which is still used`,
  "unknown-members": ({ names }) =>
    `it uses the member ${names.map(quoted).join(", ")}, which the workspace does not contain`,
  "mends-nothing": "it concerns something else of the same name: it fixes no type error",
  "other-member": "it renames another member of the same name, according to the type checker",
  "breaks-types": ({ findings: [first, ...others] }) => {
    const more = others.length === 0 ? "" : `, and ${others.length} more`;
    return `it adds a type error${first === undefined ? "" : `: ${oneLine(first.message)}`}${more}`;
  },
};

/**
 * Returns one line on why a proposal is filtered out, to be put behind "filtered out:". Settings
 * have the names of the settings file.
 */
export function describeFilterReason(reason: FilterReason): string {
  return describeReason(reason, filterTexts);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
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
