import type { RequestTarget } from "../clients/explain-failure.ts";
import { configuredSecrets, maskOf } from "../mask-secrets.ts";
import { parseModelName } from "../model-name.ts";
import { type ServerProvider, serverFacts } from "../providers.ts";
import type { RequestOptions } from "../request-options.ts";

/** How a chat is spoken over the wire. */
export type ChatProtocol = "openai" | "anthropic" | "google" | "mistral" | "openai-compatible";

/** The server of a chat model, and how to send requests to it. */
export interface ChatServerOptions {
  readonly provider: ServerProvider;
  /** As the provider names it. */
  readonly model: string;
  /** How the model is called in Emend; default: `provider:model`. */
  readonly name?: string | undefined;
  /**
   * Where the provider is, with the version at the end, such as `http://127.0.0.1:11434/v1`;
   * default: its own place.
   */
  readonly baseUrl?: string | undefined;
  /** Sent with every request behind its path, such as `?api-version=2`. */
  readonly query?: string | undefined;
  /** Absent where none is needed, or a header carries it. */
  readonly key?: string | undefined;
  /** Where the key comes from, as messages name it; default: the provider's custom. */
  readonly keyVariable?: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  /** Configured secrets that no message may hold, beside the key and the headers. */
  readonly secrets?: readonly string[] | undefined;
  /** Sent with every request, instead of our own of the same name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Merged over the body of every request, see `mergeRequest`. */
  readonly request?: RequestOptions | undefined;
}

/** The server of a chat, for messages about it. */
export interface ChatServer {
  readonly title: string;
  readonly protocol: ChatProtocol;
  /** Without a slash at the end; empty where it is not known. */
  readonly url: string;
  /** Whether nothing works without a key. */
  readonly needsKey: boolean;
  readonly target: RequestTarget;
  /** Masks every configured secret. */
  readonly mask: ReturnType<typeof maskOf>;
}

/**
 * The server of a request, for messages about a failure; no request is sent. `url` is empty for a
 * provider without a default address where none is given.
 */
export function chatServerOf({ provider, model, name, baseUrl, key, ...settings }: ChatServerOptions): ChatServer {
  const { title, home, version, keyNames, needsKey } = serverFacts[provider];
  const url = (baseUrl ?? (home === undefined ? "" : home + version)).replace(/(?<!\/)\/+$/, "");
  // A model's name has its server's address without the version.
  const address = url.endsWith(version) ? url.slice(0, -version.length) : url;
  const own = name === undefined ? undefined : parseModelName(name).name;
  const ofHeaders = configuredSecrets({ environment: {}, headers: settings.headers, query: settings.query });
  const mask = maskOf([...(settings.secrets ?? []), key ?? "", ...ofHeaders]);
  const keyVariable = settings.keyVariable ?? keyNames[0]!;
  return {
    title,
    protocol: protocols[provider] ?? "openai-compatible",
    url,
    mask,
    needsKey: needsKey && url.startsWith(home ?? url),
    target: {
      name: own !== undefined && "baseUrl" in own ? own : { provider, baseUrl: address, model },
      ...{ url, tried: [], keyNames: [keyVariable], key, mask },
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
