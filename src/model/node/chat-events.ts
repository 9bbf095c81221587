import { createParser } from "eventsource-parser";
import { isRecord } from "../../text/index.ts";
import { answerTooLarge, lineTooLong, maxAnswerBytes, maxLineLength } from "../clients/answer-limits.ts";
import { tryParseJson } from "../clients/explain-failure.ts";
import type { ChatProtocol, ChatServer } from "./chat-server.ts";

/** What a stream of events is read with. */
export interface ChatEventsOptions {
  readonly server: Pick<ChatServer, "title" | "url" | "protocol">;
  readonly status: number;
}

/**
 * Reads the events of a chat's answer and writes them as the AI SDK accepts them, within the limits
 * of all answers.
 *
 * The SDK holds whatever it is sent, and refuses a whole answer for a field that Emend never reads:
 * so such fields are left out. An empty reason to end is none, and the protocol's own mark of the
 * end, `[DONE]` or `message_stop`, is an end also without a reason. The stream fails with
 * `ModelError` where a limit is exceeded.
 */
export function chatEvents(options: ChatEventsOptions): TransformStream<Uint8Array, Uint8Array> {
  const answerer = { ...options.server, status: options.status };
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const repair = repairs[options.server.protocol];
  let hasEnd = false;
  let bytes = 0;
  let written = "";
  let isOver = false;
  const write = (data: string, event?: string) => {
    const lines = data.split("\n").map((line) => `data: ${line}\n`);
    written += `${event === undefined ? "" : `event: ${event}\n`}${lines.join("")}\n`;
  };
  const read = (data: string, event?: string) => {
    const value = fieldsOf(tryParseJson(data));
    if (value === undefined) {
      const isMark = data.trim() === "[DONE]";
      if (isMark && !hasEnd && repair.end !== undefined) write(JSON.stringify(repair.end));
      // What is left when the stream ends may be an event that was cut off.
      if (isMark || !isOver) write(isMark ? "[DONE]" : data, event);
      return;
    }
    if (repair.repair(value)) hasEnd = true;
    if (value["type"] === "message_stop" && !hasEnd && repair.end !== undefined) {
      write(JSON.stringify(repair.end), String(repair.end["type"]));
    }
    // Some servers send their counts in an event of its own.
    const isEmpty = Array.isArray(value["choices"]) && value["choices"].length === 0 && !("error" in value);
    if (!isEmpty) write(JSON.stringify(value), event);
  };
  const parser = createParser({
    maxBufferSize: maxLineLength,
    onEvent: ({ data, event }) => read(data, event),
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") throw lineTooLong(answerer);
    },
  });
  const feed = (text: string, controller: TransformStreamDefaultController<Uint8Array>) => {
    written = "";
    parser.feed(text);
    if (written !== "") controller.enqueue(encoder.encode(written));
  };
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxAnswerBytes) throw answerTooLarge(answerer);
      feed(decoder.decode(chunk, { stream: true }), controller);
    },
    flush(controller) {
      isOver = true;
      // The empty line behind the last event is often forgotten.
      feed(`${decoder.decode()}\n\n`, controller);
    },
  });
}

type Fields = Record<string, unknown>;

/** How the events of a protocol are repaired. */
interface Repair {
  /** Changes an event. Returns whether it has the reason of the end. */
  readonly repair: (event: Fields) => boolean;
  /**
   * The event with that reason where only the end itself is marked; absent where the protocol has
   * no such mark.
   */
  readonly end?: Fields;
}

const openai: Repair = {
  repair(event) {
    // The counts and times are unused, and one that is no number would cost the answer.
    for (const field of ["usage", "created"]) delete event[field];
    let isEnd = false;
    for (const choice of fieldsIn(event["choices"])) {
      delete choice["logprobs"];
      if (isEmptyText(choice["finish_reason"])) choice["finish_reason"] = null;
      isEnd ||= typeof choice["finish_reason"] === "string";
    }
    return isEnd;
  },
  end: {
    ...{ id: "end", object: "chat.completion.chunk", model: "" },
    choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
  },
};

/** The protocol wants counts, and they are not read. */
const noTokens = { input_tokens: 0, output_tokens: 0 };

const repairs: Readonly<Record<ChatProtocol, Repair>> = {
  openai,
  "openai-compatible": openai,
  mistral: openai,
  anthropic: {
    repair(event) {
      const [message, delta] = [fieldsOf(event["message"]), fieldsOf(event["delta"])];
      if (event["type"] === "message_delta") event["usage"] = { ...noTokens };
      if (message !== undefined) message["usage"] = { ...noTokens };
      const ends = [message, delta].filter((part) => part !== undefined);
      for (const part of ends) if (isEmptyText(part["stop_reason"])) part["stop_reason"] = null;
      return ends.some((part) => typeof part["stop_reason"] === "string");
    },
    end: {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: noTokens,
    },
  },
  google: {
    repair(event) {
      delete event["usageMetadata"];
      for (const candidate of fieldsIn(event["candidates"])) {
        for (const field of ["avgLogprobs", "tokenCount"]) delete candidate[field];
        if (isEmptyText(candidate["finishReason"])) delete candidate["finishReason"];
      }
      return false;
    },
  },
};

function isEmptyText(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

function fieldsIn(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.map(fieldsOf).filter((item) => item !== undefined) : [];
}

function fieldsOf(value: unknown): Fields | undefined {
  return isRecord(value) ? (value as Fields) : undefined;
}
