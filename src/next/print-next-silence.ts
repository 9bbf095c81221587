import { oneLine } from "../text/index.ts";
import type { NextSilence } from "./outcome.ts";
import { printHoldReason } from "./print-hold-reason.ts";

/**
 * One line that says why no next edit is offered and, where something can be done about it, what. Settings are named as the file of settings names
 * them.
 */
export function printNextSilence(reason: NextSilence): string {
  switch (reason.kind) {
    case "language-off":
      return reason.setting === "enabled"
        ? "Switched off everywhere by next.enabled; ask for it by key, or change that setting."
        : `Switched off for ${reason.language} by next.${reason.setting}; ask for it by key, or change that setting.`;
    case "secret-file":
      return `${reason.path} may hold keys or passwords, so nothing is looked at in it.`;
    case "ignored-file":
      return `${reason.path} is ignored by ${reason.by}; change that rule to have edits suggested in it.`;
    case "too-large":
      return `The document has ${amount(reason.characters)}, more than ${reason.limit.toLocaleString("en")}; raise next.maxDocumentCharacters, or split it.`;
    case "rejected-lately":
      return `Something was rejected a moment ago; nothing comes by itself for another ${(reason.leftMs / 1000).toFixed(1)} s.`;
    case "cancelled":
      return "The request was taken back.";
    case "superseded":
      return "A newer request took its place.";
    case "hidden":
      return "There is a suggestion for where the cursor was; go back there to see it.";
    case "nothing-edited":
      return "Nothing was edited lately that anything could follow from.";
    case "nothing-follows":
      return "Nothing that may be offered follows from the last edits.";
    case "model-failed":
      return `The model failed (${reason.code}): ${oneLine(reason.message)}`;
    case "timed-out":
      return `No edit of the model within ${(reason.afterMs / 1000).toFixed(1)} s, the limit of next.timeoutMs.`;
    case "model-silent":
      return "The model has nothing to change here.";
    case "model-withheld":
      return `What the model proposes here is withheld: ${printHoldReason(reason.reason)}.`;
    case "model-cut":
      return reason.why === "length"
        ? "The model's answer was cut at its longest before an edit was sure; let its server answer at more length, or name a model that thinks less."
        : "The model's server held its answer back before an edit was sure.";
    case "model-unreadable":
      return `The model's answer cannot be read: ${oneLine(reason.message)}`;
    case "model-not-asked":
      return `The model cannot be asked here: ${oneLine(reason.why)}`;
  }
}

function amount(characters: number): string {
  return `${characters.toLocaleString("en")} ${characters === 1 ? "character" : "characters"}`;
}
