import type { LanguageModelV3, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { maxRefusalBytes } from "../clients/answer-limits.ts";
import { explainMissingKey, explainStrangeAnswer } from "../clients/explain-failure.ts";
import { fetchWithinOrigin } from "../clients/fetch-within-origin.ts";
import type { ChatMessage } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { mergeRequest, type RequestOptions } from "../request-options.ts";
import { chatEvents } from "./chat-events.ts";
import type { ChatProtocol, ChatServer, ChatServerOptions } from "./chat-server.ts";

/**
 * Loads the part of the AI SDK that implements a provider's protocol. Rejects with
 * {@link ModelError}: with code "unsupported" where the server has no address, and with "no-key"
 * where it needs a key and none is configured.
 *
 * The SDK reads missing options from the environment, so every option is passed.
 */
export async function loadLanguageModel(options: ChatServerOptions, server: ChatServer): Promise<LanguageModelV3> {
  if (server.url === "") {
    throw new ModelError("unsupported", `${server.title} needs an address, such as http://127.0.0.1:8000/v1.`);
  }
  const hasOwnKey = Object.keys(options.headers ?? {}).some((name) => keyHeaders.has(name.toLowerCase()));
  if (options.key === undefined && !hasOwnKey && server.needsKey) {
    throw explainMissingKey(server.target);
  }
  return makers[server.protocol](options.model, {
    baseURL: server.url,
    apiKey: options.key ?? "",
    headers: { ...options.headers },
    fetch: chatFetch(options, server),
  });
}

interface Settings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly headers: Record<string, string>;
  readonly fetch: typeof globalThis.fetch;
}

const makers: Readonly<Record<ChatProtocol, (model: string, settings: Settings) => Promise<LanguageModelV3>>> = {
  openai: async (model, settings) => (await import("@ai-sdk/openai")).createOpenAI(settings).chat(model),
  anthropic: async (model, settings) => (await import("@ai-sdk/anthropic")).createAnthropic(settings)(model),
  google: async (model, settings) => (await import("@ai-sdk/google")).createGoogleGenerativeAI(settings)(model),
  mistral: async (model, settings) => (await import("@ai-sdk/mistral")).createMistral(settings)(model),
  "openai-compatible": async (model, settings) =>
    (await import("@ai-sdk/openai-compatible")).createOpenAICompatible({ ...settings, name: "server" })(model),
};

/** Our conversation as the SDK's. */
export function toPrompt(messages: readonly ChatMessage[]): LanguageModelV3Prompt {
  return messages.map(({ role, text }) =>
    role === "system" ? { role, content: text } : { role, content: [{ type: "text", text }] },
  );
}

/** Headers that carry a key. */
const keyHeaders: ReadonlySet<string> = new Set(["authorization", "x-api-key", "x-goog-api-key"]);

/**
 * The host's `fetch` as the AI SDK is given it: without a header for a key that is not there, with
 * the user's request options, within the server's origin, and with an answer within the limits of
 * all answers. A page of HTML is distinguished from an answer.
 *
 * Rejects with `ModelError` or with what the host's `fetch` rejects with.
 */
function chatFetch(
  { fetch, key, query, headers = {}, request: options }: ChatServerOptions,
  server: ChatServer,
): typeof globalThis.fetch {
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return async (input, init) => {
    const sent = new Headers(init?.headers);
    if (key === undefined) for (const name of keyHeaders) if (!own.has(name)) sent.delete(name);
    const url = withQuery(input instanceof Request ? input.url : String(input), query);
    const request: RequestInit = { ...init, headers: sent, ...withOptions(init?.body, options) };
    const answer = await fetchWithinOrigin<RequestInit, Response>(fetch, { url, request, title: server.title });
    const { status, body } = answer;
    if (body === null) return answer;
    if (!answer.ok) return withBody(answer, body.pipeThrough(firstBytes(maxRefusalBytes)));
    if (/^text\/html\b/i.test(answer.headers.get("content-type") ?? "")) {
      await body.cancel();
      throw explainStrangeAnswer("a web page", { title: server.title, url: answer.url || server.url, status });
    }
    return withBody(answer, body.pipeThrough(chatEvents({ server, status })));
  };
}

/** The body that the SDK wrote, with the user's request options over it. */
function withOptions(body: RequestInit["body"], options: RequestOptions | undefined): Pick<RequestInit, "body"> {
  if (options === undefined || typeof body !== "string") return {};
  return { body: JSON.stringify(mergeRequest(JSON.parse(body) as RequestOptions, options)) };
}

/** `url` with the query of the model's name, placed before the protocol's own query. */
function withQuery(url: string, query: string | undefined): string {
  if (query === undefined) return url;
  const [path = "", own] = url.split("?", 2);
  return `${path}${query}${own === undefined ? "" : `&${own}`}`;
}

function withBody({ status, statusText, headers }: Response, body: ReadableStream<Uint8Array>): Response {
  // A made response has no status above this, and a server may have any of three digits.
  return new Response(body, { status: Math.min(status, 599), statusText, headers: new Headers([...headers]) });
}

/** Lets the first `limit` bytes through and ends then. */
function firstBytes(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let left = limit;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left <= 0) controller.terminate();
    },
  });
}
