import { EmendError } from "../../text/index.ts";
import {
  explainNoAnswer,
  explainRefusal,
  messageIn,
  serverMessage,
  systemFailure,
  within,
} from "../clients/explain-failure.ts";
import { maskError } from "../mask-secrets.ts";
import { ModelError } from "../model-error.ts";
import type { ChatServer } from "./chat-server.ts";

/**
 * The {@link ModelError}, with a cause and a remedy, for what the AI SDK threw or what the server
 * sent as an error in its stream.
 *
 * The SDK's classes are recognized by their names and fields, since several versions of them may be
 * loaded. An error of another kind, such as a fault in the program, is returned unchanged.
 */
export function toModelError(thrown: unknown, { title, url, protocol, mask, ...server }: ChatServer): unknown {
  const own = emendErrorIn(thrown);
  if (own !== undefined) return own;
  // The SDK's errors contain the full address of the request.
  const target = { ...server.target, url: textOf(thrown, "url").replace(/\?.*/, "") || url };
  const isError = thrown instanceof Error;
  const status = isError ? numberOf(thrown, "statusCode") : undefined;
  const isBroken = isError && (systemFailure(thrown).code !== "" || isFetchFailure(thrown));
  if (isBroken && (status ?? 0) < 400) {
    if (status === undefined && thrown.message !== "terminated") return explainNoAnswer(target, thrown);
    const message = `The connection to ${within(title)} broke before the answer was whole. Ask again.`;
    return new ModelError("cut-off", message, { url, status, cause: maskError(thrown, mask) });
  }
  const body = textOf(thrown, "responseBody");
  // The SDK calls a stream that begins with garbage an HTTP 500, with an error of its own as the
  // body.
  const isGarbage = body.startsWith('{"name":"AI_');
  if (isError && status !== undefined && status >= 400 && !isGarbage) {
    return explainRefusal(target, { status, body, cause: thrown });
  }
  if (isError && thrown.name === "AI_UnsupportedFunctionalityError") {
    const message = `${title} cannot do this: ${serverMessage(mask(thrown.message))}`;
    return new ModelError("unsupported", message, { url, cause: maskError(thrown, mask) });
  }
  if (isError && /ended without a finish reason/.test(thrown.message)) return cutOff({ title, url });
  // A value that the SDK's schemas reject may still be an error message of the server.
  const rejected = isError ? fieldOf(thrown, "value") : thrown;
  const errorMessage = messageIn(rejected);
  if (errorMessage !== undefined)
    return explainRefusal(target, { status: statusIn(rejected), body: errorMessage, cause: thrown });
  if (isError && !thrown.name.startsWith("AI_")) return thrown;
  const message = `What ${within(title)} answered is not the ${protocol} protocol. Check the address ${url}, and that the server speaks it.`;
  return new ModelError("not-an-answer", message, { url, status, cause: maskError(thrown, mask) });
}

/**
 * The error `cut-off` for an answer that stopped without an end, or with the abnormal end `reason`.
 */
export function cutOff({ title, url }: Pick<ChatServer, "title" | "url">, reason?: string): ModelError {
  const ending = reason === undefined ? "without saying why" : `with the reason ${JSON.stringify(reason)}`;
  return new ModelError("cut-off", `${title} stopped in the middle of its answer, ${ending}. Ask again.`, { url });
}

/**
 * The wait that the server requests, in milliseconds, by the headers `retry-after-ms` and
 * `retry-after` in the SDK's error; `undefined` where it has none, or a date.
 */
export function retryAfterMs(thrown: unknown): number | undefined {
  const headers = fieldOf(thrown, "responseHeaders");
  const exact = Number.parseFloat(textOf(headers, "retry-after-ms"));
  if (exact >= 0) return exact;
  const seconds = Number.parseFloat(textOf(headers, "retry-after"));
  // A date instead of seconds is not worth a clock.
  return seconds >= 0 ? seconds * 1000 : undefined;
}

function statusIn(body: unknown): number | undefined {
  const error = fieldOf(body, "error") ?? body;
  const code = fieldOf(error, "code") ?? fieldOf(error, "status");
  return typeof code === "number" && code >= 400 && code < 600 ? code : undefined;
}

/** An error of ours, which the SDK may have wrapped in one of its own. */
function emendErrorIn(thrown: unknown): EmendError | undefined {
  let error = thrown;
  for (let depth = 0; depth < 5 && error instanceof Error; depth++) {
    if (error instanceof EmendError) return error;
    error = error.cause;
  }
  return undefined;
}

function isFetchFailure(error: Error): boolean {
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message);
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
