import {
  type GhostTextOutcome,
  printChange,
  printRefusal,
  type Suggestion,
  tryFirstLine,
} from "../../complete/index.ts";
import type { TokenMatch } from "../../model/index.ts";
import { describeFilterReason, type FilteredProposal, percent, printSuggestion } from "../../next/index.ts";
import type { Explanation, ExplanationRefusal, ExplanationStep, ExplanationToken } from "../protocol/explanation.ts";
import { describeServerNoNextEdit } from "../suggestions/describe-server-no-next-edit.ts";
import { describeServerNoSuggestion } from "../suggestions/describe-server-no-suggestion.ts";
import type { ExplainedOutcome } from "../suggestions/ghost-text-service.ts";
import type { ExplainedNextEdit } from "../suggestions/next-edit-service.ts";
import { toExplanationPieces, toNextEditPieces } from "./explanation-pieces.ts";

/**
 * Returns the line, from 0, of a match of the built-in model; `undefined` where its file has
 * changed since.
 */
export type LineOfMatch = (match: TokenMatch) => number | undefined;

/** Explains a request for ghost text: its trace, prompt and result, ready to be shown. */
export function explainGhostText(
  { uri, position, outcome, nextEdit, reason }: ExplainedOutcome,
  lineOf: LineOfMatch = () => undefined,
): Explanation {
  const suggestion = outcome?.kind === "offered" && nextEdit === undefined ? outcome.suggestions[0] : undefined;
  const silence = reason && { kind: reason.kind, text: describeServerNoSuggestion(reason) };
  const isOffered = suggestion !== undefined && silence === undefined;
  const prompt = outcome?.prompt;
  return {
    ...{ of: "ghost-text", uri, position },
    result: silence?.text ?? (suggestion && printOffer(suggestion)) ?? (nextEdit && printSuggestion(nextEdit)) ?? "",
    ...(silence && { silence }),
    ...(nextEdit?.model !== undefined && { model: nextEdit.model }),
    ...(nextEdit?.likelihood !== undefined && { likelihood: nextEdit.likelihood }),
    ...(isOffered && { model: suggestion.model }),
    ...(isOffered && suggestion.probability !== undefined && { likelihood: suggestion.probability }),
    changes: isOffered ? suggestion.changes.map(printChange) : [],
    ...timelineOf(outcome?.trace ?? []),
    pieces: toExplanationPieces(prompt?.pieces ?? []),
    ...(prompt && { tokens: { used: prompt.tokens, budget: prompt.budget.maxTokens } }),
    ...(outcome?.evidence && { evidence: outcome.evidence.map((token) => toToken(token, lineOf)) }),
    refusals: [
      ...(outcome?.refused ?? []).map((refused) => ({
        ...{ what: refused.line, why: printRefusal(refused), by: refused.model },
      })),
      ...(silence && suggestion
        ? [{ what: firstLine(suggestion.ghost), why: silence.text, by: suggestion.model }]
        : []),
    ],
  };
}

/** Explains a request for a next edit: its trace, prompt and result, ready to be shown. */
export function explainNextEdit({ uri, position, outcome, reason }: ExplainedNextEdit): Explanation {
  const suggestion = outcome?.kind === "offered" ? outcome.suggestion : undefined;
  const silence = reason && { kind: reason.kind, text: describeServerNoNextEdit(reason) };
  const isOffered = suggestion !== undefined && silence === undefined;
  return {
    ...{ of: "next-edit", uri, position },
    result: silence?.text ?? (suggestion === undefined ? "" : printSuggestion(suggestion)),
    ...(silence && { silence }),
    ...(isOffered && suggestion.model !== undefined && { model: suggestion.model }),
    ...(isOffered && suggestion.likelihood !== undefined && { likelihood: suggestion.likelihood }),
    changes: [],
    ...timelineOf(outcome?.trace ?? []),
    pieces: outcome?.shown === undefined ? [] : toNextEditPieces(outcome.shown),
    refusals: [
      ...(outcome?.held ?? []).map(toRefusal),
      ...(silence && suggestion ? [{ what: printSuggestion(suggestion), why: silence.text }] : []),
    ],
  };
}

/** A step of the trace of either engine. */
interface TracedStep {
  readonly step: string;
  readonly tookMs: number;
  readonly detail: string;
}

/** The steps with their start times; each starts when the one before ends. */
function timelineOf(trace: readonly TracedStep[]): Pick<Explanation, "steps" | "totalMs"> {
  const steps: ExplanationStep[] = [];
  let totalMs = 0;
  for (const { step, tookMs, detail } of trace) {
    steps.push({ name: step.replaceAll("-", " "), startMs: totalMs, tookMs, detail });
    totalMs += tookMs;
  }
  return { steps, totalMs };
}

function printOffer({ ghost, model, probability }: Suggestion): string {
  const sure = probability === undefined ? "" : `, ${percent(probability)} sure`;
  return `${JSON.stringify(firstLine(ghost))} by ${model}${sure}`;
}

function toToken(
  { text, probability, contexts, match }: NonNullable<GhostTextOutcome["evidence"]>[number],
  lineOf: LineOfMatch,
): ExplanationToken {
  const token = { text, likelihood: probability, contexts };
  if (match === undefined) return token;
  const line = lineOf(match);
  const origin = line === undefined ? match.path : `${match.path}:${line + 1}`;
  return { ...token, match: { origin, tokens: match.length } };
}

function toRefusal({ proposal, reason }: FilteredProposal): ExplanationRefusal {
  const { path, edit, origin, reason: why } = proposal;
  const written = edit?.edits.find(({ text }) => text.trim() !== "")?.text;
  const what = written === undefined ? `${path}, ${why}` : `${path}: ${firstLine(written)}`;
  return { what, why: describeFilterReason(reason), by: origin };
}

function firstLine(text: string): string {
  return tryFirstLine(text) ?? "";
}
