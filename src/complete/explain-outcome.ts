import { explainPrompt } from "../context/index.ts";
import { describeNoSuggestion } from "./describe-no-suggestion.ts";
import type { AcceptanceScore } from "./feedback/acceptance-model.ts";
import type { GhostTextOutcome, Suggestion } from "./outcome.ts";

/**
 * An outcome for people: what was offered or why nothing was, the steps of the walk, why it was
 * taken to be accepted, and what the model was shown. As JSON an outcome explains itself.
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
  const changed = changes.length === 0 ? "" : `, ${changes.join(", ")}`;
  return `${JSON.stringify(ghost)} by ${model} (${origin}${sure}${changed})\n`;
}

/** The score, and what each signal adds to its logarithm of odds, the strongest first. */
function printAcceptance({ score, contributions }: AcceptanceScore): string {
  const rows = contributions.map(({ signal, adds }) => `  ${adds < 0 ? "" : "+"}${adds.toFixed(2)}  ${signal}\n`);
  return `acceptance ${score.toFixed(2)}\n${rows.join("")}`;
}
