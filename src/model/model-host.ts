import type { Clock } from "../async/index.ts";
import type { Model } from "./model.ts";
import type { ServerProvider } from "./providers.ts";
import type { RequestOptions } from "./request-options.ts";
import type { FillTemplate } from "./templates/families.ts";

/**
 * What models behind a server need of the world: the network, time, keys and settings.
 *
 * The real one is `webHost` in `emend/model/node`.
 */
export interface ModelHost {
  /** Sends one request; proxies and headers for every request are its business. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  /**
   * Configured secrets that no message may hold, beside the key and the headers of a model, see
   * `configuredSecrets`.
   */
  readonly secrets?: readonly string[];
  /**
   * The value of an environment variable, such as `MISTRAL_API_KEY`, where it is set and not empty.
   */
  key(name: string): string | undefined;
  /** Runs the `keyCommand` of a model; without it such a key cannot be used. Never rejects. */
  readonly keyOf?: (command: readonly string[]) => Promise<CommandKey>;
  readonly settings?: ModelSettings;
  /**
   * Makes the `chat` face of a model, but of Ollama's, whose client chats itself. Without it no
   * other model can chat, and none can fill by chatting.
   */
  readonly openChat?: OpenChat;
}

/** A key that a command printed, or why there is none, in words behind "since". */
export type CommandKey =
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "failed"; readonly why: string };

/** The user's settings for one model. */
export interface ModelSettings {
  /**
   * The fill-in-the-middle template: a name of {@link fillTemplates}, or one of the person's own.
   * With it the prompt is built here and sent as it is; without it the server builds it.
   */
  readonly template?: string | FillTemplate;
  /**
   * Who marks the hole: the server or our template (`completion`), or an instruction to the chat
   * face (`chat`). By default `chat` for hosts that have nothing else and `completion` for all
   * others.
   */
  readonly fillBy?: "completion" | "chat";
  /** The most tokens of a prompt and its answer together. */
  readonly contextTokens?: number;
  /**
   * The most milliseconds that a server on this machine may evaluate a prompt of ghost text, from 0
   * (no limit) to 60,000; default: 2,000.
   */
  readonly promptMs?: number;
  /** The most stop strings in one request; default: the host's own limit. */
  readonly maxStops?: number;
  /**
   * A program with its arguments, whose first line of output is the key where no variable holds
   * one.
   */
  readonly keyCommand?: readonly string[];
  /** Merged over the body of every request to the model, see `mergeRequest`. */
  readonly request?: RequestOptions;
  /** Sent with every request; a value may hold `${NAME}` for an environment variable. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Milliseconds until the first byte of an answer; default: 60,000, for a server may have to load
   * the model.
   */
  readonly firstByteMs?: number;
  /** Milliseconds between two pieces of an answer; default: 20,000. */
  readonly idleMs?: number;
  /**
   * Milliseconds from a request to the end of its answer, repetitions included; 600,000 unless set.
   */
  readonly totalMs?: number;
  /** How often a request is sent again where that is safe; default: 2. */
  readonly retries?: number;
  /**
   * Whether to request token probabilities from the server, which costs some servers time. Default:
   * only from servers that are known to report them without delay.
   */
  readonly probabilities?: boolean;
}

/** What a `chat` face is made of. */
export interface ChatOptions {
  readonly provider: ServerProvider;
  /** How the model is called in Emend. */
  readonly name: string;
  /** How the server calls it. */
  readonly model: string;
  /** Where the server is, with the version at its end, such as `http://127.0.0.1:8012/v1`. */
  readonly baseUrl: string;
  /** Sent with every request behind its path, such as `?api-version=2`. */
  readonly query?: string;
  readonly key?: string;
  /** The environment variable that a key would come from, as messages name it. */
  readonly keyVariable: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Merged over the body of every request, see `mergeRequest`. */
  readonly request?: RequestOptions;
  /** How long silence is borne, in milliseconds. */
  readonly timeouts: { readonly firstPartMs: number; readonly idleMs: number; readonly totalMs?: number };
  /** How often a request is sent again where that is safe; 2 unless set. */
  readonly retries?: number;
  readonly contextTokens?: number;
}

/** Makes a model with a `chat` face. */
export type OpenChat = (options: ChatOptions) => Model;

/** The web's `fetch`, as far as it is used: a fetch of any platform fits. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;

/** What is sent. */
export interface FetchRequest {
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** The answer with a redirect is wanted as it is: Emend follows it only at the same origin. */
  readonly redirect?: "manual";
}

/** What comes back, as soon as its head has arrived. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): ByteReader } | null;
}

/** The bytes of an answer, piece by piece. */
export interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
}
