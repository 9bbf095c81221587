import type { LanguageModelV3, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { explainMissingKey } from "../clients/explain-failure.ts";
import type { ChatMessage } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { chatFetch, keyHeaders } from "./chat-fetch.ts";
import type { ChatProtocol, ChatServer, ChatServerOptions } from "./chat-server.ts";

/**
 * Loads the part of the AI SDK that implements a provider's protocol.
 *
 * The SDK reads missing options from the environment, so every option is passed.
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
