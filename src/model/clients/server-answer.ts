import { createParser } from "eventsource-parser";
import { isRecord } from "../../text/index.ts";
import { ModelError } from "../model-error.ts";
import type { ByteReader, FetchResponse } from "../model-host.ts";
import { answerTooLarge, lineTooLong, maxAnswerBytes, maxLineLength } from "./answer-limits.ts";
import { explainStrangeAnswer, tryParseJson } from "./explain-failure.ts";

/** How an answer is cut into messages: events of a stream, a line each, or one message for all. */
export type Framing = "sse" | "ndjson" | "json";

/** A JSON object of an answer. */
export type Message = Readonly<Record<string, unknown>>;

/** What an answer is read with. */
export interface AnswerOptions {
  readonly response: FetchResponse;
  /** Who answers, for messages. */
  readonly title: string;
  readonly url: string;
  readonly framing: Framing;
  /** Masks configured secrets in what messages quote. */
  mask(text: string, isCut?: boolean): string;
  /** Waits for the next bytes, as long as is allowed. */
  wait<T>(work: Promise<T>): Promise<T>;
}

/**
 * The messages of an answer, in order.
 *
 * An answer that begins like another kind than `framing` is read as that kind: not every server
 * streams on request to. Throws {@link ModelError} `not-an-answer` for what is none of these and
 * for what exceeds the limits of an answer, and whatever `wait` throws. Returns whether the framing
 * itself marks the answer as whole: by `[DONE]`, or as one message for all. Without that, the
 * reader of the messages has to find the end in them.
 */
export async function* readMessages(options: AnswerOptions): AsyncGenerator<Message, boolean> {
  if (/text\/html/i.test(options.response.headers.get("content-type") ?? "")) throw notAnAnswer(options, "a web page");
  const reader = options.response.body?.getReader();
  if (reader === undefined) throw notAnAnswer(options, "nothing");
  let beginning = "";
  let frames: Frames | undefined;
  let hasMessage = false;
  for await (const text of readText(reader, options)) {
    if (beginning.length < 200) beginning += text.slice(0, 200);
    if (frames === undefined && beginning.trim() !== "") frames = framesFor(beginning, options);
    for (const message of frames?.push(text) ?? []) {
      hasMessage = true;
      yield message;
    }
    if (frames?.isDone === true) return true;
  }
  for (const message of frames?.end() ?? []) {
    hasMessage = true;
    yield message;
  }
  if (!hasMessage && frames?.isDone !== true) throw notAnAnswer(options, describeAnswer(options.mask(beginning, true)));
  return frames?.isDone === true;
}

function framesFor(beginning: string, options: AnswerOptions): Frames {
  const { framing } = options;
  if (/^\s*(data|event|id|retry)?:/.test(beginning)) return new Events(options);
  if (framing === "sse" && !/^\s*\{/.test(beginning)) return new Events(options);
  return framing === "ndjson" ? new JsonLines(options) : new Whole(options);
}

/** Collects text and hands out the messages in it. */
interface Frames {
  push(text: string): readonly Message[];
  /** The messages in the remaining text, at the end of the answer. */
  end(): readonly Message[];
  /** Whether the answer is known to be whole. */
  readonly isDone: boolean;
}

class Events implements Frames {
  isDone = false;
  readonly #options: AnswerOptions;
  readonly #parser: ReturnType<typeof createParser>;
  #messages: Message[] = [];

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#parser = createParser({
      maxBufferSize: maxLineLength,
      onEvent: ({ data }) => this.#add(data),
      onError: ({ type, field, value }) => {
        if (type === "max-buffer-size-exceeded") throw lineTooLong(answererOf(options));
        // Old versions of llama.cpp send errors in a field of their own instead of an event.
        if (field === "error" && value !== undefined) this.#add(`{"error":${value}}`);
      },
    });
  }

  push(text: string): readonly Message[] {
    this.#messages = [];
    this.#parser.feed(text);
    return this.#messages;
  }

  end(): readonly Message[] {
    // The empty line behind the last event is often forgotten, and a last event that is cut off is
    // not JSON.
    this.#messages = [];
    try {
      this.#parser.feed("\n\n");
    } catch (error) {
      if (error instanceof ModelError && error.code === "not-an-answer") return [];
      throw error;
    }
    return this.#messages;
  }

  #add(data: string): void {
    if (this.isDone || data.trim() === "") return;
    if (data.trim() === "[DONE]") this.isDone = true;
    else this.#messages.push(parseMessage(data, this.#options));
  }
}

