import { EmendError } from "../../text/index.ts";
import { portOf } from "../base-url.ts";
import { ModelError, type ModelFailure } from "../model-error.ts";
import type { ChatServer } from "./chat-server.ts";

/**
 * What the AI SDK threw, or what the server put into its stream as an error, with a cause and a cure.
 *
 * The SDK's classes are told by their names and fields, since several versions of them may be loaded. Whatever is no
 * failure of the outside comes back as it is.
 */
export function toModelError(thrown: unknown, server: ChatServer): unknown {
  if (thrown instanceof EmendError) return thrown;
  const { url } = server;
  const isError = thrown instanceof Error;
  const broken = isError ? networkCodeOf(thrown) : undefined;
  const status = isError ? numberOf(thrown, "statusCode") : undefined;
  const fail = (code: ModelFailure, message: string): ModelError =>
    new ModelError(code, withoutKey(message, server), { url, status, cause: thrown });

  if (isError && (status ?? 0) < 400 && (broken !== undefined || isFetchFailure(thrown))) {
    return status !== undefined || thrown.message === "terminated"
      ? fail("cut-off", `The connection to ${server.title} broke before the answer was whole. Ask again.`)
      : fail("unreachable", unreachable(server, broken));
  }
  const body = textOf(thrown, "responseBody");
  // The SDK calls a stream that begins with garbage an HTTP 500, with an error of its own as the body.
  const isGarbage = body.startsWith('{"name":"AI_');
  if (isError && status !== undefined && status >= 400 && !isGarbage) {
    const said = saidBy(body);
    const code = failureOf(status, `${said} ${thrown.message}`);
    return fail(code, explain(code, said === "" ? `HTTP ${status}` : said, server));
  }
  if (isError && thrown.name === "AI_UnsupportedFunctionalityError") {
    return fail("unsupported", `${server.title} cannot do this: ${oneLine(thrown.message)}`);
  }
  if (isError && /ended without a finish reason/.test(thrown.message)) return cutOff(server);
  // What the SDK's schemas do not know may still be the server's word for an error.
  const told = isError ? fieldOf(thrown, "value") : thrown;
  const said = typeof told === "string" ? told : messageIn(told);
  if (said !== undefined) {
    const code = failureOf(statusIn(told), `${said} ${JSON.stringify(told)}`);
    return fail(code, explain(code, oneLine(said), server));
  }
  if (isError && !thrown.name.startsWith("AI_")) return thrown;
  const message = `What ${server.title} answered is not the ${server.protocol} protocol. Check the address ${url}, and that the server speaks it.`;
  return fail("not-an-answer", message);
}

/** The answer stopped without an end, or with one that tells nothing. */
export function cutOff({ title, url }: ChatServer, reason?: string): ModelError {
  const said = reason === undefined ? "without saying why" : `with the reason ${JSON.stringify(reason)}`;
  return new ModelError("cut-off", `${title} stopped in the middle of its answer, ${said}. Ask again.`, { url });
}

/** How long the server asks to wait, in milliseconds, when the SDK's error tells. */
export function retryAfterMs(thrown: unknown): number | undefined {
  const headers = fieldOf(thrown, "responseHeaders");
  const exact = Number.parseFloat(textOf(headers, "retry-after-ms"));
  if (exact >= 0) return exact;
  const seconds = Number.parseFloat(textOf(headers, "retry-after"));
  // A date instead of seconds is not worth a clock.
  return seconds >= 0 ? seconds * 1000 : undefined;
}

function unreachable({ title, url, start, model }: ChatServer, broken: string | undefined): string {
  const cause =
    broken === "ENOTFOUND" || broken === "EAI_AGAIN" ? "there is no such host" : (broken ?? "no connection");
  const cure =
    start === undefined
      ? "Check the address, the network and the proxy."
      : `Start it: \`${start(model, portOf(url))}\`.`;
  return `${title} cannot be reached at ${url}: ${cause}. ${cure}`;
}

function failureOf(status: number | undefined, said: string): ModelFailure {
  if (
    /context.{0,20}(length|size|window)|too many tokens|prompt is too long|exceeds? the (available )?context/i.test(
      said,
    )
  )
    return "context-too-long";
  if (status === 401 || status === 403 || /api key not valid|invalid.{0,5}api.key/i.test(said)) return "key-refused";
  if (status === 404 || /model.{0,60}not found|no such model/i.test(said)) return "not-found";
  if (status === 429 || /rate.?limit|quota|resource_exhausted/i.test(said)) return "rate-limited";
  if (status === 503 || status === 529 || /overloaded|loading model/i.test(said)) return "busy";
  return status === undefined || status >= 500 ? "server-failed" : "request-refused";
}

function explain(code: ModelFailure, said: string, server: ChatServer): string {
  const { title, model, url, keyVariable, fetchModel } = server;
  const cures: Readonly<Partial<Record<ModelFailure, string>>> = {
    "key-refused":
      keyVariable === undefined ? "Give it a key, as a header or in the environment." : `Check ${keyVariable}.`,
    "not-found":
      fetchModel === undefined
        ? `Check the name of the model, ${model}, and the address ${url}.`
        : `Fetch the model: \`${fetchModel(model)}\`, or check the address ${url}.`,
    "context-too-long": "Lower `context.maxTokens`, or give the server a larger context.",
    "rate-limited": "Wait a little, or check your plan with the provider.",
    busy: "Ask again in a moment.",
    "server-failed": "Look into the server's log, and ask again.",
  };
  return `${title} refused: ${endSentence(said)} ${cures[code] ?? ""}`.trim();
}

/** What a body tells a person: the message in its JSON, or the text itself, on one short line. */
function saidBy(body: string): string {
  let found = body;
  try {
    found = messageIn(JSON.parse(body)) ?? body;
  } catch {
    if (/^\s*</.test(body)) found = "";
  }
  return oneLine(found);
}

function messageIn(value: unknown): string | undefined {
  if (Array.isArray(value)) return messageIn(value[0]);
  for (const name of ["error", "message", "detail"]) {
    const inner = fieldOf(value, name);
    if (typeof inner === "string") return inner;
    const deeper = inner === undefined ? undefined : messageIn(inner);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

function statusIn(said: unknown): number | undefined {
  const code = fieldOf(said, "code") ?? fieldOf(said, "status");
  return typeof code === "number" && code >= 400 && code < 600 ? code : undefined;
}

/** The system's name for what broke the connection, such as `ECONNREFUSED`, however deep it lies. */
function networkCodeOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = fieldOf(cause, "code");
    if (typeof code === "string" && /^(E[A-Z]|UND_ERR_)/.test(code)) return code;
    // Of several addresses tried, the first one's failure tells enough.
    if (cause instanceof AggregateError && cause.errors.length > 0) return networkCodeOf(cause.errors[0]);
  }
  return undefined;
}

function isFetchFailure(error: Error): boolean {
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message);
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Servers repeat keys in their messages; logs should not. */
function withoutKey(message: string, { key }: ChatServer): string {
  return key === undefined || key.length < 4 ? message : message.replaceAll(key, "KEY");
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function textOf(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : "";
}

function numberOf(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name);
  return typeof field === "number" ? field : undefined;
}
