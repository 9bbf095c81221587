import { isLoopback, portOf } from "../base-url.ts";
import { maskError, maskOf } from "../mask-secrets.ts";
import { ModelError, type ModelFailure, type TooLong } from "../model-error.ts";
import { printModelSetting, type ServerModelName, shownModelName } from "../model-name.ts";
import { serverFacts } from "../providers.ts";
import { fillTemplates } from "../templates/families.ts";

/** A request and its server. */
export interface RequestTarget {
  readonly name: ServerModelName;
  readonly url: string;
  /** Addresses tried before this one, which did not answer. */
  readonly tried: readonly string[];
  /** The variables a key would come from, and the one it did come from. */
  readonly keyNames: readonly string[];
  readonly keyName: string | undefined;
  /** The key itself, which no message may hold. */
  readonly key: string | undefined;
  /** As the settings have it. */
  readonly contextTokens?: number;
  /** Masks every configured secret; the key alone unless set. */
  readonly mask?: ReturnType<typeof maskOf>;
}

/** An error response. */
export interface Refusal {
  /** Absent where a stream that had begun reports an error. */
  readonly status: number | undefined;
  /** The body, or its beginning. */
  readonly body: string;
  /** What a library made of it. */
  readonly cause?: unknown;
}

/** The most characters that are read of a body that is quoted; a longer one was cut. */
export const maxQuotedLength = 10_000;

/** The server has no such route. A missing model is a different error. */
export class RouteMissing extends ModelError {}

/**
 * The error for an error response, with the cause and the exact command or setting that helps. Its
 * code follows from the status and the server's message; that message is quoted with all secrets
 * masked.
 */
export function explainRefusal(target: RequestTarget, { status, body, cause }: Refusal): ModelError {
  const { title, needsKey } = serverFacts[target.name.provider];
  const mask = target.mask ?? maskOf([target.key ?? ""]);
  // Before the text is shortened, and once more for secrets that only its JSON spells in another
  // way.
  const serverText = mask(serverMessage(mask(body, body.length >= maxQuotedLength)));
  const quoted = serverText === "" ? "" : ` It said: ${serverText}`;
  const code = failureOf(status, serverText);
  const tooLong = code === "context-too-long" ? tooLongIn(serverText) : undefined;
  const error = (message: string) =>
    new ModelError(code, message + quoted, { url: target.url, status, tooLong, cause: maskError(cause, mask) });
  const withStatus = status === undefined ? "" : ` with ${status}`;
  switch (code) {
    case "key-refused": {
      if (target.keyName === undefined) return explainMissingKey(target, { status, quoted });
      const refusal = status === 403 ? "does not allow this with the key" : "does not know the key";
      return error(`${title} ${refusal} in ${target.keyName}. Check it.`);
    }
    case "unsupported":
      return error(
        `${theModel(target.name)} cannot fill in the middle by ${within(title)}'s own means. ${fillCure(target.name)}`,
      );
    case "context-too-long":
      return error(`The prompt does not fit into the context of ${within(title)}. ${contextCure(target)}`);
    case "not-found":
      return isModelMissing(serverText)
        ? error(modelMissing(target.name))
        : routeMissing(target, { status, quoted, cause });
    case "rate-limited":
      return error(`${title} answers no more requests for now. Wait, or look at the account's limits.`);
    case "busy":
      return /loading/i.test(serverText)
        ? error(`${title} is still loading its model. Ask again in a moment.`)
        : error(`${title} is not ready${status === undefined ? "" : ` (${status})`}. Ask again in a moment.`);
    case "server-failed":
      return error(`${title} failed${withStatus}. ${needsKey ? "Ask again in a moment." : "Its log says why."}`);
    default:
      return error(`${title} refused the request${withStatus}.`);
  }
}

/** The meaning of an error response, by its status and its text. */
function failureOf(status: number | undefined, message: string): ModelFailure {
  if (status === 401 || status === 403 || /api key not valid|invalid.{0,5}api.key/i.test(message)) return "key-refused";
  if (cannotFill.test(message)) return "unsupported";
  if (/unexpected endpoint/i.test(message)) return "not-found";
  if (isTooLong.test(message)) return "context-too-long";
  if (isModelMissing(message) || status === 404 || status === 405 || status === 501) return "not-found";
  if (status === 429 || /rate.?limit|quota|resource.?exhausted/i.test(message)) return "rate-limited";
  if (busyStatuses.has(status) || /overloaded/i.test(message)) return "busy";
  return status === undefined || status >= 500 ? "server-failed" : "request-refused";
}

/** The last is a word of Anthropic's. */
const busyStatuses: ReadonlySet<number | undefined> = new Set([502, 503, 504, 529]);

const isTooLong =
  /context.{0,20}(size|length|window)|maximum context|input length exceeds|too many tokens|prompt is too long/i;

