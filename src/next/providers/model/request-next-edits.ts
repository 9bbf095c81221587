import { StopFilter } from "../../../answers/index.ts";
import { type Clock, LinkedController, withTimeout } from "../../../async/index.ts";
import { estimatingCounter } from "../../../context/index.ts";
import type { Model, ModelCallOptions, TokenCounter } from "../../../model/index.ts";
import { EmendError, errorMessage, InvariantError, Lines } from "../../../text/index.ts";
import type {
  ModelAnswer,
  NextEditFormat,
  NextEditFormatName,
  NextEditQuestion,
  PromptRefusal,
  ReadEdit,
  ReadEnd,
} from "../../formats/next-edit-format.ts";
import type { NextEditPromptInput } from "./next-edit-prompt-input.ts";

/** How a request to a model ended. The edits yielded before are valid in any case. */
export type ModelRequestEnd =
  | ReadEnd
  /** The model failed; `code` is a `ModelFailure` or `unknown`. The message contains the remedy. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  /** The first edit, the next edit or the end took longer than the limit. */
  | { readonly kind: "timed-out"; readonly afterMs: number }
  /** The format cannot write the place. */
  | { readonly kind: "refused"; readonly reason: PromptRefusal }
  /** The model cannot be requested. The message contains the remedy. */
  | { readonly kind: "cannot"; readonly message: string };

/** The model, the format, and the time limit. */
interface ModelRequestOptions extends ModelCallOptions {
  readonly model: Model;
  readonly format: NextEditFormat;
  /** Counts tokens as the model does; estimated by the language unless set. */
  readonly counter?: TokenCounter;
  readonly clock: Clock;
  /** The most milliseconds to the first edit, between two edits, and to the end. */
  readonly limitMs: number;
}

/**
 * Requests the next edits of a prompt input from a model, and yields the edits of its answer as
 * they become certain; see `NextEditFormat.read`. Returns how the request ended: a failing model is
 * an end, not an exception; only an `InvariantError` is thrown.
 *
 * The request is aborted on timeout, when the signal aborts, or when the consumer leaves, even if
 * the model ignores it. An abort rejects with the signal's own reason.
 */
export async function* requestNextEdits(
  promptInput: NextEditPromptInput,
  { model, format, counter, clock, limitMs, signal }: ModelRequestOptions,
): AsyncGenerator<ReadEdit, ModelRequestEnd> {
  signal?.throwIfAborted();
  const question = format.ask(promptInput);
  if (question.kind === "refused") return question;
  const connection = new LinkedController(signal);
  const answer = openAnswer(model, question, {
    ...{ promptInput, format: format.name, signal: connection.signal },
    answerTokens: answerTokens(promptInput, counter),
  });
  if ("message" in answer) return { kind: "cannot", message: answer.message };

  const edits = format.read(answer, promptInput);
  const late = new EmendError("not-wanted", "This answer is no longer needed.");
  let isOver = false;
  try {
    for (;;) {
      const next = await withTimeout(edits.next(), { clock, limitMs, signal, late: () => late });
      isOver = next.done === true;
      if (next.done === true) return next.value;
      yield next.value;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error === late) return { kind: "timed-out", afterMs: limitMs };
    return failureOf(error);
  } finally {
    connection[Symbol.dispose]();
    // After its own end the connection may be reused.
    if (!isOver) {
      connection.abort(late);
      // The model may ignore the abort, so its end is not awaited.
      edits.return({ kind: "read" }).catch(() => undefined);
    }
  }
}

function failureOf(error: unknown): ModelRequestEnd {
  if (error instanceof InvariantError) throw error;
  const message = errorMessage(error);
  return { kind: "failed", code: error instanceof EmendError ? error.code : "unknown", message };
}

/** A prompt that can be sent. */
type SendablePrompt = Exclude<NextEditQuestion, { kind: "refused" }>;

/** The prompt input and format of a request, and the signal that aborts it. */
interface QuestionContext extends ModelCallOptions {
  readonly promptInput: NextEditPromptInput;
  readonly format: NextEditFormatName;
  /** The most tokens of an answer that rewrites the editable region. */
  readonly answerTokens: number;
}

/**
 * Starts a model's answer with the method of the model that the prompt needs (chat, raw or fill),
 * or returns a message with the remedy where the model lacks it. The request is sent when the
 * answer is first read.
 */
function openAnswer(
  model: Model,
  question: SendablePrompt,
  { promptInput, format, answerTokens: maxTokens, signal }: QuestionContext,
): ModelAnswer | { readonly message: string } {
  const options = signal === undefined ? {} : { signal };
  switch (question.kind) {
    case "chat": {
      const { messages, stop } = question;
      // The tokens of a chat answer are not limited, because the length of a model's reasoning is
      // unknown.
      return model.chat === undefined
        ? lacks(model, format, "cannot chat", "Set `next.format` to `auto`, or name a model that can chat.")
        : untilStop(model.chat({ messages }, options), stop);
    }
    case "raw": {
      const { prompt, stop } = question;
      const request = { prompt, stop, maxTokens, temperature: 0 };
      const cure = "Serve it by llama.cpp, Ollama, vLLM or LM Studio, or set `next.format` to `chat`.";
      return model.completeRaw?.(request, options) ?? lacks(model, format, "cannot complete a raw prompt", cure);
    }
    case "fill": {
      const { prefix, suffix, stop } = question;
      const { path, language, window } = promptInput;
      const limits = { maxLines: window.end - window.start + moreLines, maxTokens };
      const request = { path, language, prefix, suffix, ...limits, temperature: 0 };
      return model.fill === undefined
        ? lacks(model, format, "cannot fill in the middle", "Set `next.format` to `chat` if it can chat.")
        : untilStop(model.fill(request, options), stop);
    }
  }
}

function lacks({ name }: Model, format: NextEditFormatName, what: string, cure: string): { readonly message: string } {
  return { message: `The model ${name} ${what}, which the format ${format} needs. ${cure}` };
}

/**
 * The most tokens of an answer that rewrites the editable region: twice its tokens, and at least
 * {@link moreTokens} more.
 */
function answerTokens(
  { text, window, language }: NextEditPromptInput,
  counter: TokenCounter = estimatingCounter(language),
): number {
  const lines = Lines.of(text);
  const shown = text.slice(lines.start(window.start), lines.end(window.end - 1));
  const tokens = counter.count(shown);
  return tokens + Math.max(tokens, moreTokens);
}

/** How many lines more than the editable region may fill a hole in it. */
const moreLines = 15;

/** How many tokens an answer may always have beyond the editable region. */
const moreTokens = 512;

/** Cuts an answer before the first of the stop texts, for methods without a stop option. */
async function* untilStop(answer: ModelAnswer, stops: readonly string[]): ModelAnswer {
  const filter = new StopFilter(stops);
  try {
    for (;;) {
      const next = await answer.next();
      const text = next.done === true ? filter.end() : filter.push(next.value.text);
      if (text !== "") yield { kind: "text-delta", text };
      if (filter.isOver) return { reason: "finished" };
      if (next.done === true) return next.value;
    }
  } finally {
    await answer.return({ reason: "finished" });
  }
}
