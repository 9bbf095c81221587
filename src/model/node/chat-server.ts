import type { Asked } from "../clients/explain-failure.ts";
import { parseModelName } from "../model-name.ts";
import { type ServerProvider, serverFacts } from "../providers.ts";

/** How a chat is spoken over the wire. */
export type ChatProtocol = "openai" | "anthropic" | "google" | "mistral" | "openai-compatible";

/** Whom to ask, and how. */
export interface ChatServerOptions {
  readonly provider: ServerProvider;
  /** As the provider names it. */
  readonly model: string;
  /** How the model is called in Emend; `provider:model` unless told. */
  readonly name?: string | undefined;
  /** Where the provider is, with the version at the end, such as `http://127.0.0.1:11434/v1`; its own place unless told. */
  readonly baseUrl?: string | undefined;
  /** Absent where none is needed, or a header carries it. */
  readonly key?: string | undefined;
  /** Where the key comes from, as messages name it; the provider's custom unless told. */
  readonly keyVariable?: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  /** Sent with every request, instead of our own of the same name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Whom a chat was asked of, as messages about it need to know. */
export interface ChatServer {
  readonly title: string;
  readonly protocol: ChatProtocol;
  /** Without a slash at the end; empty where it is not known. */
  readonly url: string;
  /** Whether nothing works without a key. */
  readonly needsKey: boolean;
  readonly asked: Asked;
}

/** What messages about a failure need to know of whom was asked. */
export function chatServerOf({ provider, model, name, baseUrl, key, ...told }: ChatServerOptions): ChatServer {
  const { title, home, version, keyNames, needsKey } = serverFacts[provider];
  const url = (baseUrl ?? (home === undefined ? "" : home + version)).replace(/\/+$/, "");
  // A model's name has its server's address without the version.
  const address = url.endsWith(version) ? url.slice(0, -version.length) : url;
  const own = name === undefined ? undefined : parseModelName(name).name;
  const keyVariable = told.keyVariable ?? keyNames[0]!;
  return {
    title,
    protocol: protocols[provider] ?? "openai-compatible",
    url,
    needsKey: needsKey && url.startsWith(home ?? url),
    asked: {
      name: own !== undefined && "baseUrl" in own ? own : { provider, baseUrl: address, model },
      ...{ url, tried: [], keyNames: [keyVariable], key },
      keyName: key === undefined ? undefined : keyVariable,
    },
  };
}

const protocols: Readonly<Partial<Record<ServerProvider, ChatProtocol>>> = {
  openai: "openai",
  anthropic: "anthropic",
  google: "google",
  mistral: "mistral",
};