/**
 * The sizes in a message of llama.cpp ("request (5120 tokens) exceeds the available context size
 * (4096 tokens)"), or of vLLM and OpenAI ("maximum context length is 4096 tokens. However, you
 * requested 5120 tokens (4480 in the messages, 640 in the completion)").
 */
function tooLongIn(message: string): TooLong {
  const contextTokens = /context (?:size|length|window)\D{0,12}(\d+)/i.exec(message)?.[1];
  const promptTokens =
    /(\d{1,9}) (?:in the (?:messages|prompt)|input tokens)/i.exec(message)?.[1] ??
    /(?:request|requested|prompt)\D{0,20}(\d+) tokens/i.exec(message)?.[1];
  return {
    ...(promptTokens !== undefined && { promptTokens: Number(promptTokens) }),
    ...(contextTokens !== undefined && { contextTokens: Number(contextTokens) }),
  };
}

/**
 * The error `unreachable` for a request that never got an answer; `cause` is what the request
 * failed with.
 */
export function explainNoAnswer(target: RequestTarget, cause: unknown): ModelError {
  const { title, start } = serverFacts[target.name.provider];
  const mask = target.mask ?? maskOf([target.key ?? ""]);
  const error = (message: string) =>
    new ModelError("unreachable", message, { url: target.url, cause: maskError(cause, mask) });
  const { code, port } = systemFailure(cause);
  const where = target.name.baseUrl;
  if (isPortForbidden(cause)) {
    return error(
      `No client asks port ${portOf(where)}, which other services use. Let ${within(title)} listen on another.`,
    );
  }
  if (code === "ECONNREFUSED" && port !== undefined && port !== portOf(where)) {
    return error(
      `The proxy on the way to ${where} does not listen on its port ${port}. Start it, correct HTTP_PROXY and HTTPS_PROXY, or put the host into NO_PROXY.`,
    );
  }
  if (code === "ECONNREFUSED") {
    const cure =
      start === undefined
        ? "Check the address."
        : `Start it with \`${start(target.name.model ?? "MODEL", portOf(where))}\`.`;
    return error(`Nothing listens at ${where}. ${cure}`);
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return error(`No machine is known by the name in ${where}. Check the address, and the network.`);
  }
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "EPROTO") {
    return error(`${where} does not speak https. Write \`http://\` instead.`);
  }
  if (/CERT|SELF_SIGNED|ISSUER|ERR_TLS/.test(code)) {
    return error(
      `The certificate of ${where} is not trusted (${code}). Name its authority's file in NODE_EXTRA_CA_CERTS.`,
    );
  }
  const detail = code === "" ? "" : ` (${code})`;
  return error(
    `The connection to ${within(title)} at ${where} broke before an answer came${detail}. Look at its log, and ask again.`,
  );
}

/**
 * The error `not-an-answer` for an answer of another kind; `what` came instead, such as
 * `a web page`.
 */
export function explainStrangeAnswer(
  what: string,
  { title, url, status }: { readonly title: string; readonly url: string; readonly status: number },
): ModelError {
  const message = `${title} answered ${what} at ${url}, which is no model's answer. Check the address, and what stands in between.`;
  return new ModelError("not-an-answer", message, { url, status });
}

/**
 * Whether a request failed because the connection was refused or broke; where that is before any
 * answer, sending it again does no harm. `false` for an unknown or unreachable host and a timeout.
 */
