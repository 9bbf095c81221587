import { LinkedController } from "../../async/index.ts";
import { isLoopback, tryParseBaseUrl } from "../base-url.ts";
import { ModelServer } from "../clients/model-server.ts";
import { type Message, numberIn, objectIn, objectsIn, textIn } from "../clients/server-answer.ts";
import type { ModelCallOptions } from "../model.ts";
import { ModelError } from "../model-error.ts";
import type { ModelHost } from "../model-host.ts";
import { printModelName } from "../model-name.ts";
import { type ServerProvider, serverFacts } from "../providers.ts";
import { billionsIn, recommendedModels, tryRecommended } from "./recommended-models.ts";

/** What is found at an address. */
export type FoundServer = NoServer | ModelServerFound;

/**
 * No server with models. `silent`: something accepts connections and does not answer;
 * `unreachable`: nothing listens there, or its host is not reached; `unknown`: something else
 * answers.
 */
export interface NoServer {
  readonly kind: "silent" | "unreachable" | "unknown";
  readonly url: string;
}

/** A server with models, or one that could have some. */
export interface ModelServerFound {
  /** `loading`: the server takes requests only when its model is loaded. */
  readonly kind: "ready" | "loading" | "no-model";
  readonly url: string;
  readonly provider: ServerProvider;
  /** As a person calls it, such as `llama.cpp`. */
  readonly title: string;
  readonly version?: string;
  readonly models: readonly ServedModel[];
}

/** A model that a server lists. */
export interface ServedModel {
  /** As settings name it. */
  readonly name: string;
  /** As the server calls it; for a file, without its folder. */
  readonly id: string;
  readonly isLoaded: boolean;
  /** Whether it makes vectors of texts, and no text. */
  readonly isEmbedding: boolean;
  /** Its parameters in billions, as the server reports them or its name states them. */
  readonly billions?: number;
}

/**
 * Where servers listen that were started without another port: llama.cpp, Ollama, LM Studio, vLLM.
 * `ollamaHost` is the variable `OLLAMA_HOST`, whose port counts where it is on this machine;
 * without a port, the variable means that of its scheme, else Ollama's own. Source: ollama/ollama:
 * `envconfig/config.go`, `Host`.
 */
export function localServerUrls(ollamaHost = ""): readonly string[] {
  const [, scheme, written = "", port = scheme === undefined ? ":11434" : ""] =
    /^(https?:\/\/)?(\[[^\]]*\]|[\da-f]*(?::[\da-f]*){2,}|[^:/]*)(:\d+)?/i.exec(unquoted(ollamaHost)) ?? [];
  const host = written.startsWith("[") || !written.includes(":") ? written : `[${written}]`;
  // A server that listens on all addresses of the machine is reached on this one.
  const reached = ["", "0.0.0.0", "[::]"].includes(host) ? "127.0.0.1" : host;
  const ollama = tryParseBaseUrl(`${scheme ?? "http://"}${reached}${port}`, "ollama")?.url;
  const ports = [8012, 8080, 9931, 11434, 1234, 8000];
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  return [...new Set([...urls, ...(ollama !== undefined && isLoopback(ollama) ? [ollama] : [])])];
}

