import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { LinkedController, pause } from "../../async/index.ts";
import { answerTooSlow } from "../clients/answer-limits.ts";
import { isLocalConnectionRefused } from "../clients/explain-failure.ts";
import type { ChatRequest, Model, ModelCallOptions, ModelEnd, TextPart } from "../model.ts";
import { ModelError, type ModelFailure } from "../model-error.ts";
import { printModelSetting } from "../model-name.ts";
import { cutOff, retryAfterMs, toModelError } from "./chat-failure.ts";
import { loadLanguageModel, toPrompt } from "./chat-language-model.ts";
import { type ChatServer, type ChatServerOptions, chatServerOf } from "./chat-server.ts";

/** What a chat model is opened with. Nothing of it is read from the environment. */
export interface ChatModelOptions extends ChatServerOptions {
  /** Waits between attempts, and for answers that never come. */
  readonly clock: { after(delayMs: number, task: () => void): Disposable };
  readonly timeouts: ChatTimeouts;
  /** How often a request is sent again where that is safe; default: 2. */
  readonly retries?: number | undefined;
  /** The most tokens of a prompt and its answer together, where it is known. */
  readonly contextTokens?: number | undefined;
}

/** How long silence is borne, in milliseconds; thinking is no silence. */
interface ChatTimeouts {
  /** From the request to the first part of the answer. */
  readonly firstPartMs: number;
  /** Between two parts. */
  readonly idleMs: number;
  /** From the request to the end of the answer, repetitions included; no limit unless it is set. */
  readonly totalMs?: number | undefined;
}

/**
 * The wait before the second attempt in milliseconds, doubled for the third; a wait that the server
 * requests takes precedence.
 */
const firstWaitMs = 500;

/** A server's request to wait longer than this, in milliseconds, is reported as an error. */
const longestWaitMs = 20_000;

/**
 * A model with the `chat` face, through the AI SDK.
 *
 * The SDK is loaded with the first question. Each question is a request of its own; leaving its
 * `for await` early closes the connection. Too many requests, a busy server and a connection that
 * could not be made are tried again; that no server listens on this machine is reported at once.
 * What fails is a {@link ModelError}; an abort rejects with the signal's own reason.
 */
export function openChatModel(options: ChatModelOptions): Model {
  const server = chatServerOf(options);
  let loaded: Promise<LanguageModelV3> | undefined;
  const language = () => {
    loaded ??= loadLanguageModel(options, server);
    return loaded;
  };
  return {
    name: options.name ?? `${options.provider}:${options.model}`,
    ...(options.contextTokens === undefined ? {} : { contextTokens: options.contextTokens }),
    chat: (request, callOptions = {}) => chat({ ...options, server, language }, request, callOptions),
  };
}

interface OpenChat extends ChatModelOptions {
  readonly server: ChatServer;
  readonly language: () => Promise<LanguageModelV3>;
}

async function* chat(
  open: OpenChat,
  request: ChatRequest,
  { signal }: ModelCallOptions,
): AsyncGenerator<TextPart, ModelEnd> {
  signal?.throwIfAborted();
  // Closes the connection also when the reader leaves early, whatever the streams between do with a
  // cancellation.
  const connection = new LinkedController(signal);
  const silence = new SilenceWatch(open, connection);
  const total = limitTotal(open, connection);
  const call = {
    prompt: toPrompt(request.messages),
    ...(request.maxTokens === undefined ? {} : { maxOutputTokens: request.maxTokens }),
    abortSignal: connection.signal,
  };
  try {
    const stream = await startStream(await open.language(), call, silence, open);
    return yield* readStream(stream, silence, open);
  } catch (error) {
    connection.signal.throwIfAborted();
    throw toModelError(error, open.server);
  } finally {
    silence.end();
    total?.[Symbol.dispose]();
    connection.abort();
  }
}

/**
 * Closes the connection when the whole answer takes too long: a server that sends a little now and
 * then is never silent.
 */
function limitTotal({ clock, server, timeouts }: OpenChat, connection: AbortController): Disposable | undefined {
  const { totalMs } = timeouts;
  if (totalMs === undefined) return undefined;
  const { title, url } = server;
  const setting = printModelSetting(server.target.name, "totalMs");
  return clock.after(totalMs, () => connection.abort(answerTooSlow({ title, url, totalMs, setting })));
}

