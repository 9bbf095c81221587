import { EmendError } from "../../text/index.ts";
import { explainNoAnswer, explainRefusal, within } from "../clients/explain-failure.ts";
import { messageIn, saidBy } from "../clients/said-by.ts";
import { systemFailure } from "../clients/system-failure.ts";
import { ModelError } from "../model-error.ts";
import type { ChatServer } from "./chat-server.ts";

/**
 * What the AI SDK threw, or what the server put into its stream as an error, with a cause and a cure.
 *
 * The SDK's classes are told by their names and fields, since several versions of them may be loaded. Whatever is no
 * failure of the outside comes back as it is.
 */
export function toModelError(thrown: unknown, { title, url, protocol, ...server }: ChatServer): unknown {
  if (thrown instanceof EmendError) return thrown;
  // The SDK's errors know the route.
  const asked = { ...server.asked, url: textOf(thrown, "url").replace(/\?.*/, "") || url };
  const isError = thrown instanceof Error;
  const status = isError ? numberOf(thrown, "statusCode") : undefined;
  const isBroken = isError && (systemFailure(thrown).code !== "" || isFetchFailure(thrown));
  if (isBroken && (status ?? 0) < 400) {
    if (status === undefined && thrown.message !== "terminated") return explainNoAnswer(asked, thrown);
    const message = `The connection to ${within(title)} broke before the answer was whole. Ask again.`;
    return new ModelError("cut-off", message, { url, status, cause: thrown });
  }
  const body = textOf(thrown, "responseBody");
  // The SDK calls a stream that begins with garbage an HTTP 500, with an error of its own as the body.
  const isGarbage = body.startsWith('{"name":"AI_');
  if (isError && status !== undefined && status >= 400 && !isGarbage) {
    return explainRefusal(asked, { status, body, cause: thrown });
  }
  if (isError && thrown.name === "AI_UnsupportedFunctionalityError") {
    const message = `${title} cannot do this: ${saidBy(thrown.message)}`;
    return new ModelError("unsupported", message, { url, cause: thrown });
  }
  if (isError && /ended without a finish reason/.test(thrown.message)) return cutOff({ title, url });
  // What the SDK's schemas do not know may still be the server's word for an error.
  const told = isError ? fieldOf(thrown, "value") : thrown;
  const said = messageIn(told);
  if (said !== undefined) return explainRefusal(asked, { status: statusIn(told), body: said, cause: thrown });
  if (isError && !thrown.name.startsWith("AI_")) return thrown;
  const message = `What ${within(title)} answered is not the ${protocol} protocol. Check the address ${url}, and that the server speaks it.`;
  return new ModelError("not-an-answer", message, { url, status, cause: thrown });
}

/** The answer stopped without an end, or with one that tells nothing. */
export function cutOff({ title, url }: Pick<ChatServer, "title" | "url">, reason?: string): ModelError {
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

function statusIn(said: unknown): number | undefined {
  const error = fieldOf(said, "error") ?? said;
  const code = fieldOf(error, "code") ?? fieldOf(error, "status");
  return typeof code === "number" && code >= 400 && code < 600 ? code : undefined;
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