/** The value of a variable as Ollama reads it: without blanks and quotes around it. */
function unquoted(value: string): string {
  return value.trim().replace(/^["']/, "").replace(/["']$/, "");
}

/** The address of a server as a person writes it, whole; `undefined` for what is none. */
export function tryParseServerUrl(text: string): string | undefined {
  const url = tryParseBaseUrl(text, "ollama");
  return url === undefined || url.hasCredentials || url.query !== "" ? undefined : url.url;
}

/**
 * What listens at the addresses, in their order; addresses where nothing listens, or something
 * without models, are left out. All are looked at at once. See {@link findServer}.
 */
export async function findServers(
  urls: readonly string[],
  host: ModelHost,
  options: ModelCallOptions = {},
): Promise<readonly FoundServer[]> {
  const found = await Promise.all(urls.map((url) => findServer(url, host, options)));
  return found.filter(({ kind }) => kind !== "unreachable" && kind !== "unknown");
}

/**
 * What is found at an address, by the answers to GET requests without a key. Waits up to 5 s for an
 * answer. Rejects only with the signal's own reason.
 */
export async function findServer(
  url: string,
  host: ModelHost,
  { signal }: ModelCallOptions = {},
): Promise<FoundServer> {
  // One listener a server: its requests are sent at once.
  using linked = new LinkedController(signal);
  return await recognize(url, getter(url, host, linked.signal));
}

async function recognize(url: string, ask: (route: string) => Promise<Got>): Promise<FoundServer> {
  const [props, version, list] = await Promise.all([ask("/props"), ask("/api/version"), ask("/v1/models")]);
  const answers = [props, version, list];
  const listed = objectsIn(list.message, "data");
  const base = { url, listed, isLoading: answers.some(({ problem }) => problem === "loading") };
  if (isLlamacpp(props.message) || listed[0]?.["owned_by"] === "llamacpp" || base.isLoading) {
    return ofLlamacpp(props.message, base);
  }
  const ollama = textIn(version.message, "version");
  if (ollama !== undefined) return ofOllama(ollama, url, await Promise.all([ask("/api/tags"), ask("/api/ps")]));
  if (Array.isArray(list.message?.["data"])) {
    if (listed[0]?.["owned_by"] === "vllm") return ofList("vllm", base);
    const { message } = await ask("/api/v0/models");
    return Array.isArray(message?.["data"])
      ? ofLmStudio(objectsIn(message, "data"), url)
      : ofList("openai-compatible", base);
  }
  if (answers.some(({ problem }) => problem === "silent")) return { kind: "silent", url };
  return { kind: answers.every(({ problem }) => problem === "unreachable") ? "unreachable" : "unknown", url };
}

/** Whether a server with models was found, or one that could have some. */
export function isModelServer(server: FoundServer): server is ModelServerFound {
  return "models" in server;
}

/** A sentence on what is at an address instead of a server with models, and one on what to do. */
export function printNoServer({ kind, url }: NoServer): string {
  if (kind === "silent") {
    return `What listens at ${url} accepts connections, but does not answer. Look at its log, or start it again.`;
  }
  if (kind === "unreachable") return `Nothing listens at ${url}. Check the address, or start the server.`;
  return `What answers at ${url} is no server with models. Check the address, or start the server there.`;
}

/**
 * The model of a server to try first, without a person to choose: a loaded one, else the first of
 * the recommended list, else the first; never one for embeddings.
 */
export function preferredModel({ provider, models }: ModelServerFound): ServedModel | undefined {
  const usable = models.filter(({ isEmbedding }) => !isEmbedding);
  const loaded = usable.filter(({ isLoaded }) => isLoaded);
  const among = loaded.length > 0 ? loaded : usable;
  const rank = ({ id }: ServedModel) => {
    const entry = tryRecommended(provider, id);
    return entry === undefined ? recommendedModels.length : recommendedModels.indexOf(entry);
  };
  return among.toSorted((one, other) => rank(one) - rank(other))[0];
}

/** An answer to a GET request: a message, or why there is none that counts. */
interface Got {
  readonly message?: Message;
  readonly problem?: "loading" | "silent" | "unreachable" | "other";
}

function getter(url: string, host: ModelHost, signal: AbortSignal | undefined): (route: string) => Promise<Got> {
  const limits = { firstByteMs: answerMs, idleMs: answerMs, totalMs: 2 * answerMs, retries: 0 };
  const name = { provider: "openai-compatible", baseUrl: url } as const;
  const server = new ModelServer(name, { ...host, key: () => undefined, settings: limits });
  return async (route) => {
    try {
      return { message: await server.askAbout({ routes: [route], framing: "json" }, signal) };
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ModelError)) throw error;
      if (error.isLoading) return { problem: "loading" };
      if (error.code === "unreachable") return { problem: "unreachable" };
      return { problem: error.code === "timed-out" ? "silent" : "other" };
    }
  };
}

/** The most milliseconds of silence after a GET request. */
const answerMs = 5_000;

/** The answer to `/v1/models`, and whether any answer was that the model is being loaded. */
interface Listing {
  readonly url: string;
  readonly listed: readonly Message[];
  readonly isLoading: boolean;
}

