import { closesFence, FenceState, tryReadFence } from "../answers/index.ts";
import { raceAbort } from "../async/index.ts";
import { type AnswerPart, type AnswerReader, readAnswer } from "../formats/index.ts";
import {
  type ChatMessage,
  type ChatRequest,
  type Model,
  type ModelEnd,
  ModelError,
  type TextPart,
} from "../model/index.ts";
import type { PartialAnswer, ReadSoFar } from "./previews.ts";

/** A request to a model, and how its answer is read. */
export interface ReadAnswerOptions {
  readonly chat: NonNullable<Model["chat"]>;
  readonly messages: readonly ChatMessage[];
  /** Creates the reader of the answer's format; absent where the answer is plain text. */
  readonly read?: (() => AnswerReader) | undefined;
  /**
   * Called when the answer is cut off at a limit: whether the model may be requested to continue.
   */
  readonly mayContinue: () => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** An event while a model answers. */
export type AnswerEvent =
  | { readonly kind: "text"; readonly text: string }
  /** More of the answer was read. */
  | ({ readonly kind: "read" } & ReadSoFar)
  /** The model is requested to continue an answer that a limit or `brokenBy` cut off. */
  | { readonly kind: "continuing"; readonly partial: PartialAnswer; readonly brokenBy: ModelError | undefined };

/** A complete answer. */
export interface ReadAnswer {
  readonly answer: string;
  readonly parts: readonly AnswerPart[];
  /**
   * `cut`: a limit was reached or the connection broke, also after continuations. `declined`: the
   * model refused to answer.
   */
  readonly end: "finished" | "cut" | "declined";
  /** The broken connection that cut the answer off, if one did. */
  readonly brokenBy: ModelError | undefined;
}

/**
 * Sends a request to a model and reads its answer while it streams, in whole rows.
 *
 * When the answer is cut off, the incomplete row is dropped and the model is requested to continue
 * after the last whole row. Rejects with the model's error, and with the signal's own reason as
 * soon as it aborts.
 */
export async function* readAnswers(options: ReadAnswerOptions): AsyncGenerator<AnswerEvent, ReadAnswer> {
  const reading = new Reading(options.read);
  let messages = options.messages;
  for (let isFirst = true; ; isFirst = false) {
    const more = new Continuation(reading);
    const streamed = yield* streamAnswer(options, messages, isFirst ? reading : more);
    const text = isFirst ? streamed.rest : more.join(streamed.rest);
    const wasCut = streamed.end.reason === "length";
    const whole = wasCut ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
    const parts = isFirst ? reading.take(whole) : reading.become(whole);
    if (parts.length > 0) yield { kind: "read", ...reading.soFar() };
    if (wasCut && reading.rows !== "" && !reading.isComplete() && options.mayContinue()) {
      yield { kind: "continuing", partial: reading.soFar().look(), brokenBy: streamed.end.brokenBy };
      messages = [...options.messages, ...continuePrompt(reading.rows)];
      continue;
    }
    reading.end(wasCut);
    const end = wasCut ? "cut" : streamed.end.reason === "content-filter" ? "declined" : "finished";
    return { answer: reading.rows, parts: reading.parts, end, brokenBy: streamed.end.brokenBy };
  }
}

/** The end of one stream; a connection that breaks after the first text ends it as a limit does. */
interface StreamEnd {
  readonly reason: ModelEnd["reason"];
  readonly brokenBy?: ModelError;
}

/**
 * Streams one answer as events and passes whole rows to `reading`. Returns the unfinished row and
 * the end of the stream.
 */
async function* streamAnswer(
  { chat, signal }: ReadAnswerOptions,
  messages: readonly ChatMessage[],
  reading: Reading | Continuation,
): AsyncGenerator<AnswerEvent, { readonly rest: string; readonly end: StreamEnd }> {
  const request: ChatRequest = { messages };
  signal?.throwIfAborted();
  const stream = chat(request, signal === undefined ? {} : { signal });
  let isDone = false;
  let hasText = false;
  let rest = "";
  try {
    for (;;) {
      const step = await nextStep(stream, hasText, signal);
      if (step.done) {
        isDone = true;
        return { rest, end: step.value };
      }
      const { text } = step.value;
      hasText = true;
      yield { kind: "text", text };
      rest += text;
      const end = text.includes("\n") ? rest.lastIndexOf("\n") + 1 : 0;
      if (end > 0) {
        reading.take(rest.slice(0, end));
        rest = rest.slice(end);
      }
      if (end > 0 || reading.looksIntoRows) yield { kind: "read", ...reading.soFar(rest) };
    }
  } finally {
    // A stream that ignores the signal is not waited for.
    if (!isDone) stream.return({ reason: "silent" }).catch(() => undefined);
  }
}

/** Returns the next step of a stream. */
async function nextStep(
  stream: AsyncGenerator<TextPart, ModelEnd>,
  hasText: boolean,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<TextPart, StreamEnd>> {
  try {
    return await raceAbort(stream.next(), signal);
  } catch (error) {
    if (!(hasText && error instanceof ModelError && error.code === "cut-off")) throw error;
    return { done: true, value: { reason: "length", brokenBy: error } };
  }
}

function continuePrompt(rows: string): readonly ChatMessage[] {
  const last = rows.trimEnd().split("\n").at(-1)!;
  return [
    { role: "assistant", text: rows },
    {
      role: "user",
      text: `Your answer was cut off. Its last whole row is:\n\n${last}\n\nGo on with the row that comes after it, as if there had been no break. Write nothing once more.\n`,
    },
  ];
}

/** The state of an answer while it is read. */
class Reading {
  rows = "";
  parts: readonly AnswerPart[] = [];
  readonly #read: (() => AnswerReader) | undefined;
  #reader: AnswerReader | undefined;

  constructor(read: (() => AnswerReader) | undefined) {
    this.#read = read;
    this.#reader = read?.();
  }

  take(text: string): readonly AnswerPart[] {
    this.rows += text;
    return this.#add(this.#reader?.push(text) ?? []);
  }

  /**
   * Makes `answer` the whole text: reads on where it extends the text so far, and starts over
   * otherwise.
   */
  become(answer: string): readonly AnswerPart[] {
    if (answer.startsWith(this.rows)) return this.take(answer.slice(this.rows.length));
    this.rows = "";
    this.parts = [];
    this.#reader = this.#read?.();
    return this.take(answer);
  }

  /** Whether the reader can tell an edit from an unfinished row. */
  get looksIntoRows(): boolean {
    return this.#reader?.openIn !== undefined;
  }

  /** The parts read so far, with what the unfinished row `row` shows. */
  soFar(row = ""): ReadSoFar {
    const look = () => {
      const operations = this.#reader?.openIn?.(row) ?? [];
      const open = operations.length > 0 ? undefined : this.#reader?.open;
      return { parts: this.parts, open: open === undefined ? operations : [open] };
    };
    return { length: this.rows.length + row.length, look };
  }

  /** Reads another answer with a new reader of the same format. */
  lookAt(answer: string): PartialAnswer {
    const other = new Reading(this.#read);
    other.take(answer);
    return other.soFar().look();
  }

  /** Whether the answer is complete in its format, so that the limit cut nothing off. */
  isComplete(): boolean {
    const reader = this.#read?.();
    if (reader === undefined) return false;
    const { refusals } = readAnswer(reader, this.rows, true);
    return refusals.every(({ kind }) => kind !== "cut-off");
  }

  end(isCut: boolean): void {
    this.#add(this.#reader?.end(isCut) ?? []);
  }

  #add(parts: readonly AnswerPart[]): readonly AnswerPart[] {
    if (parts.length > 0) this.parts = [...this.parts, ...parts];
    return parts;
  }
}

/** Collects the text of a continuation. How it joins the rows before it is decided at its end. */
class Continuation {
  readonly looksIntoRows = false;
  readonly #reading: Reading;
  #next = "";

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  take(text: string): void {
    this.#next += text;
  }

  soFar(): ReadSoFar {
    const length = this.#reading.rows.length + this.#next.length;
    return { length, look: () => this.#reading.lookAt(this.join("")) };
  }

  /** The whole answer, with `rest` at its end. */
  join(rest: string): string {
    return joinContinuation({ rows: this.#reading.rows, next: this.#next + rest });
  }
}

/** An answer that was cut off, and the text with which the model continued it. */
export interface ContinuedAnswer {
  /** The whole rows of the answer, each with its line ending. */
  readonly rows: string;
  /** The continuation. */
  readonly next: string;
}

/**
 * Joins a cut-off answer and its continuation into the answer that the model would have written in
 * one piece.
 *
 * The model was requested to continue after the last whole row. Models start over instead, repeat
 * their last rows, or reopen a fence that is open already. Each is recognized by at least two rows,
 * or by the fence, so that code which repeats a row by chance is kept.
 */
export function joinContinuation({ rows, next }: ContinuedAnswer): string {
  const earlier = rows.split("\n").slice(0, -1);
  const continuation = next.split("\n");
  const start = continuation.findIndex((row) => row.trim() !== "");
  if (start < 0) return rows + next;
  if (startsOver(earlier, continuation.slice(start))) return continuation.slice(start).join("\n");
  const fences = new FenceState();
  for (const row of earlier) fences.take(row);
  const { open } = fences;
  const fence = tryReadFence(continuation[start]!);
  const opensAgain = open !== undefined && fence !== undefined && !closesFence(fence, open);
  const unfenced = opensAgain ? continuation.slice(start + 1) : continuation;
  return rows + unfenced.slice(repeated(earlier, unfenced)).join("\n");
}

/** Whether `coming` begins with the same two rows as the answer, or with its only row. */
function startsOver(earlier: readonly string[], continuation: readonly string[]): boolean {
  const [first, second] = earlier.filter((row) => row.trim() !== "");
  const [firstNow, secondNow] = continuation.filter((row) => row.trim() !== "");
  if (first === undefined || first !== firstNow) return false;
  return second === undefined || second === secondNow;
}

/**
 * The number of first rows of `coming` that repeat the last rows of `had`; at least two, one of
 * them with a word, else 0.
 */
function repeated(earlier: readonly string[], continuation: readonly string[]): number {
  for (let count = Math.min(earlier.length, continuation.length - 1); count >= 2; count--) {
    const last = earlier.slice(-count);
    if (!last.every((row, i) => row === continuation[i])) continue;
    return last.some((row) => /\w{3}/.test(row)) ? count : 0;
  }
  return 0;
}
