import type { Connection } from "vscode-languageserver";
import {
  type GhostTextOutcome,
  printChange,
  printRefusal,
  type Suggestion,
  type TracedStep,
  tryFirstLine,
} from "../../complete/index.ts";
import {
  explainPromptLimit,
  type PieceKind,
  type PlacedPiece,
  printPieceOrigin,
  printPromptSize,
  printShortfall,
} from "../../context/index.ts";
import type { TokenMatch } from "../../model/index.ts";
import {
  describeFilterReason,
  type FilteredProposal,
  type NextEditSuggestion,
  percent,
  printSuggestion,
  type ShownPart,
  type ShownPromptInput,
} from "../../next/index.ts";
import { printLocation } from "../../text/index.ts";
import { type CrashLog, serveRequest, wrongParams } from "../guard.ts";
import type {
  Explanation,
  ExplanationParams,
  ExplanationPiece,
  ExplanationRefusal,
  ExplanationStep,
  ExplanationToken,
} from "../protocol/explanation.ts";
import type { ExplainedNextEdit, ExplainedOutcome, RequestLog } from "../request-log.ts";
import type { SessionSet } from "../session-set.ts";
import { describeServerNoNextEdit, describeServerNoSuggestion } from "../suggestions/server-no-suggestion.ts";

/** What the method is served with. */
export interface ExplanationMethodParts {
  readonly connection: Connection;
  readonly requests: RequestLog;
  readonly sessions: Pick<SessionSet, "place">;
  readonly log: CrashLog;
}

/**
 * Serves `emend/explanation`: the explanation of the last request, or `null` where there was none.
 */
export function serveExplanation({ connection, requests, sessions, log }: ExplanationMethodParts): void {
  const explain = async (explained: ExplainedOutcome): Promise<Explanation> => {
    const matches = (explained.outcome?.evidence ?? []).flatMap(({ match }) => match ?? []);
    if (matches.length === 0) return explainGhostText(explained);
    const lines = await sessions.place(explained.uri).session.linesOfMatches(matches);
    return explainGhostText(explained, (match) => lines.get(match));
  };
  serveRequest<ExplanationParams, Explanation | null>(connection, "emend/explanation", log, (params) => {
    switch (params.of ?? requests.later) {
      case undefined:
        return null;
      case "ghost-text":
        return requests.ghostText === undefined ? null : explain(requests.ghostText);
      case "next-edit":
        return requests.nextEdit === undefined ? null : explainNextEdit(requests.nextEdit);
      default:
        throw wrongParams('emend/explanation takes `of`, which is "ghost-text" or "next-edit".');
    }
  });
}

/**
 * Returns the line, from 0, of a match of the built-in model; `undefined` where its file has
 * changed since.
 */
export type LineOfMatch = (match: TokenMatch) => number | undefined;

/**
 * Explains a request for ghost text: its trace, prompt and result, ready to be shown. `lineOf`
 * returns the line, from 0, of a match of the built-in model.
 */
export function explainGhostText(explained: ExplainedOutcome, lineOf: LineOfMatch = () => undefined): Explanation {
  const { uri, position, outcome, nextEdit, reason } = explained;
  const suggestion = outcome?.kind === "offered" && nextEdit === undefined ? outcome.suggestions[0] : undefined;
  const noSuggestion = reason && { kind: reason.kind, text: describeServerNoSuggestion(reason) };
  const isOffered = suggestion !== undefined && noSuggestion === undefined;
  const prompt = outcome?.prompt;
  return {
    ...{ of: "ghost-text", uri, position },
    result:
      noSuggestion?.text ?? (suggestion && printOffer(suggestion)) ?? (nextEdit && printSuggestion(nextEdit)) ?? "",
    ...(noSuggestion && { noSuggestion }),
    ...(nextEdit?.model !== undefined && { model: nextEdit.model }),
    ...(nextEdit?.likelihood !== undefined && { likelihood: nextEdit.likelihood }),
    ...(isOffered && { model: suggestion.model }),
    ...(isOffered && suggestion.probability !== undefined && { likelihood: suggestion.probability }),
    changes: isOffered ? suggestion.changes.map(printChange) : [],
    ...timelineOf(outcome?.trace ?? []),
    pieces: toExplanationPieces(prompt?.pieces ?? []),
    ...(prompt === undefined && { noPrompt: whyNoGhostTextPrompt(explained) }),
    ...(prompt && {
      tokens: {
        ...{ used: prompt.tokens, budget: prompt.budget.maxTokens, size: printPromptSize(prompt) },
        limits: explainPromptLimit(prompt),
      },
    }),
    ...(outcome?.evidence && { evidence: outcome.evidence.map((token) => toToken(token, lineOf)) }),
    refusals: [
      ...(outcome?.refused ?? []).map((refused) => ({
        ...{ what: refused.line, why: printRefusal(refused), by: refused.model },
      })),
      ...(noSuggestion && suggestion
        ? [{ what: firstLine(suggestion.ghost), why: noSuggestion.text, by: suggestion.model }]
        : []),
    ],
  };
}

