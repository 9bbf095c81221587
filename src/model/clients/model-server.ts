import { onAbort, pause, raceAbort, withTimeout } from "../../async/index.ts";
import { configuredSecrets, maskError, maskOf, maskTexts } from "../mask-secrets.ts";
import { ModelError } from "../model-error.ts";
import type { FetchRequest, FetchResponse, ModelHost, ModelSettings } from "../model-host.ts";
import { printModelSetting, type ServerModelName } from "../model-name.ts";
import { type ServerFacts, serverFacts } from "../providers.ts";
import { mergeRequest } from "../request-options.ts";
import { answerTooSlow, defaultTotalMs } from "./answer-limits.ts";
import {
  explainMissingKey,
  explainNoAnswer,
  explainRefusal,
  explainStrangeAnswer,
  isBrokenConnection,
  isLocalConnectionRefused,
  maxQuotedLength,
  type RequestTarget,
  RouteMissing,
  within,
} from "./explain-failure.ts";
import { fetchWithinOrigin } from "./fetch-within-origin.ts";
import { PromptMeter } from "./prompt-meter.ts";
import { describeAnswer, type Framing, type Message, readMessages } from "./server-answer.ts";

/** One request to a model's server. */
export interface ServerRequest {
  /**
   * Paths behind the server's address, such as `/v1/completions`: where one is missing, the next is
   * tried.
   */
  readonly routes: readonly string[];
  /** Sent as JSON; without it the request is a GET. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly framing: Framing;
  /** How often it is sent again where that is safe; default: as often as the settings allow. */
  readonly retries?: number;
}

/**
 * The messages of an answer, in order; returns whether its framing marks it as whole, see
 * `readMessages`.
 */
type AnswerMessages = AsyncGenerator<Message, boolean>;

/**
 * An answer that has begun. The caller ends it: with `finish`, or else with `leave`, which is
 * harmless after it.
 */
export interface OpenAnswer {
  readonly url: string;
  /** In order, once. */
  readonly messages: AnswerMessages;
  /**
   * Ends the answer after its last needed message: the rest is read for up to a second, so that the
   * connection can be reused.
   */
  finish(): void;
  /** Closes the connection. */
  leave(): void;
}

/** A server that has a model: its address, routes, keys, headers, timeouts and retries. */
export class ModelServer {
  readonly name: ServerModelName;
  readonly facts: ServerFacts;
  readonly settings: ModelSettings;
  /** How it takes prompts, as far as that is known. */
  readonly meter = new PromptMeter();
  readonly #host: ModelHost;
  /** For each list of routes, the first that was there. */
  readonly #routeFound = new Map<string, number>();
  #mask: ReturnType<typeof maskOf> | undefined;
  #commandKey: string | undefined;

  constructor(name: ServerModelName, host: ModelHost) {
    this.name = name;
    this.facts = serverFacts[name.provider];
    this.settings = host.settings ?? {};
    this.meter.contextTokens = this.settings.contextTokens;
    this.#host = host;
  }

