import { oneLine } from "../text/index.ts";
import type { NoSuggestionReason } from "./outcome.ts";

/**
 * One line with the reason why nothing is offered and, where there is one, the remedy. Settings are
 * named as the file of settings names them.
 */
export function describeNoSuggestion(reason: NoSuggestionReason): string {
  const next =
    "next" in reason && reason.next !== undefined ? ` The next one: ${describeNoSuggestion(reason.next)}` : "";
  return printFirst(reason) + next;
}

function printFirst(reason: NoSuggestionReason): string {
  switch (reason.kind) {
    case "language-off":
      return reason.setting === "enabled"
        ? "Switched off everywhere by complete.enabled; ask for it by key, or change that setting."
        : `Switched off for ${reason.language} by complete.${reason.setting}; ask for it by key, or change that setting.`;
    case "secret-file":
      return `${reason.path} may hold keys or passwords, so no model is shown it.`;
    case "ignored-file":
      return `${reason.path} is ignored by ${reason.by}; change that rule to have it completed.`;
    case "too-little-context":
      return `Only ${amount(reason.characters)} of text where ${reason.needed} are needed; write a little more, or ask by key.`;
    case "mid-line":
      return `The line goes on with ${quoted(reason.rest)}; ghost text comes by itself only at its end. Ask for it by key.`;
    case "in-comment":
      return "Switched off inside comments by complete.comments; ask for it by key, or change that setting.";
    case "in-string":
      return "Switched off inside strings by complete.strings; ask for it by key, or change that setting.";
    case "too-large":
      return `The document has ${amount(reason.characters)}, more than ${reason.limit.toLocaleString("en")}; raise complete.maxDocumentCharacters, or split it.`;
    case "unwelcome":
      return `Held back: its score of ${reason.score.toFixed(2)} is under ${reason.threshold}, as complete.eagerness wants it; ask for it by key.`;
    case "cancelled":
      return "The editor took the request back.";
    case "superseded":
      return "A newer request for this document took its place.";
    case "timed-out":
      return reason.waitedFor === "prompt"
        ? `What the model is to be shown was not found within ${seconds(reason.afterMs)}; ask again.`
        : `No answer within ${seconds(reason.afterMs)}, the limit of complete.timeoutMs; \`emend status\` measures the model.`;
    case "no-model":
      return `No model can fill in code: ${reason.cure}`;
    case "model-failed":
      return `The model failed (${reason.code}): ${oneLine(reason.message)}`;
    case "model-silent":
      return `The model has nothing to say here: ${oneLine(reason.why)}.`;
    case "empty":
      return reason.startsWith === "line-break"
        ? "The model's answer begins with a line break, but the cursor's line goes on."
        : "The model's answer was empty once what is there already was taken off.";
    case "repeats-itself":
      return "The model only repeated itself.";
    case "repeats-what-follows":
      return "The model wrote what stands below already.";
    case "just-deleted":
      return `${quoted(reason.text)} was deleted or undone here; it comes by itself again once something is written on this line. Ask for it by key.`;
    case "breaks-syntax":
      return `The answer, and every beginning of it, would break the syntax: ${oneLine(reason.issue)}`;
    case "disagrees-with-picked":
      return "Nothing goes on from the word that is picked in the list; pick another, or close the list.";
  }
}

function amount(characters: number): string {
  return `${characters.toLocaleString("en")} character${characters === 1 ? "" : "s"}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toLocaleString("en")} s`;
}

function quoted(text: string): string {
  const shown = text.trim();
  return JSON.stringify(shown.length > 30 ? `${shown.slice(0, 29)}…` : shown);
}
