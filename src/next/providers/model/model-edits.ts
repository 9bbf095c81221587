import type { Clock } from "../../../async/index.ts";
import { estimatingCounter } from "../../../context/index.ts";
import { type Model, type ModelCallOptions, promptLimits } from "../../../model/index.ts";
import type { SyntaxErrorCache } from "../../../syntax/index.ts";
import type { Edit } from "../../../text/index.ts";
import type { NextEditSettings } from "../../engine/settings.ts";
import type { NextEditQuestion } from "../../formats/next-edit-format.ts";
import type { KnownModel } from "../../formats/next-edit-formats.ts";
import {
  halvedSettings,
  type PromptInputRequest,
  type ShownPromptInput,
  settingsWithin,
  shownPromptInput,
  tryBuildPromptInput,
} from "./build-prompt-input.ts";
import { chooseFormat } from "./choose-next-format.ts";
import type { NextEditPromptInput } from "./next-edit-prompt-input.ts";
import { type ModelRequestEnd, requestNextEdits } from "./request-next-edits.ts";
import { type DroppedEdit, SyntaxSafeEdits } from "./syntax-safe-edits.ts";

/** The place of the cursor, and what the prompt may contain. */
export type ModelEditsRequest = Omit<PromptInputRequest, "counter" | "isRetry">;

/** A model, and what is known of it. */
export interface RequestedModel {
  readonly model: Model;
  readonly known: KnownModel;
}

/** A model, and the models that are requested where it cannot answer, in order of preference. */
export interface RequestedModels extends RequestedModel {
  readonly others?: readonly RequestedModel[];
}

/** The dependencies of {@link modelEdits}; the host owns all of them. */
interface ModelEditsParts extends RequestedModels {
  readonly syntaxErrors: SyntaxErrorCache;
  readonly clock: Clock;
  readonly settings: Pick<NextEditSettings, "context" | "timeoutMs" | "format">;
  /** Called with the prompt input before each request to a model. */
  onAsk?(shown: ShownPromptInput): void;
}

/** How a request for next edits to models ended. */
export interface ModelEditsEnd {
  /** The end of the last answer; of the first failure where all models failed. */
  readonly answer: ModelRequestEnd;
  /**
   * How often the model of this answer was requested: twice where it proposed nothing and could be
   * shown a larger editable region. One that was too long, and was sent again with half of the
   * lines, does not count.
   */
  readonly requests: 0 | 1 | 2;
  /**
   * Edits of the answer that were filtered out for their syntax errors, in the order of the text.
   */
  readonly dropped: readonly DroppedEdit[];
}

/**
 * Yields the next edits that a model proposes at a place, step by step, as soon as each is certain.
 * Returns how the request ended, failures included.
 *
 * All offsets refer to the text of the request; the steps come in its order and do not overlap.
 * Law: after each step in turn the file has no new syntax error. An edit that would add one waits
 * for the edits after it; if these do not complete it, its brackets are repaired, or it is dropped.
 *
 * When a model fails, times out or cannot be requested before it has proposed anything, the next
 * one is requested. Each call begins with the first model.
 *
 * Leaving the loop early stops the model. An abort rejects with the signal's own reason. Rejects
 * with `EmendError` `out-of-bounds` where the cursor is outside of the text.
 */
export async function* modelEdits(
  request: ModelEditsRequest,
  parts: ModelEditsParts,
  options: ModelCallOptions = {},
): AsyncGenerator<Edit, ModelEditsEnd> {
  let failure: ModelEditsEnd | undefined;
  for (const { model, known } of [parts, ...(parts.others ?? [])]) {
    const edits = editsOf(request, { ...parts, model, known }, options);
    let hasProposed = false;
    try {
      for (;;) {
        const next = await edits.next();
        if (next.done !== true) {
          hasProposed = true;
          yield next.value;
          continue;
        }
        if (hasProposed || !withoutAnswer.has(next.value.answer.kind)) return next.value;
        // A failure has advice, so it is preferred to the reason why a model was not requested.
        if (failure === undefined || notRequested.has(failure.answer.kind)) failure = next.value;
        break;
      }
    } finally {
      await edits.return({ answer: { kind: "read" }, requests: 0, dropped: [] });
    }
  }
  return failure!;
}