  /**
   * The environment variables that may hold the key, and what does: one of them, or else the
   * setting `keyCommand`, see {@link loadKey}.
   */
  get key(): { readonly names: readonly string[]; readonly name?: string; readonly value?: string } {
    // A company's key goes to that company only, whatever address a settings file has.
    const names = this.#homeKeyNames ?? serverFacts["openai-compatible"].keyNames;
    for (const name of names) {
      const value = this.#host.key(name);
      if (value !== undefined) return { names, name, value };
    }
    if (this.#commandKey === undefined) return { names };
    return { names, name: printModelSetting(this.name, "keyCommand"), value: this.#commandKey };
  }

  /**
   * Runs the user's `keyCommand` where no variable holds a key. Rejects with {@link ModelError}
   * with code "no-key" where it prints none, and with the signal's reason on abort.
   */
  async loadKey(signal: AbortSignal | undefined): Promise<void> {
    const { keyCommand } = this.settings;
    if (keyCommand === undefined || this.key.value !== undefined) return;
    const unable = { kind: "failed", why: "no program can be started here" } as const;
    const answer = await raceAbort(this.#host.keyOf?.(keyCommand) ?? Promise.resolve(unable), signal);
    if (answer.kind === "failed") {
      const setting = printModelSetting(this.name, "keyCommand");
      const message = `There is no key of \`${setting}\`, since ${answer.why}. Run the command in a terminal to see why.`;
      throw new ModelError("no-key", message, { url: this.name.baseUrl });
    }
    this.#commandKey = answer.key;
    this.#mask = undefined;
  }

  /** The variables of its own key; `undefined` for an address that is not the company's. */
  get #homeKeyNames(): readonly string[] | undefined {
    const { home, keyNames, keyNamesAt, needsKey } = this.facts;
    return !needsKey || this.name.baseUrl === home ? keyNames : keyNamesAt?.[this.name.baseUrl];
  }

  /**
   * The headers of the settings, with the values of environment variables. Throws
   * {@link ModelError} with code "no-key" where one of these variables is not set.
   */
  get headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {};
    for (const [header, value] of Object.entries(this.settings.headers ?? {})) {
      headers[header.toLowerCase()] = value.replace(/\$\{(\w+)\}/g, (_, name: string) => {
        const found = this.#host.key(name);
        if (found !== undefined) return found;
        throw new ModelError("no-key", `The header ${header} wants the environment variable ${name}. Set it.`);
      });
    }
    return headers;
  }

  /**
   * Masks every configured secret, for texts of the server that are shown to people. Throws as
   * {@link headers} does.
   */
  get mask(): ReturnType<typeof maskOf> {
    this.#mask ??= maskOf([
      ...(this.#host.secrets ?? []),
      this.key.value ?? "",
      ...configuredSecrets({ environment: {}, headers: this.headers, query: this.name.query }),
    ]);
    return this.#mask;
  }

  /** The body of a request to the model: `body`, and over it the user's request options. */
  bodyOf(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return mergeRequest(body, this.settings.request ?? {});
  }

  /** Where a request goes: to the route that was found, or the first. */
  urlOf({ routes }: Pick<ServerRequest, "routes">): string {
    return this.#urlAt(routes[this.#routeFound.get(routes.join(" ")) ?? 0]!);
  }

  /**
   * As {@link ask}, for what the server reports about itself. Secrets are masked, since the result
   * is shown to people. Rejects as {@link ask} does.
   */
  async askAbout(request: ServerRequest, signal?: AbortSignal): Promise<Message> {
    return maskTexts(await this.ask(request, signal), this.mask);
  }