/** Sends the request, and again where that is safe. Ends with the start of an answer. */
async function startStream(
  language: LanguageModelV3,
  call: LanguageModelV3CallOptions & { readonly abortSignal: AbortSignal },
  silence: SilenceWatch,
  { server, clock, retries = 2 }: OpenChat,
): Promise<ReadableStream<LanguageModelV3StreamPart>> {
  for (let attempt = 0; ; attempt++) {
    silence.begin("firstPartMs");
    try {
      return (await language.doStream(call)).stream;
    } catch (error) {
      const failure = toModelError(error, server);
      const isHopeless = isLocalConnectionRefused(server.url, error);
      const waitMs = attempt < retries && !isHopeless ? waitBefore(attempt, failure, error) : undefined;
      if (call.abortSignal.aborted || waitMs === undefined) throw failure;
      silence.end();
      await pause(waitMs, { clock, signal: call.abortSignal });
    }
  }
}

/**
 * How long to wait before sending again what failed so; `undefined` when it should not be sent
 * again.
 */
function waitBefore(attempt: number, failure: unknown, thrown: unknown): number | undefined {
  if (!(failure instanceof ModelError) || !passing.has(failure.code)) return undefined;
  const waitMs = retryAfterMs(thrown) ?? firstWaitMs * 2 ** attempt;
  return waitMs <= longestWaitMs ? waitMs : undefined;
}

const passing: ReadonlySet<ModelFailure> = new Set(["rate-limited", "busy", "unreachable"]);

async function* readStream(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  silence: SilenceWatch,
  { server }: OpenChat,
): AsyncGenerator<TextPart, ModelEnd> {
  const reader = stream.getReader();
  let isBehindReasoning = false;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw cutOff(server);
    // The SDK's own remarks, not the server's.
    if (value.type === "stream-start" || value.type === "response-metadata") continue;
    if (value.type === "error") throw value.error;
    if (value.type === "finish") return endOf(value.finishReason, server);
    // What the reader does with a part takes its own time, which is no silence of the server.
    silence.end();
    if (value.type === "reasoning-delta") isBehindReasoning = true;
    if (value.type === "text-delta" && value.delta !== "") {
      yield { kind: "text-delta", text: value.delta, ...(isBehindReasoning && { isBehindReasoning }) };
    }
    silence.begin("idleMs");
  }
}

function endOf(
  { unified, raw }: { readonly unified: string; readonly raw: string | undefined },
  server: ChatServer,
): ModelEnd {
  if (unified === "length" || unified === "content-filter") return { reason: unified };
  // Servers end in words of their own, such as `eos`; none at all means that the stream broke.
  const isWhole = unified === "stop" || (unified === "other" && raw !== undefined && !noReasons.has(raw));
  if (isWhole) return { reason: "finished" };
  throw cutOff(server, raw === undefined ? undefined : server.mask(raw));
}

/** The reason that Gemini sends when it stops without one. */
const noReasons: ReadonlySet<string> = new Set(["OTHER", "FINISH_REASON_UNSPECIFIED"]);

/** Closes the connection when no part arrives within a time limit. */
class SilenceWatch {
  readonly #open: OpenChat;
  readonly #connection: AbortController;
  #timer: Disposable | undefined;

  constructor(open: OpenChat, connection: AbortController) {
    this.#open = open;
    this.#connection = connection;
  }

  begin(limit: "firstPartMs" | "idleMs"): void {
    this.end();
    const { clock, server, timeouts } = this.#open;
    const limitMs = timeouts[limit];
    this.#timer = clock.after(limitMs, () => {
      const { title, url } = server;
      const setting = printModelSetting(server.target.name, limit === "firstPartMs" ? "firstByteMs" : limit);
      const what = `${title} said nothing ${limit === "idleMs" ? "more " : ""}for ${limitMs / 1000} s`;
      const message = `${what}. Ask again, or set \`${setting}\` higher.`;
      this.#connection.abort(new ModelError("timed-out", message, { url, silence: { what, setting } }));
    });
  }

  end(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
