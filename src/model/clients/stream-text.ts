import {
  type AnswerPlace,
  LineLimit,
  pipeline,
  type ReadBeginning,
  readOpening,
  readOpeningAt,
  StopFilter,
  type StreamFilter,
  WholeCharacters,
} from "../../answers/index.ts";
import type { ModelCallOptions, ModelEnd, TextPart } from "../model.ts";
import type { ModelServer, OpenAnswer } from "./model-server.ts";
import { type FillTemplating, restoreOpeningTag } from "./restore-opening-tag.ts";
import type { Message } from "./server-answer.ts";
import type { TextCall, WirePart } from "./server-client.ts";

/** How much text is wanted. */
export interface FillLimits {
  /** At least 1. */
  readonly maxLines: number;
  /**
   * Where the text goes, which decides what may precede it in an answer; default: a place in code.
   */
  readonly place?: AnswerPlace;
  /** How a server with a template for reasoning is known; never held to be one unless set. */
  readonly templating?: FillTemplating | undefined;
}

/**
 * Streams the text of a fill: whole characters, up to the first of the call's cuts, and at most
 * `maxLines` lines. The connection is closed as soon as these have arrived, and when the reader
 * leaves early.
 *
 * Rejects as {@link ModelServer.open} does, and with `ModelError` where the answer is cut off, is
 * of another protocol, or reports an error; the text before it has been yielded then.
 */
export async function* streamFill(
  server: ModelServer,
  call: TextCall,
  { maxLines, place, templating }: FillLimits,
  options: ModelCallOptions,
): AsyncGenerator<TextPart, ModelEnd> {
  const answer = await server.open(call.request, options.signal);
  try {
    const wireParts = readParts(server, answer, call);
    const parts = templating === undefined ? wireParts : restoreOpeningTag(wireParts, { ...templating, ...options });
    const opening: ReadBeginning | undefined =
      place === undefined ? undefined : (text, isWhole) => readOpeningAt(text, place, isWhole)?.length;
    return yield* cutText(parts, { cuts: call.cuts, maxLines, opening, ...options });
  } finally {
    answer.leave();
  }
}

/** What {@link cutText} keeps to. */
export interface CutOptions extends Pick<FillLimits, "maxLines">, Pick<ModelCallOptions, "signal"> {
  readonly cuts: readonly string[];
  /**
   * The length of the text before the text itself in an answer, see {@link readOpening}, which is
   * used unless this is set.
   */
  readonly opening?: ReadBeginning | undefined;
}

const readAny: ReadBeginning = (text, isWhole) => readOpening(text, { isWhole, sentences: true, fences: true })?.length;

/**
 * The part of a streamed answer that {@link streamFill} lets through, and how it ended; see
 * {@link filterParts}.
 *
 * Lines before the text itself, see {@link readOpening}, do not count towards `maxLines`. They are
 * passed on: the caller, which has the place, removes them. What may be such lines is held back
 * until it is decided.
 */
export function cutText(
  parts: AsyncIterable<WirePart>,
  { cuts, maxLines, opening = readAny, signal }: CutOptions,
): AsyncGenerator<TextPart, ModelEnd> {
  const filters = [new StopFilter(cuts), new WholeCharacters(), new LineLimit(maxLines, opening)];
  return filterParts(parts, pipeline(filters), signal);
}

/**
 * The text of a streamed answer that a filter lets through, up to where it is over, and how the
 * answer ended; the last part must have an end. Rejects with the signal's reason, and with what
 * `parts` rejects with.
 */
export async function* filterParts(
  parts: AsyncIterable<WirePart>,
  filter: StreamFilter,
  signal?: AbortSignal,
): AsyncGenerator<TextPart, ModelEnd> {
  let logProbability: number | undefined;
  let end: WirePart["end"];
  let times: Pick<ModelEnd, "evaluated" | "generated"> = {};
  let isBehindReasoning = false;
  for await (const part of parts) {
    // Parts that arrived together are read without a wait, so an abort between them has to be
    // checked here.
    signal?.throwIfAborted();
    if (part.logProbability !== undefined) logProbability = (logProbability ?? 0) + part.logProbability;
    if (part.isReasoning === true) isBehindReasoning = true;
    const { evaluated, generated } = part;
    times = { ...times, ...(evaluated && { evaluated }), ...(generated && { generated }) };
    const text = filter.push(part.text ?? "");
    const isCut = filter.isOver;
    const rest = part.end === undefined ? "" : filter.end();
    if (text + rest !== "")
      yield { kind: "text-delta", text: text + rest, ...(isBehindReasoning && { isBehindReasoning }) };
    end = isCut ? "finished" : part.end;
    if (filter.isOver) break;
  }
  const probability = logProbability === undefined ? {} : { probability: Math.exp(Math.min(0, logProbability)) };
  const known = { ...probability, ...times };
  if (filter.removed.has("lines")) return { reason: "length", limit: "lines", ...known };
  if (end === "guide") return { reason: "length", limit: "guide", ...known };
  return end === "length" ? { reason: end, limit: "tokens", ...known } : { reason: end ?? "finished", ...known };
}

/**
 * Streams the continuation of a prompt or the answer in a chat: whole characters, up to the first
 * of the call's cuts. The connection is closed there, and when the reader leaves early.
 *
 * Rejects as {@link ModelServer.open} does, and with `ModelError` where the answer is cut off, is
 * of another protocol, or reports an error; the text before it has been yielded then.
 */
export async function* streamRaw(
  server: ModelServer,
  call: TextCall,
  options: ModelCallOptions,
): AsyncGenerator<TextPart, ModelEnd> {
  const answer = await server.open(call.request, options.signal);
  try {
    return yield* cutAtStops(readParts(server, answer, call), { stops: call.cuts, ...options });
  } finally {
    answer.leave();
  }
}

/**
 * The text of a streamed answer up to the first of `stops`, see {@link streamRaw}, and how it
 * ended; see {@link filterParts}.
 */
export function cutAtStops(
  parts: AsyncIterable<WirePart>,
  { stops, signal }: ModelCallOptions & { readonly stops: readonly string[] },
): AsyncGenerator<TextPart, ModelEnd> {
  return filterParts(parts, pipeline([new StopFilter(stops), new WholeCharacters()]), signal);
}

/**
 * The parts of an answer's messages; the last one has an `end`.
 *
 * Throws `ModelError` for an answer without an end, for one of another protocol, and for one that
 * reports an error.
 */
async function* readParts(server: ModelServer, answer: OpenAnswer, call: TextCall): AsyncGenerator<WirePart, void> {
  let strange: Message | undefined;
  let hasText = false;
  for (;;) {
    const { done, value } = await answer.messages.next();
    if (done === true && strange !== undefined && !hasText) throw server.strangeAnswer(strange, answer.url);
    if (done === true) {
      // Servers may end a stream with `[DONE]` and without a reason.
      if (!value) throw server.cutOff(answer.url);
      yield { end: "finished" };
      return;
    }
    const refusal = server.refusalIn(value, answer.url);
    if (refusal !== undefined) throw refusal;
    const part = call.read(value);
    if (part.promptTokens !== undefined) call.counted?.(part.promptTokens);
    call.answered?.(part);
    if (part.text === undefined && part.end === undefined && part.isReasoning !== true) strange ??= value;
    else hasText = true;
    if (part.end !== undefined) answer.finish();
    yield part;
    if (part.end !== undefined) return;
  }
}