export function isBrokenConnection(cause: unknown): boolean {
  return /^(ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(systemFailure(cause).code);
}

/**
 * Whether `url` is on this machine and the connection was refused, by the failure `cause`: no
 * server listens there, which only a person can change.
 */
export function isLocalConnectionRefused(url: string, cause: unknown): boolean {
  return isLoopback(url) && systemFailure(cause).code === "ECONNREFUSED";
}

/** Source: https://fetch.spec.whatwg.org/#port-blocking; the client's words for it. */
function isPortForbidden(cause: unknown): boolean {
  return cause instanceof Error && cause.cause instanceof Error && cause.cause.message === "bad port";
}

/** A sentence on how a person makes a model fill that cannot by its server's own means. */
export function fillCure(name: ServerModelName): string {
  const templates = fillTemplates.map((template) => template.name).join(", ");
  const setting = (key: "template" | "fillBy") => `\`${printModelSetting(name, key)}\``;
  const other =
    name.provider === "ollama" ? "Take a base model, such as `ollama pull qwen2.5-coder:1.5b-base`; or name" : "Name";
  return `${other} the model's template in ${setting("template")} (${templates}), or set ${setting("fillBy")} to \`chat\`.`;
}

/**
 * The error `no-key` for a key that is needed and not there; it names the variables that may hold
 * it.
 */
export function explainMissingKey(
  { name, url, keyNames }: RequestTarget,
  { status, quoted = "" }: { readonly status?: number | undefined; readonly quoted?: string } = {},
): ModelError {
  const { title } = serverFacts[name.provider];
  const setting = printModelSetting(name, "keyCommand");
  const message = `${title} wants a key. Set the environment variable ${keyNames.join(" or ")}. Or set \`${setting}\` in your own file.${quoted}`;
  return new ModelError("no-key", message, { url, status });
}

function modelMissing({ provider, baseUrl, model = "MODEL" }: ServerModelName): string {
  const { title, start, fetchModel } = serverFacts[provider];
  const command = fetchModel?.(model) ?? (provider === "vllm" ? start?.(model, portOf(baseUrl)) : undefined);
  const cure = command === undefined ? "Check its name; `emend status` lists what there is." : `Run \`${command}\`.`;
  return `${title} has no model ${JSON.stringify(model)}. ${cure}`;
}

function routeMissing(
  { name, url, tried }: RequestTarget,
  { status, quoted, cause }: Pick<Refusal, "status" | "cause"> & { readonly quoted: string },
): RouteMissing {
  const { title } = serverFacts[name.provider];
  const there = title === "The server" ? "that it is a server of this kind" : `that ${title} listens there`;
  const cure = `Check the address in \`${shownModelName(name)}\`, and ${there}.`;
  const message = `${title} has no route ${[...tried, url].join(", nor ")}. ${cure}${quoted}`;
  return new RouteMissing("not-found", message, { url, status, cause });
}

/**
 * Messages of llama.cpp, Ollama, vLLM and OpenAI for a model without fill-in-the-middle support.
 */
const cannotFill =
  /not support (insert|infill|suffix)|infill is not supported|suffix is not (currently )?supported|is a chat model/i;

function isModelMissing(message: string): boolean {
  return /model/i.test(message) && /not.?found|not exist|no such|not loaded|invalid model/i.test(message);
}

function contextCure({ name, contextTokens }: RequestTarget): string {
  // Of these servers Emend itself sets the size.
  const requested = contextTokens ?? serverFacts[name.provider].contextTokens;
  if (name.provider === "ollama" && requested !== undefined) {
    const setting = `"models": { ${JSON.stringify(shownModelName(name))}: { "contextTokens": ${2 * requested} } }`;
    return `Emend requests ${requested.toLocaleString("en")} tokens of it. For more, set ${setting} in your emend.config.json, as far as the model and the memory allow.`;
  }
  const larger: Partial<Record<ServerModelName["provider"], string>> = {
    llamacpp: ", or start it with a larger one: `llama-server … --ctx-size 16384`",
    vllm: ", or start it with a larger one: `vllm serve … --max-model-len 16384`",
  };
  return `Set \`${printModelSetting(name, "contextTokens")}\` to its true size${larger[name.provider] ?? ""}.`;
}

function theModel({ model }: ServerModelName): string {
  return model === undefined ? "This model" : `The model ${JSON.stringify(model)}`;
}

/** A server's title inside a sentence: `The server` becomes `the server`, others are unchanged. */
export function within(title: string): string {
  return title.replace(/^The /, "the ");
}

/**
 * The system's code, such as `ECONNREFUSED`, of an error or of what caused it, down to five causes,
 * and the port; an empty code where there is none.
 */
export function systemFailure(error: unknown): { readonly code: string; readonly port: number | undefined } {
  let cause = error;
  for (let depth = 0; depth < 5 && typeof cause === "object" && cause !== null; depth++) {
    const { code, port, cause: next, errors } = cause as Readonly<Record<string, unknown>>;
    // Of several addresses that were tried, the failure of the first is enough.
    const first = Array.isArray(errors) ? systemFailure(errors[0]) : undefined;
    if (typeof code === "string") return { code, port: typeof port === "number" ? port : first?.port };
    if (first !== undefined && first.code !== "") return first;
    cause = next;
  }
  return { code: "", port: undefined };
}

/**
 * The message of a server in the body of an error, in one line of at most 300 characters; the body
 * itself where it has no known form, empty for nothing and for web pages.
 */
export function serverMessage(body: string): string {
  const text = messageIn(tryParseJson(body)) ?? (/^\s*</.test(body) ? "" : body);
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/**
 * The message in an error of any server: a text, `{error}`, `{error: {message}}`, `{message}`,
 * `{detail: [{msg}]}`. `undefined` where there is none within `depth` levels.
 */
export function messageIn(value: unknown, depth = 6): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth === 0) return undefined;
  if (Array.isArray(value)) return messageIn(value[0], depth - 1);
  const { error, message, detail, msg } = value as Readonly<Record<string, unknown>>;
  for (const inner of [error, message, detail, msg]) {
    const found = messageIn(inner, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A text of JSON as a value; `undefined` where it is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
