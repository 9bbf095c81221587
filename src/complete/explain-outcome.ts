import { explainPrompt } from "../context/index.ts";
import { oneLine } from "../text/index.ts";
import type { AcceptanceScore } from "./feedback/acceptance-model.ts";
import type { GhostTextOutcome, NextModel, NoSuggestionReason, Suggestion, SuggestionChange } from "./outcome.ts";
import { describeReason, printCharacters, printTrace, type ReasonTexts } from "./trace.ts";

/**
 * Prints an outcome for people, in lines that end with `\n`: the suggestions or why there is none,
 * the steps of the trace with their times, and, where they are known, the acceptance score with its
 * signals and the prompt.
 */
export function explainOutcome(outcome: GhostTextOutcome): string {
  const { trace, acceptance, prompt } = outcome;
  const sections = [
    outcome.kind === "offered"
      ? outcome.suggestions.map(printSuggestion).join("")
      : `Nothing (${outcome.reason.kind}). ${describeNoSuggestion(outcome.reason)}\n`,
    printTrace(trace),
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
 * Why there is no suggestion and, where there is one, the remedy; also why the next model had none.
 * Settings have the names that they have in configuration files.
 */
export const noSuggestionTexts: ReasonTexts<NoSuggestionReason> = {
  "language-off": ({ setting, language }) =>
    setting === "enabled"
      ? "Switched off everywhere by complete.enabled; request it by key, or change that setting."
      : `Switched off for ${language} by complete.${setting}; request it by key, or change that setting.`,
  "secret-file": ({ path }) => `${path} may hold keys or passwords, so no model is shown it.`,
  "ignored-file": ({ path, by }) => `${path} is ignored by ${by}; change that rule to get suggestions in it.`,
  "too-little-context": ({ characters, needed }) =>
    `Only ${printCharacters(characters)} of text where ${needed} are needed; write more, or request it by key.`,
  "mid-line": ({ rest }) =>
    `The line continues with ${quoted(rest)}; ghost text appears automatically only at the end of a line. Request it by key.`,
  "in-comment": "Switched off inside comments by complete.comments; request it by key, or change that setting.",
  "in-string": "Switched off inside strings by complete.strings; request it by key, or change that setting.",
  "too-large": ({ characters, limit }) =>
    `The document has ${printCharacters(characters)}, more than the limit of ${limit.toLocaleString("en")}; raise complete.maxDocumentCharacters, or split the document.`,
  "low-acceptance": ({ score, threshold }) =>
    `Filtered out: the score of ${score.toFixed(2)} is below ${threshold}, the threshold of complete.eagerness; request it by key.`,
  cancelled: "The editor cancelled the request.",
  superseded: "A newer request for this document replaced it.",
  "timed-out": (reason) => describeTimeout(reason) + describeNext(reason),
  "no-model": ({ cure }) => `No model can fill in code: ${cure}`,
  "model-failed": (reason) => `The model failed (${reason.code}): ${oneLine(reason.message)}${describeNext(reason)}`,
  "model-silent": ({ model = "The model", why }) => `${model} has no suggestion here: ${oneLine(why)}.`,
  empty: (reason) =>
    reason.startsWith === "line-break"
      ? `${answerOf(reason)} begins with a line break, but the cursor's line continues.`
      : `${answerOf(reason)} was empty after text that is already there was removed.`,
  "repeats-itself": (reason) => `${answerOf(reason)} only repeats itself.`,
  "repeats-what-follows": (reason) => `${answerOf(reason)} repeats the text below the cursor.`,
  "just-deleted": ({ text }) =>
    `${quoted(text)} was deleted or undone here; it appears automatically again after you type on this line. Request it by key.`,
  "breaks-syntax": ({ model, issue }) =>
    `The answer${model === undefined ? "" : ` of ${model}`}, and every beginning of it, would break the syntax: ${oneLine(issue)}`,
  "disagrees-with-picked":
    "No suggestion continues the selected item of the completion list; select another item, or close the list.",
};

/** Describes in one line for people why there is no suggestion; see {@link noSuggestionTexts}. */
export function describeNoSuggestion(reason: NoSuggestionReason): string {
  return describeReason(reason, noSuggestionTexts);
}

function describeNext({ next }: NextModel): string {
  return next === undefined ? "" : ` Next model: ${describeNoSuggestion(next)}`;
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