class JsonLines implements Frames {
  readonly isDone = false;
  readonly #options: AnswerOptions;
  readonly #lines: LineReader;

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#lines = new LineReader(maxLineLength, () => {
      throw lineTooLong(answererOf(options));
    });
  }

  push(text: string): readonly Message[] {
    return this.#lines.push(text).map((line) => parseMessage(line, this.#options));
  }

  end(): readonly Message[] {
    const [last] = this.#lines.end();
    if (last === undefined) return [];
    // A line without an end may be one that was cut off.
    const message = tryParseMessage(last);
    return message === undefined ? [] : [message];
  }
}

class Whole implements Frames {
  isDone = false;
  readonly #options: AnswerOptions;
  readonly #pieces: string[] = [];
  #length = 0;

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  push(text: string): readonly Message[] {
    this.#length += text.length;
    if (this.#length > maxLineLength) throw lineTooLong(answererOf(this.#options));
    this.#pieces.push(text);
    return [];
  }

  end(): readonly Message[] {
    const text = this.#pieces.join("");
    if (text.trim() === "") return [];
    const message = parseMessage(text, this.#options);
    this.isDone = true;
    return [message];
  }
}

async function* readText(reader: ByteReader, options: AnswerOptions): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let bytes = 0;
  for (;;) {
    const { done, value } = await options.wait(reader.read());
    if (done) break;
    bytes += value?.byteLength ?? 0;
    if (bytes > maxAnswerBytes) throw answerTooLarge(answererOf(options));
    if (value !== undefined) yield decoder.decode(value, { stream: true });
  }
  yield decoder.decode();
}

function parseMessage(text: string, options: AnswerOptions): Message {
  const message = tryParseMessage(text);
  if (message === undefined) throw notAnAnswer(options, describeAnswer(options.mask(text)));
  return message;
}

function tryParseMessage(text: string): Message | undefined {
  const value = tryParseJson(text);
  return isRecord(value) ? value : undefined;
}

/** An answer as messages name it: what it is, or its first hundred characters in quotes. */
export function describeAnswer(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return "nothing";
  return /^</.test(line) ? "a web page" : JSON.stringify(line.length > 100 ? `${line.slice(0, 99)}…` : line);
}

function notAnAnswer({ title, url, response }: AnswerOptions, what: string): ModelError {
  return explainStrangeAnswer(what, { title, url, status: response.status });
}

function answererOf({ title, url, response }: AnswerOptions): Parameters<typeof lineTooLong>[0] {
  return { title, url, status: response.status };
}

/**
 * Collects pieces of text and hands out whole lines, without their ends; empty lines are left out.
 *
 * Takes time in proportion to the text, however small the pieces. Calls `tooLong`, which must
 * throw, when a line grows past `limit` characters.
 */
export class LineReader {
  readonly #limit: number;
  readonly #tooLong: () => never;
  #pieces: string[] = [];
  #length = 0;

  constructor(limit: number, tooLong: () => never) {
    this.#limit = limit;
    this.#tooLong = tooLong;
  }

  /** The lines that `text` completes. */
  push(text: string): readonly string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#add(text.slice(start, end));
      lines.push(...this.end());
      start = end + 1;
    }
    this.#add(text.slice(start));
    return lines;
  }

  /** The last line, which may lack its end; none when it is empty. */
  end(): readonly string[] {
    const line = this.#pieces.join("").replace(/\r$/, "");
    this.#pieces = [];
    this.#length = 0;
    return line.trim() === "" ? [] : [line];
  }

  #add(piece: string): void {
    if (piece === "") return;
    this.#length += piece.length;
    if (this.#length > this.#limit) this.#tooLong();
    this.#pieces.push(piece);
  }
}

/** The object in a field; an empty one for anything else. */
export function objectIn(message: Message | undefined, field: string): Message {
  const value = message?.[field];
  return isRecord(value) ? value : {};
}

/**
 * The objects of the list in a field, in order; other values in it are left out. Empty where there
 * is no list.
 */
export function objectsIn(message: Message | undefined, field: string): readonly Message[] {
  const value = message?.[field];
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is Message => typeof item === "object" && item !== null);
}

/** The text in a field; `undefined` for anything else. */
export function textIn(message: Message | undefined, field: string): string | undefined {
  const value = message?.[field];
  return typeof value === "string" ? value : undefined;
}

/** The finite number in a field; `undefined` for anything else. */
export function numberIn(message: Message | undefined, field: string): number | undefined {
  const value = message?.[field];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The sum of the numbers that `of` finds; `undefined` where it finds none. */
export function sumOf<T>(items: readonly T[], of: (item: T) => number | undefined): number | undefined {
  let sum: number | undefined;
  for (const item of items) {
    const value = of(item);
    if (value !== undefined) sum = (sum ?? 0) + value;
  }
  return sum;
}