  #urlAt(route: string): string {
    return this.name.baseUrl + route + (this.name.query ?? "");
  }

  /**
   * Sends a request and returns the first message of its answer. Rejects as {@link open} does, and
   * with {@link ModelError} where the answer has no message or the message is an error.
   */
  async ask(request: ServerRequest, signal?: AbortSignal): Promise<Message> {
    const answer = await this.open(request, signal);
    try {
      const { done, value } = await answer.messages.next();
      if (done === true) throw this.cutOff(answer.url);
      const refusal = this.refusalIn(value, answer.url);
      if (refusal !== undefined) throw refusal;
      answer.finish();
      return value;
    } finally {
      answer.leave();
    }
  }

  /**
   * Sends a request, and again where that is safe: when no server listened or the connection broke
   * before any answer, when the server sent a time to retry, or that it is loading. Where no server
   * listens on this machine, that is reported at once. Resolves when the head of the answer has
   * arrived.
   *
   * Rejects with {@link ModelError}, and with the signal's reason on abort.
   */
  async open(request: ServerRequest, signal?: AbortSignal): Promise<OpenAnswer> {
    signal?.throwIfAborted();
    await this.needKey(signal);
    const retries = request.retries ?? this.settings.retries ?? 2;
    const key = request.routes.join(" ");
    const tried: string[] = [];
    const deadline = this.#host.clock.now() + this.#totalMs;
    let route = this.#routeFound.get(key) ?? 0;
    for (let attempt = 0; ; ) {
      signal?.throwIfAborted();
      const url = this.#urlAt(request.routes[route]!);
      const sent = await this.#send(request, { url, tried, deadline }, signal);
      if ("messages" in sent) {
        this.#routeFound.set(key, route);
        return sent;
      }
      if (sent.error instanceof RouteMissing && route + 1 < request.routes.length) {
        tried.push(url);
        route += 1;
        continue;
      }
      const waitMs = Math.max(sent.againMs ?? Number.POSITIVE_INFINITY, firstWaitMs * 2 ** attempt);
      const isTooLate = this.#host.clock.now() + waitMs >= deadline;
      if (attempt >= retries || waitMs > longestWaitMs || isTooLate) throw sent.error;
      attempt += 1;
      await pause(waitMs, { clock: this.#host.clock, signal });
    }
  }

  /** The answer ended without a mark of its end. */
  cutOff(url: string): ModelError {
    return new ModelError("cut-off", `${this.facts.title} stopped in the middle of its answer. Ask again.`, { url });
  }

  /** The answer is a message of another protocol, or of none. */
  strangeAnswer(message: Message, url: string): ModelError {
    return explainStrangeAnswer(describeAnswer(this.mask(JSON.stringify(message))), {
      title: this.facts.title,
      url,
      status: 200,
    });
  }

  /** The error for a message that is one. `url` is where the answer came from. */
  refusalIn(message: Message, url: string): ModelError | undefined {
    const error = message["error"];
    if (error === undefined || error === null) return undefined;
    const { code } = error as { readonly code?: unknown };
    const status = typeof code === "number" && code >= 400 && code < 600 ? code : 500;
    return explainRefusal(this.#target(url), { status, body: JSON.stringify(message) });
  }

  /**
   * Loads the key. Rejects as {@link loadKey} does, and with {@link ModelError} with code "no-key"
   * where the server needs a key and none is configured: no source is sent to a company that will
   * refuse it.
   */
  async needKey(signal: AbortSignal | undefined): Promise<void> {
    await this.loadKey(signal);
    if (!this.facts.needsKey || this.#homeKeyNames === undefined || this.key.value !== undefined) return;
    if (Object.keys(this.headers).some((header) => /authorization|api-key/.test(header))) return;
    throw explainMissingKey(this.#target(this.name.baseUrl));
  }

  async #send(
    request: ServerRequest,
    { url, tried, deadline }: { readonly url: string; readonly tried: readonly string[]; readonly deadline: number },
    signal: AbortSignal | undefined,
  ): Promise<OpenAnswer | Failed> {
    const { fetch, clock } = this.#host;
    const target = { ...this.#target(url), tried };
    const connection = new AbortController();
    // Built before the listener is added, which an exception would leave behind.
    const sent: FetchRequest = {
      method: request.body === undefined ? "GET" : "POST",
      headers: this.#requestHeaders(request),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      signal: connection.signal,
    };
    const leave = () => {
      listener[Symbol.dispose]();
      connection.abort();
    };
    const listener = onAbort(signal, () => connection.abort());
    const firstByteMs = this.settings.firstByteMs ?? 60_000;
    const begun = clock.now();
    let isBegun = false;
    const wait = <T>(work: Promise<T>): Promise<T> => {
      const now = clock.now();
      const pieceMs = isBegun ? (this.settings.idleMs ?? 20_000) : Math.max(0, begun + firstByteMs - now);
      const leftMs = Math.max(0, deadline - now);
      const late = () => (leftMs < pieceMs ? this.#tooSlow(url) : this.#late(url, pieceMs, isBegun));
      return withTimeout(work, { clock, limitMs: Math.min(pieceMs, leftMs), signal, late });
    };

    let response: FetchResponse;
    try {
      response = await wait(fetchWithinOrigin(fetch, { url, request: sent, title: this.facts.title }));
    } catch (cause) {
      leave();
      signal?.throwIfAborted();
      if (cause instanceof ModelError) throw cause;
      const error = explainNoAnswer(target, cause);
      const mayHelp = isBrokenConnection(cause) && !isLocalConnectionRefused(url, cause);
      return { error, againMs: mayHelp ? 0 : undefined };
    }

    if (response.status < 200 || response.status >= 300) {
      const body = await this.#bodyOf(response, wait);
      leave();
      signal?.throwIfAborted();
      return { error: explainRefusal(target, { status: response.status, body }), againMs: requestedWaitMs(response) };
    }
    const messages = this.#read({ response, url, framing: request.framing, signal }, async (bytes) => {
      const piece = await wait(bytes);
      isBegun = true;
      return piece;
    });
    let isFinished = false;
    return {
      url,
      messages,
      finish: () => {
        isFinished = true;
        this.#drain(messages, leave);
      },
      leave: () => {
        if (!isFinished) leave();
      },
    };
  }

  /** The messages; a connection that breaks under them is an answer cut off. */
  async *#read(
    { response, url, framing, signal }: AnswerSource,
    wait: <T>(work: Promise<T>) => Promise<T>,
  ): AnswerMessages {
    try {
      return yield* readMessages({ response, title: this.facts.title, url, framing, wait, mask: this.mask });
    } catch (cause) {
      if (cause instanceof ModelError) throw cause;
      signal?.throwIfAborted();
      const message = `The connection to ${within(this.facts.title)} broke in the middle of its answer. Ask again.`;
      throw new ModelError("cut-off", message, { url, cause: maskError(cause, this.mask) });
    }
  }

  #drain(messages: AnswerMessages, leave: () => void): void {
    const timer = this.#host.clock.after(drainMs, leave);
    const rest = async () => {
      for await (const _ of messages);
    };
    // Once all is read the connection is free for the next request, and leaving it is without
    // effect.
    rest()
      .catch(() => {})
      .then(() => {
        timer[Symbol.dispose]();
        leave();
      });
  }

  /** The beginning of the body of an error response; empty if no body arrives. */
  async #bodyOf(response: FetchResponse, wait: <T>(work: Promise<T>) => Promise<T>): Promise<string> {
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    let text = "";
    while (reader !== undefined && text.length < maxQuotedLength) {
      const { done, value } = await wait(reader.read()).catch(() => ({ done: true, value: undefined }));
      if (done || value === undefined) break;
      text += decoder.decode(value, { stream: true });
    }
    return text;
  }

  #requestHeaders({ body, framing }: ServerRequest): Record<string, string> {
    const key = this.key.value;
    return {
      accept: { sse: "text/event-stream", ndjson: "application/x-ndjson", json: "application/json" }[framing],
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...this.headers,
    };
  }

  #target(url: string): RequestTarget {
    const { names, name, value } = this.key;
    const { contextTokens } = this.settings;
    const key = { keyNames: names, keyName: name, key: value, mask: this.mask };
    return { name: this.name, url, tried: [], ...key, ...(contextTokens !== undefined && { contextTokens }) };
  }

  get #totalMs(): number {
    return this.settings.totalMs ?? defaultTotalMs;
  }

  #tooSlow(url: string): ModelError {
    const setting = printModelSetting(this.name, "totalMs");
    return answerTooSlow({ title: this.facts.title, url, totalMs: this.#totalMs, setting });
  }

  #late(url: string, limitMs: number, isBegun: boolean): ModelError {
    const seconds = (isBegun ? limitMs : (this.settings.firstByteMs ?? 60_000)) / 1000;
    const setting = printModelSetting(this.name, isBegun ? "idleMs" : "firstByteMs");
    const what = isBegun ? "nothing more" : "nothing";
    const known = `${this.facts.title} sent ${what} for ${seconds} s`;
    const message = `${known}. Look at its log, or set \`${setting}\` higher.`;
    return new ModelError("timed-out", message, { url, silence: { what: known, setting } });
  }
}

/** A request that came to nothing. */
interface Failed {
  readonly error: ModelError;
  /**
   * After how many milliseconds it may be sent again, at the least; absent where it must not be.
   */
  readonly againMs: number | undefined;
}

interface AnswerSource {
  readonly response: FetchResponse;
  readonly url: string;
  readonly framing: Framing;
  readonly signal: AbortSignal | undefined;
}

/** The wait before a request is sent again, doubled each time. */
const firstWaitMs = 200;

/**
 * A server's request to wait longer than this, in milliseconds, is reported as an error instead.
 */
const longestWaitMs = 20_000;

/** How long the unused rest of an answer may take. */
const drainMs = 1_000;

/**
 * The milliseconds that a busy server (429 or 503) wants the client to wait; 0 for a 503 without a
 * time. `undefined` when the request must not be sent again.
 */
function requestedWaitMs({ status, headers }: FetchResponse): number | undefined {
  const seconds = Number.parseFloat(headers.get("retry-after") ?? "");
  // A date instead of seconds would need a calendar, and is as rare as it is coarse.
  const waitMs = seconds >= 0 ? seconds * 1000 : undefined;
  if (status === 503) return waitMs ?? 0;
  return status === 429 ? waitMs : undefined;
}