function isLlamacpp(props: Message | undefined): boolean {
  return (
    textIn(props, "build_info") !== undefined ||
    numberIn(objectIn(props, "default_generation_settings"), "n_ctx") !== undefined
  );
}

function ofLlamacpp(props: Message | undefined, { url, listed, isLoading }: Listing): ModelServerFound {
  const version = textIn(props, "build_info");
  // A router loads the model that a request names; any other server has one, whatever is named.
  const isRouter = textIn(props, "role") === "router";
  const models = listed.flatMap((each) => {
    const id = textIn(each, "id");
    if (id === undefined) return [];
    const status = textIn(objectIn(each, "status"), "value");
    const name = { provider: "llamacpp", baseUrl: url, ...(isRouter && { model: id }) } as const;
    const parameters = numberIn(objectIn(each, "meta"), "n_params");
    const isLoaded = status === undefined ? !isLoading : status === "loaded";
    const billions = parameters === undefined ? undefined : parameters / 1e9;
    return [served(printModelName(name), fileName(id), { isLoaded, billions })];
  });
  const own = { url, provider: "llamacpp", ...(version !== undefined && { version }) } as const;
  return found(own, models, isLoading);
}

function ofOllama(version: string, url: string, [tags, running]: readonly Got[]): ModelServerFound {
  const loaded = new Set(objectsIn(running?.message, "models").map((model) => textIn(model, "name")));
  const models = objectsIn(tags?.message, "models").flatMap((model) => {
    const id = textIn(model, "name");
    if (id === undefined) return [];
    const name = printModelName({ provider: "ollama", baseUrl: url, model: id });
    const details = objectIn(model, "details");
    const isEmbedding = /bert/i.test(textIn(details, "family") ?? "");
    const billions = billionsIn(textIn(details, "parameter_size") ?? "");
    return [served(name, id, { isLoaded: loaded.has(id), isEmbedding, billions })];
  });
  return found({ url, provider: "ollama", version }, models);
}

function ofLmStudio(listed: readonly Message[], url: string): ModelServerFound {
  const models = listed.flatMap((model) => {
    const id = textIn(model, "id");
    if (id === undefined) return [];
    const name = printModelName({ provider: "lmstudio", baseUrl: url, model: id });
    const isEmbedding = textIn(model, "type") === "embeddings";
    return [served(name, id, { isLoaded: textIn(model, "state") === "loaded", isEmbedding })];
  });
  return found({ url, provider: "lmstudio" }, models);
}

function ofList(provider: "vllm" | "openai-compatible", { url, listed }: Listing): ModelServerFound {
  const models = listed.flatMap((model) => {
    const id = textIn(model, "id");
    return id === undefined
      ? []
      : [served(printModelName({ provider, baseUrl: url, model: id }), id, { isLoaded: true })];
  });
  return found({ url, provider }, models);
}

function found(
  own: Pick<ModelServerFound, "url" | "provider" | "version">,
  models: readonly ServedModel[],
  isLoading = false,
): ModelServerFound {
  const hasModel = models.some(({ isEmbedding }) => !isEmbedding);
  const kind = isLoading ? "loading" : hasModel ? "ready" : "no-model";
  const title =
    own.provider === "openai-compatible" ? "a server with OpenAI's protocol" : serverFacts[own.provider].title;
  return { kind, ...own, title, models };
}

function served(
  name: string,
  id: string,
  {
    isLoaded,
    isEmbedding = false,
    billions = billionsIn(id),
  }: { readonly isLoaded: boolean; readonly isEmbedding?: boolean; readonly billions?: number | undefined },
): ServedModel {
  return {
    ...{ name, id, isLoaded, isEmbedding: isEmbedding || embeddingNames.test(id) },
    ...(billions !== undefined && { billions }),
  };
}

/** Names of models for embeddings, for servers that do not say what a model is for. */
const embeddingNames = /embed|(^|[/_-])(bge|gte|e5)-|minilm|rerank/i;

function fileName(id: string): string {
  return id.replace(/^.*[\\/](?=[^\\/]*\.gguf$)/i, "");
}
