import type { LanguageModelV3, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { explainMissingKey, explainStrangeAnswer } from "../clients/explain-failure.ts";
import type { ChatMessage } from "../model.ts";
import { ModelError } from "../model-error.ts";
import type { ChatProtocol, ChatServer, ChatServerOptions } from "./chat-server.ts";

/**
 * Loads the part of the AI SDK that speaks a provider's protocol.
 *
 * The SDK reads the environment for whatever it is not given, so it is given everything.
 */
export async function loadLanguageModel(options: ChatServerOptions, server: ChatServer): Promise<LanguageModelV3> {
  if (server.url === "") {
    throw new ModelError("unsupported", `${server.title} needs an address, such as http://127.0.0.1:8000/v1.`);
  }
  const hasOwnKey = Object.keys(options.headers ?? {}).some((name) => keyHeaders.has(name.toLowerCase()));
  if (options.key === undefined && !hasOwnKey && server.needsKey) {
    throw explainMissingKey(server.asked);
  }
  return makers[server.protocol](options.model, {
    baseURL: server.url,
    apiKey: options.key ?? "",
    headers: { ...options.headers },
    fetch: guardedFetch(options, server),
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

/** Headers that carry a key. */
const keyHeaders: ReadonlySet<string> = new Set(["authorization", "x-api-key", "x-goog-api-key"]);

/** The host's `fetch`, without a header for a key that is not there, and with a page of HTML told from an answer. */
function guardedFetch({ fetch, key, headers = {} }: ChatServerOptions, server: ChatServer): typeof globalThis.fetch {
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return async (input, init) => {
    const sent = new Headers(init?.headers);
    if (key === undefined) for (const name of keyHeaders) if (!own.has(name)) sent.delete(name);
    const answer = await fetch(input, { ...init, headers: sent });
    if (!answer.ok || !/^text\/html\b/i.test(answer.headers.get("content-type") ?? "")) return answer;
    await answer.body?.cancel();
    throw explainStrangeAnswer("a web page", {
      title: server.title,
      url: answer.url || server.url,
      status: answer.status,
    });
  };
}

/** Our conversation as the SDK's. */
export function toPrompt(messages: readonly ChatMessage[]): LanguageModelV3Prompt {
  return messages.map(({ role, text }) =>
    role === "system" ? { role, content: text } : { role, content: [{ type: "text", text }] },
  );
}
