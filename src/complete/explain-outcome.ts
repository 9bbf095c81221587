import { explainPrompt } from "../context/index.ts";
import { oneLine } from "../text/index.ts";
import type { AcceptanceScore } from "./feedback/acceptance-model.ts";
import type { GhostTextOutcome, NoSuggestionReason, Suggestion, SuggestionChange } from "./outcome.ts";

/**
 * Prints an outcome for people, in lines that end with `\n`: the suggestions or why there is none,
 * the steps of the trace with their times, and, where they are known, the acceptance score with its
 * signals and the prompt.
 */
export function explainOutcome(outcome: GhostTextOutcome): string {
  const { trace, acceptance, prompt } = outcome;
  const width = Math.max(8, ...trace.map(({ step }) => step.length + 1));
  const sections = [
    outcome.kind === "offered"
      ? outcome.suggestions.map(printSuggestion).join("")
      : `Nothing (${outcome.reason.kind}). ${describeNoSuggestion(outcome.reason)}\n`,
    trace
      .map(({ step, tookMs, detail }) => `${step.padEnd(width)}${`${tookMs.toFixed(1)} ms`.padStart(10)}  ${detail}\n`)
      .join(""),
  ];
  if (acceptance !== undefined) sections.push(printAcceptance(acceptance));
  if (prompt !== undefined) sections.push(explainPrompt(prompt));
  return sections.join("\n");
}

function printSuggestion({ ghost, probability, origin, model, changes }: Suggestion): string {
  const sure = probability === undefined ? "" : `, ${Math.round(probability * 100)} % sure`;
  const changed = changes.length === 0 ? "" : `; ${changes.map(printChange).join("; ")}`;
  return `${JSON.stringify(ghost)} by ${model} (${origin}${sure}${changed})\n`;
}

/** The score, and what each signal adds to its logarithm of odds, the strongest first. */
function printAcceptance({ score, contributions }: AcceptanceScore): string {
  const rows = contributions.map(({ signal, adds }) => `  ${adds < 0 ? "" : "+"}${adds.toFixed(2)}  ${signal}\n`);
  return `acceptance ${score.toFixed(2)}\n${rows.join("")}`;
}

/**
 * Describes in one line for people why there is no suggestion and, where there is one, the remedy;
 * also why the next model had none. Settings have the names that they have in configuration files.
 */
export function describeNoSuggestion(reason: NoSuggestionReason): string {
  const next = "next" in reason && reason.next !== undefined ? ` Next model: ${describeNoSuggestion(reason.next)}` : "";
  return describeReason(reason) + next;
}

function describeReason(reason: NoSuggestionReason): string {
  switch (reason.kind) {
    case "language-off":
      return reason.setting === "enabled"
        ? "Switched off everywhere by complete.enabled; request it by key, or change that setting."
        : `Switched off for ${reason.language} by complete.${reason.setting}; request it by key, or change that setting.`;
    case "secret-file":
      return `${reason.path} may hold keys or passwords, so no model is shown it.`;
    case "ignored-file":
      return `${reason.path} is ignored by ${reason.by}; change that rule to get suggestions in it.`;
    case "too-little-context":
      return `Only ${amount(reason.characters)} of text where ${reason.needed} are needed; write more, or request it by key.`;
    case "mid-line":
      return `The line continues with ${quoted(reason.rest)}; ghost text appears automatically only at the end of a line. Request it by key.`;
    case "in-comment":
      return "Switched off inside comments by complete.comments; request it by key, or change that setting.";
    case "in-string":
      return "Switched off inside strings by complete.strings; request it by key, or change that setting.";
    case "too-large":
      return `The document has ${amount(reason.characters)}, more than the limit of ${reason.limit.toLocaleString("en")}; raise complete.maxDocumentCharacters, or split the document.`;
    case "low-acceptance":
      return `Filtered out: the score of ${reason.score.toFixed(2)} is below ${reason.threshold}, the threshold of complete.eagerness; request it by key.`;
    case "cancelled":
      return "The editor cancelled the request.";
    case "superseded":
      return "A newer request for this document replaced it.";
    case "timed-out":
      return describeTimeout(reason);
    case "no-model":
      return `No model can fill in code: ${reason.cure}`;
    case "model-failed":
      return `The model failed (${reason.code}): ${oneLine(reason.message)}`;
    case "model-silent":
      return `${reason.model ?? "The model"} has no suggestion here: ${oneLine(reason.why)}.`;
    case "empty":
      return reason.startsWith === "line-break"
        ? `${answerOf(reason)} begins with a line break, but the cursor's line continues.`
        : `${answerOf(reason)} was empty after text that is already there was removed.`;
    case "repeats-itself":
      return `${answerOf(reason)} only repeats itself.`;
    case "repeats-what-follows":
      return `${answerOf(reason)} repeats the text below the cursor.`;
    case "just-deleted":
      return `${quoted(reason.text)} was deleted or undone here; it appears automatically again after you type on this line. Request it by key.`;
    case "breaks-syntax":
      return `The answer${reason.model === undefined ? "" : ` of ${reason.model}`}, and every beginning of it, would break the syntax: ${oneLine(reason.issue)}`;
    case "disagrees-with-picked":
      return "No suggestion continues the selected item of the completion list; select another item, or close the list.";
  }
}

function describeTimeout({ waitedFor, model, afterMs, limit }: Extract<NoSuggestionReason, { kind: "timed-out" }>) {
  const time = seconds(afterMs);
  if (waitedFor === "model") {
    return `No answer of ${model} within ${time}, the limit of complete.timeoutMs: raise it, or take a faster model. \`emend status\` measures the model.`;
  }
  const waited = "its server does not count it, or the workspace is still being read. `emend status` tests the server.";
  return limit === "typing"
    ? `The prompt for ${model} was not ready within ${time}, the limit while you type: ${waited} A request by key waits as long as complete.timeoutMs.`
    : `The prompt for ${model} was not ready within ${time}, the limit of complete.timeoutMs: ${waited}`;
}

function answerOf({ model }: { readonly model?: string }): string {
  return model === undefined ? "The model's answer" : `The answer of ${model}`;
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

/** Describes in a few words how a model's text was changed before it was suggested. */
export function printChange(change: SuggestionChange): string {
  return words[change];
}

const words: Readonly<Record<SuggestionChange, string>> = {
  "kept-whole-lines": "the connection broke: whole lines were kept",
  "trimmed-at-block": "cut where the block ends",
  "trimmed-at-statement": "cut where the statement ends",
  "trimmed-lines": "cut to the number of lines that is allowed here",
  "cut-repetition": "a repetition was removed",
  "cut-following-lines": "lines that repeat the text below were removed",
  "cut-special-token": "cut at a special token of the model",
  "cut-talk": "talk about the text was removed",
  "cut-invisible": "invisible characters were removed",
  "cut-fence": "the code fence around it was removed",
  "cut-echo": "repeated text from before the cursor was removed",
  "cut-other-word": "a word that is not the one at the cursor was removed",
  "cut-closers": "closing brackets that are already there were removed",
  "indentation-fitted": "indented like the surrounding lines",
  "named-open-element": "the closing tag was given the name of the open element",
  "shortened-for-syntax": "shortened to avoid a syntax error",
  "shortened-for-members": "shortened to members that the types have",
};