/** The ends after which another model may be requested. */
const notRequested: ReadonlySet<ModelRequestEnd["kind"]> = new Set(["refused", "cannot"]);
const withoutAnswer: ReadonlySet<ModelRequestEnd["kind"]> = new Set([...notRequested, "failed", "timed-out"]);

async function* editsOf(
  request: ModelEditsRequest,
  parts: Omit<ModelEditsParts, "others">,
  options: ModelCallOptions,
): AsyncGenerator<Edit, ModelEditsEnd> {
  const { model, known, clock, settings } = parts;
  const { signal } = options;
  const cannot = (message: string): ModelEditsEnd => ({
    answer: { kind: "cannot", message },
    requests: 0,
    dropped: [],
  });
  signal?.throwIfAborted();
  const choice = await chooseFormat(settings.format, { model, known, clock, limitMs: settings.timeoutMs, ...options });
  if (choice.kind === "none") return cannot(choice.reason);
  const { format } = choice;
  const { counter, contextTokens } = await promptLimits(model, { ...options, language: request.language });
  let within = settingsWithin(settings.context, contextTokens);
  const promptInputOf = (isRetry: boolean): NextEditPromptInput | undefined =>
    tryBuildPromptInput({ ...request, isRetry, ...(counter === undefined ? {} : { counter }) }, within);
  let promptInput = promptInputOf(false);
  if (promptInput === undefined)
    return cannot(
      `The line of the cursor alone has more than ${within.regionTokens} tokens, the limit of the editable region.`,
    );

  const notifyShown = (shown: NextEditPromptInput) =>
    parts.onAsk?.(
      shownPromptInput(shown, request, {
        ...{ model: model.name, format: format.name },
        counter: counter ?? estimatingCounter(request.language),
      }),
    );
  const limits = { clock, limitMs: settings.timeoutMs };
  const requestOptions: RequestOptions = { model, format, ...limits, ...(counter && { counter }), ...options };
  notifyShown(promptInput);
  let answered = yield* requestOnce(promptInput, requestOptions, parts.syntaxErrors);
  if (isTooLong(answered)) {
    within = halvedSettings(within);
    const smaller = promptInputOf(false);
    if (smaller !== undefined) {
      promptInput = smaller;
      notifyShown(smaller);
      answered = yield* requestOnce(smaller, requestOptions, parts.syntaxErrors);
    }
  }
  const { isEmpty, ...first } = answered;
  if (!isEmpty || first.answer.kind !== "read") return { ...first, requests: 1 };
  const wider = promptInputOf(true);
  const isWider = wider !== undefined && wider.window.end > promptInput.window.end;
  // A format may show the same for a larger region.
  if (!isWider || isAlike(format.ask(promptInput), format.ask(wider))) return { ...first, requests: 1 };
  signal?.throwIfAborted();
  notifyShown(wider);
  const { isEmpty: _, ...second } = yield* requestOnce(wider, requestOptions, parts.syntaxErrors);
  return { ...second, requests: 2 };
}

/** Whether the model did not take the prompt, as it is too long for its context. */
function isTooLong({ answer, isEmpty }: OneAnswer): boolean {
  return isEmpty && answer.kind === "failed" && answer.code === "context-too-long";
}

type RequestOptions = Parameters<typeof requestNextEdits>[1];

function isAlike(one: NextEditQuestion, other: NextEditQuestion): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The end of one answer, and whether it proposed nothing. */
type OneAnswer = Omit<ModelEditsEnd, "requests"> & { readonly isEmpty: boolean };

async function* requestOnce(
  promptInput: NextEditPromptInput,
  request: RequestOptions,
  errors: SyntaxErrorCache,
): AsyncGenerator<Edit, OneAnswer> {
  const steps = new SyntaxSafeEdits({ ...promptInput, uri: promptInput.path }, errors);
  const edits = requestNextEdits(promptInput, request);
  let isEmpty = true;
  try {
    for (;;) {
      const next = await edits.next();
      if (next.done === true) {
        const dropped = yield* steps.end({ repairsBrackets: next.value.kind === "read" });
        return { answer: next.value, dropped, isEmpty };
      }
      const { start, end, text } = next.value;
      if (text === promptInput.text.slice(start, end)) continue;
      isEmpty = false;
      const step = await steps.push(next.value);
      request.signal?.throwIfAborted();
      if (step !== undefined) yield step;
    }
  } finally {
    await edits.return({ kind: "read" });
  }
}
