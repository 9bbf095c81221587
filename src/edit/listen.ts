import { type AnswerPart, type AnswerReader, readAnswer } from "../formats/index.ts";
import {
  type ChatMessage,
  type ChatRequest,
  type Model,
  type ModelEnd,
  ModelError,
  type TextPart,
} from "../model/index.ts";
import { joinContinuation } from "./join-continuation.ts";
import type { ReadSoFar, SaidSoFar } from "./previews.ts";
import { untilAborted } from "./until-aborted.ts";

/** A question, and how its answer is read. */
export interface ListenOptions {
  readonly chat: NonNullable<Model["chat"]>;
  readonly messages: readonly ChatMessage[];
  /** Begins to read the answer in its format, where it has one. */
  readonly read?: (() => AnswerReader) | undefined;
  /** Asked when the answer is cut off at a limit: whether the model may be asked to go on. */
  readonly mayContinue: () => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What is heard while a model answers. */
export type HeardEvent =
  | { readonly kind: "text"; readonly text: string }
  /** All that was read so far, since there is more of it. */
  | ({ readonly kind: "read" } & ReadSoFar)
  /** The model is asked to go on. */
  | { readonly kind: "continuing"; readonly said: SaidSoFar };

/** A whole answer. */
export interface Heard {
  readonly answer: string;
  readonly parts: readonly AnswerPart[];
  /** `cut`: a limit was reached, also after the model was asked to go on. `declined`: the model would not answer. */
  readonly end: "finished" | "cut" | "declined";
}

/**
 * Asks a model and reads its answer while it comes, in whole rows.
 *
 * Where the answer is cut off, the row that was being written is forgotten and the model is asked to go on behind the
 * last whole one. Rejects with what the model fails with, and with the signal's own reason as soon as it aborts.
 */
export async function* listen(options: ListenOptions): AsyncGenerator<HeardEvent, Heard> {
  const reading = new Reading(options.read);
  let messages = options.messages;
  for (let isFirst = true; ; isFirst = false) {
    const more = new Continuation(reading);
    const said = yield* say(options, messages, isFirst ? reading : more);
    const text = isFirst ? said.rest : more.join(said.rest);
    const wasCut = said.end.reason === "length";
    const whole = wasCut ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
    const parts = isFirst ? reading.take(whole) : reading.become(whole);
    if (parts.length > 0) yield { kind: "read", ...reading.soFar() };
    if (wasCut && reading.rows !== "" && !reading.isComplete() && options.mayContinue()) {
      yield { kind: "continuing", said: reading.soFar().look() };
      messages = [...options.messages, ...goOn(reading.rows)];
      continue;
    }
    reading.end(wasCut);
    const end = wasCut ? "cut" : said.end.reason === "content-filter" ? "declined" : "finished";
    return { answer: reading.rows, parts: reading.parts, end };
  }
}

/** Passes on what the model says; whole rows to `reading`. Gives what it was not told. */
async function* say(
  { chat, signal }: ListenOptions,
  messages: readonly ChatMessage[],
  reading: Reading | Continuation,
): AsyncGenerator<HeardEvent, { readonly rest: string; readonly end: ModelEnd }> {
  const request: ChatRequest = { messages };
  signal?.throwIfAborted();
  const stream = chat(request, signal === undefined ? {} : { signal });
  let isDone = false;
  let hasSaid = false;
  let rest = "";
  try {
    for (;;) {
      const step = await nextStep(stream, hasSaid, signal);
      if (step.done) {
        isDone = true;
        return { rest, end: step.value };
      }
      const { text } = step.value;
      hasSaid = true;
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
    // A stream that does not listen to the signal is left to itself.
    if (!isDone) stream.return({ reason: "silent" }).catch(() => undefined);
  }
}

/** The next step of an answer. A connection that breaks in the middle of one cuts it off as a limit does. */
async function nextStep(
  stream: AsyncGenerator<TextPart, ModelEnd>,
  hasSaid: boolean,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<TextPart, ModelEnd>> {
  try {
    return await untilAborted(stream.next(), signal);
  } catch (error) {
    if (!(hasSaid && error instanceof ModelError && error.code === "cut-off")) throw error;
    return { done: true, value: { reason: "length" } };
  }
}

function goOn(rows: string): readonly ChatMessage[] {
  const last = rows.trimEnd().split("\n").at(-1)!;
  return [
    { role: "assistant", text: rows },
    {
      role: "user",
      text: `Your answer was cut off. Its last whole row is:\n\n${last}\n\nGo on with the row that comes after it, as if there had been no break. Write nothing once more.\n`,
    },
  ];
}

/** An answer as far as it was read. */
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

  /** Takes `answer` for the whole of it, which goes on where it was or is another one. */
  become(answer: string): readonly AnswerPart[] {
    if (answer.startsWith(this.rows)) return this.take(answer.slice(this.rows.length));
    this.rows = "";
    this.parts = [];
    this.#reader = this.#read?.();
    return this.take(answer);
  }

  /** Whether a row that has only begun may tell of an edit. */
  get looksIntoRows(): boolean {
    return this.#reader?.openIn !== undefined;
  }

  /** What was read, and of the row that has begun with `row` what can be told. */
  soFar(row = ""): ReadSoFar {
    const look = () => {
      const asks = this.#reader?.openIn?.(row) ?? [];
      const open = asks.length > 0 ? undefined : this.#reader?.open;
      return { parts: this.parts, open: open === undefined ? asks : [open] };
    };
    return { length: this.rows.length + row.length, look };
  }

  /** What would be read of another answer. */
  lookAt(answer: string): SaidSoFar {
    const other = new Reading(this.#read);
    other.take(answer);
    return other.soFar().look();
  }

  /** Whether the answer says by itself that it is done, so that a limit took nothing of it. */
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

/** What comes when a model was asked to go on with an answer. What it means is settled at its end. */
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
