import { oneLine } from "../../text/index.ts";
import { describeFilterReason } from "./describe-filter-reason.ts";
import type { LeftOut, NoNextEditReason } from "./outcome.ts";

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
    case "model-not-asked":
      return `No request was sent to the model: ${oneLine(reason.why)}`;
  }
}

function amount(characters: number): string {
  return `${characters.toLocaleString("en")} ${characters === 1 ? "character" : "characters"}`;
}

function printLeftOut(left: LeftOut): string {
  if (left.kind === "types")
    return `Type information was not used: the document has ${amount(left.characters)}, more than ${left.limit.toLocaleString("en")}.`;
  return `Renames were left out: the names of long files were not read within ${(left.limitMs / 1000).toFixed(1)} s; request a next edit again.`;
}
