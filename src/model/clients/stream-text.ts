import { type Opening, readOpening, readOpeningAt } from "../../answers/index.ts";
import { tearsCharacter } from "../../text/index.ts";
import type { FillRequest, ModelCallOptions, ModelEnd, TextPart } from "../model.ts";
import type { ModelServer, OpenAnswer } from "./model-server.ts";
import { type FillTemplating, restoreOpeningTag } from "./restore-opening-tag.ts";
import type { Message } from "./server-answer.ts";
import type { TextCall, WirePart } from "./server-client.ts";
import { StopFilter } from "./stop-filter.ts";

/** How much text is wanted. */
export interface FillLimits {
  /** At least 1. */
  readonly maxLines: number;
  /**
   * Where the text goes, which decides what may precede it in an answer; default: a place in code.
   */
  readonly place?: Pick<FillRequest, "prefix" | "suffix" | "language">;
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
    const opening =
      place === undefined
        ? undefined
        : (text: string, isWhole: boolean): Opening | undefined => readOpeningAt(text, place, isWhole);
    return yield* cutText(parts, { cuts: call.cuts, maxLines, opening, ...options });
  } finally {
    answer.leave();
  }
}

/** What {@link cutText} keeps to. */
export interface CutOptions extends Pick<FillLimits, "maxLines">, Pick<ModelCallOptions, "signal"> {
  readonly cuts: readonly string[];
  /**
   * The text before the text itself in an answer, see {@link readOpening}, which is used unless
   * this is set.
   */
  readonly opening?: ((text: string, isWhole: boolean) => Opening | undefined) | undefined;
}

function readAny(text: string, isWhole: boolean): Opening | undefined {
  return readOpening(text, { isWhole, sentences: true, fences: true });
}

/**
 * The part of a streamed answer that {@link streamFill} lets through, and how it ended; the last
 * part of the input must have an end. Rejects with the signal's reason, and with what `parts`
 * rejects with.
 *
 * Lines before the text itself, see {@link readOpening}, do not count towards `maxLines`. They are
 * passed on: the caller, which has the place, removes them. What may be such lines is held back
 * until it is decided.
 */
export async function* cutText(
  parts: AsyncIterable<WirePart>,
  { cuts, maxLines, opening: readBeginning = readAny, signal }: CutOptions,
): AsyncGenerator<TextPart, ModelEnd> {
  const characters = new WholeCharacters();
  const stops = new StopFilter(cuts);
  const lines = new LineLimit(maxLines);
  let held: string | undefined = "";
  let logProbability: number | undefined;
  let end: WirePart["end"];
  const endAs = (reason: ModelEnd["reason"], limit?: ModelEnd["limit"]): ModelEnd => ({
    reason,
    ...(limit === undefined ? {} : { limit }),
    ...(logProbability === undefined ? {} : { probability: Math.exp(Math.min(0, logProbability)) }),
  });

  for await (const part of parts) {
    // Parts that arrived together are read without a wait, so an abort between them has to be
    // checked here.
    signal?.throwIfAborted();
    if (part.logProbability !== undefined) logProbability = (logProbability ?? 0) + part.logProbability;
    end = part.end;
    const uncut = stops.push(part.text ?? "") + (end === undefined ? "" : stops.end());
    const isLast = end !== undefined || stops.isStopped;
    const came = characters.push(uncut) + (isLast ? characters.end() : "");
    let text = "";
    if (held === undefined) text = lines.push(came);
    else {
      held += came;
      const opening = readBeginning(held, isLast);
      if (opening === undefined) continue;
      text = held.slice(0, opening.length) + lines.push(held.slice(opening.length));
      held = undefined;
    }
    if (text !== "") yield { kind: "text-delta", text };
    if (lines.isReached) return endAs("length", "lines");
    if (stops.isStopped) return endAs("finished");
  }
  if (end === "guide") return endAs("length", "guide");
  return end === "length" ? endAs("length", "tokens") : endAs(end ?? "finished");
}

/**
 * Cuts a stream of text behind a number of lines; the end of the last line is left out.
 *
 * Lines end with `\n`, `\r\n` or `\r`. A piece must not end between `\r` and `\n`.
 */
export class LineLimit {
  #left: number;

  /** Lets `maxLines` lines through, at least 1. */
  constructor(maxLines: number) {
    this.#left = maxLines;
  }

  /** Whether all lines have come; nothing comes out from then on. */
  get isReached(): boolean {
    return this.#left <= 0;
  }

  /** What of `text` belongs to the lines that are wanted. */
  push(text: string): string {
    if (this.isReached) return "";
    for (const { index } of text.matchAll(/\r\n|\r|\n/g)) {
      this.#left -= 1;
      if (this.#left <= 0) return text.slice(0, index);
    }
    return text;
  }
}

/**
 * Streams the continuation of a prompt: whole characters, up to the first of the call's cuts. The
 * connection is closed there, and when the reader leaves early.
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
 * ended; the last part must have an end. Rejects with the signal's reason, and with what `parts`
 * rejects with.
 */
export async function* cutAtStops(
  parts: AsyncIterable<WirePart>,
  { stops, signal }: ModelCallOptions & { readonly stops: readonly string[] },
): AsyncGenerator<TextPart, ModelEnd> {
  const characters = new WholeCharacters();
  const filter = new StopFilter(stops);
  let logProbability: number | undefined;
  let end: WirePart["end"];
  for await (const part of parts) {
    // Parts that arrived together are read without a wait, so an abort between them has to be
    // checked here.
    signal?.throwIfAborted();
    if (part.logProbability !== undefined) logProbability = (logProbability ?? 0) + part.logProbability;
    end = part.end;
    const uncut = filter.push(part.text ?? "") + (end === undefined ? "" : filter.end());
    const isLast = end !== undefined || filter.isStopped;
    const text = characters.push(uncut) + (isLast ? characters.end() : "");
    if (text !== "") yield { kind: "text-delta", text };
    if (filter.isStopped) {
      end = "finished";
      break;
    }
  }
  return {
    ...(end === "length"
      ? { reason: "length", limit: "tokens" }
      : { reason: end === "content-filter" ? end : "finished" }),
    ...(logProbability === undefined ? {} : { probability: Math.exp(Math.min(0, logProbability)) }),
  };
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
    if (part.text === undefined && part.end === undefined) strange ??= value;
    else hasText = true;
    if (part.end !== undefined) answer.finish();
    yield part;
    if (part.end !== undefined) return;
  }
}

/** Holds back the first half of a surrogate pair or of a `\r\n` until the second has come. */
export class WholeCharacters {
  #held = "";

  /** What is whole, now that `text` has come. */
  push(text: string): string {
    const all = this.#held + text;
    const last = all.charCodeAt(all.length - 1);
    const isOpen = tearsCharacter(last, lowSurrogate) || tearsCharacter(last, lineFeed);
    this.#held = isOpen ? all.slice(-1) : "";
    return isOpen ? all.slice(0, -1) : all;
  }

  /**
   * The text held back, at the end of the answer; half of a surrogate pair is no character, and
   * dropped.
   */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held === "\r" ? held : "";
  }
}

const lowSurrogate = 0xdc00;
const lineFeed = 0x0a;