/** Explains a request for a next edit: its trace, prompt and result, ready to be shown. */
export function explainNextEdit({ uri, position, outcome, reason }: ExplainedNextEdit): Explanation {
  const suggestion = outcome?.kind === "offered" ? outcome.suggestion : undefined;
  const noSuggestion = reason && { kind: reason.kind, text: describeServerNoNextEdit(reason) };
  const isOffered = suggestion !== undefined && noSuggestion === undefined;
  return {
    ...{ of: "next-edit", uri, position },
    result: noSuggestion?.text ?? (suggestion === undefined ? "" : printSuggestion(suggestion)),
    ...(noSuggestion && { noSuggestion }),
    ...(isOffered && suggestion.model !== undefined && { model: suggestion.model }),
    ...(isOffered && suggestion.likelihood !== undefined && { likelihood: suggestion.likelihood }),
    changes: [],
    ...timelineOf(outcome?.trace ?? []),
    ...(outcome?.shown === undefined
      ? { pieces: [], noPrompt: whyNoNextEditPrompt(suggestion) }
      : { pieces: toNextEditPieces(outcome.shown) }),
    refusals: [
      ...(outcome?.filteredOut ?? []).filter((filtered) => !comesWith(filtered, suggestion)).map(toRefusal),
      ...(noSuggestion && suggestion ? [{ what: printSuggestion(suggestion), why: noSuggestion.text }] : []),
    ],
  };
}

function whyNoGhostTextPrompt({ outcome, nextEdit, reason }: ExplainedOutcome): string {
  if (nextEdit !== undefined) return "The suggestion is a next edit.";
  const author = outcome?.kind === "offered" ? outcome.suggestions[0].model : undefined;
  if (author !== undefined && author !== "builtin") return "The suggestion is an earlier answer of the model.";
  // Of all models, the built-in one alone is requested without a prompt.
  const isRequested = outcome?.trace.some(({ step }) => step === "model") && !isBeforeRequest(reason);
  return author === "builtin" || isRequested
    ? "The built-in model has learnt your files and needs only the text before the cursor."
    : noRequest;
}

/** Whether a reason that a trace has as that of its model is from before a request. */
function isBeforeRequest(reason: ExplainedOutcome["reason"]): boolean {
  if (reason?.kind === "timed-out") return reason.waitedFor === "prompt";
  return reason?.kind === "no-model" || reason?.kind === "cancelled" || reason?.kind === "superseded";
}

const noRequest = "No model was requested.";

function whyNoNextEditPrompt(suggestion: NextEditSuggestion | undefined): string {
  if (suggestion === undefined) return noRequest;
  return suggestion.model === undefined
    ? "The next edit was found without a model request."
    : "The suggestion is an earlier answer of the model.";
}

/**
 * Whether a proposal that was too unlikely to come first is accepted with the suggestion, as one of
 * its chain.
 */
function comesWith({ proposal, reason }: FilteredProposal, suggestion: NextEditSuggestion | undefined): boolean {
  if (reason.kind !== "unlikely") return false;
  const { path, place } = proposal;
  const isSame = (one: typeof proposal) =>
    one.path === path && one.place.start === place.start && one.place.end === place.end;
  return suggestion?.others.some(isSame) === true;
}

/** The steps with their start times; each starts when the one before ends. */
function timelineOf(trace: readonly TracedStep<string>[]): Pick<Explanation, "steps" | "totalMs"> {
  const steps: ExplanationStep[] = [];
  let totalMs = 0;
  for (const { step, tookMs, detail } of trace) {
    steps.push({ name: step.replaceAll("-", " "), title: stepTitleOf(step), startMs: totalMs, tookMs, detail });
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
  const origin = printLocation(match.path, { line: lineOf(match) });
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

/**
 * The pieces of a prompt, ready to be shown: those in the prompt in their order, then those left
 * out.
 */
function toExplanationPieces(pieces: readonly PlacedPiece[]): readonly ExplanationPiece[] {
  return pieces.map((piece) => {
    const why = printShortfall(piece);
    const { kind, status, hidden = 0 } = piece;
    const shown = hidden === 0 ? "" : `, ${hidden} ${hidden === 1 ? "secret" : "secrets"} hidden`;
    return {
      title: titles[kind] + shown,
      origin: printPieceOrigin(piece),
      tokens: piece.tokens,
      status: statuses[status.kind],
      ...(why !== undefined && { why }),
      text: status.kind === "left-out" ? "" : shownPart(piece),
    };
  });
}

const statuses = { written: "whole", clipped: "cut", "left-out": "left out" } as const;

const titles: Readonly<Record<PieceKind, string>> = {
  "before-cursor": "the text before the cursor",
  "after-cursor": "the text after the cursor",
  marker: "the file's path",
  imports: "declarations of imports",
  symbols: "declarations of names nearby",
  similar: "similar code in open files",
  retrieved: "code found in the workspace",
  "recent-edits": "recent edits",
  diagnostics: "diagnostics",
  "git-diff": "uncommitted changes",
};

/** The parts of a next edit's prompt, ready to be shown, then what did not fit its budget. */
function toNextEditPieces({ parts, leftOut }: ShownPromptInput): readonly ExplanationPiece[] {
  const shown = parts.map(
    (part): ExplanationPiece => ({
      ...{ title: partTitles[part.kind], origin: printPieceOrigin(part) },
      ...{ tokens: part.tokens, status: "whole", text: part.text },
    }),
  );
  const missing = (["edits", "viewed", "diagnostics"] as const).flatMap((kind): readonly ExplanationPiece[] => {
    const count = leftOut[kind];
    if (count === 0) return [];
    const origin = `${count} more`;
    return [{ title: leftOutTitles[kind], origin, tokens: 0, status: "left out", why: "over the budget", text: "" }];
  });
  return [...shown, ...missing];
}

const partTitles: Readonly<Record<ShownPart["kind"], string>> = {
  above: "the lines above the editable region",
  window: "the editable region",
  below: "the lines below the editable region",
  edit: "a recent edit",
  viewed: "a recently viewed snippet",
  diagnostic: "a diagnostic",
};

const leftOutTitles = {
  edits: "older edits",
  viewed: "snippets viewed earlier",
  diagnostics: "diagnostics further away",
} as const;

/** The longest text of a piece that is sent, in UTF-16 code units. */
const maxText = 20_000;

/** The text of a piece to send: of a long one the part next to the cursor. */
function shownPart({ kind, text }: PlacedPiece): string {
  if (text.length <= maxText) return text;
  return kind === "before-cursor" ? `…${text.slice(-maxText)}` : `${text.slice(0, maxText)}…`;
}

/** The titles of the steps of both engines, for every client. */
const stepTitles: Readonly<Record<string, string>> = {
  gate: "Whether to suggest",
  reuse: "Earlier answers",
  sources: "Proposals",
  context: "Context",
  prompt: "Prompt",
  "first-token": "First text of the model",
  model: "Model",
  trim: "End of the text",
  check: "Checks",
  offer: "Suggestion",
};

/** The title of a step of a trace; a step without one keeps its name. */
export function stepTitleOf(step: string): string {
  return stepTitles[step] ?? step.replaceAll("-", " ");
}
