import type { ModelClock, ModelHost, ModelSettings } from "../model-host.ts";
import { openChatModel } from "./chat-model.ts";

/** What a real host is made from. */
export interface WebHostOptions {
  /** The environment: keys, and `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY` in either case. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly settings?: ModelSettings;
}

/**
 * The network of this machine, through the proxies that the environment names; this machine itself needs none.
 *
 * `EMEND_HEADERS` holds headers for every request to a model's server, one a line, as `Name: value`.
 */
export function webHost({ environment, settings }: WebHostOptions): ModelHost {
  const proxyOf = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  const httpProxy = proxyOf("HTTP_PROXY");
  const httpsProxy = proxyOf("HTTPS_PROXY");
  let loaded: ReturnType<typeof load> | undefined;
  // A command that asks no server need not wait for a client to load.
  const load = async () => {
    const { EnvHttpProxyAgent, fetch, Headers } = await import("undici");
    const dispatcher = new EnvHttpProxyAgent({
      httpProxy: httpProxy ?? "",
      httpsProxy: httpsProxy ?? "",
      noProxy: [proxyOf("NO_PROXY"), "localhost", "127.0.0.1", "[::1]"].filter((part) => part !== undefined).join(","),
      // Waiting is the caller's business: undici's own limits would end a model that thinks for minutes.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { fetch, Headers, dispatcher };
  };
  const headers = headersIn(environment["EMEND_HEADERS"] ?? "");
  const send = async (url: string, request: Parameters<ModelHost["fetch"]>[1]) => {
    loaded ??= load();
    const { fetch, Headers, dispatcher } = await loaded;
    request.signal.throwIfAborted();
    return fetch(url, {
      ...request,
      headers: { ...headers, ...Object.fromEntries(new Headers(request.headers)) },
      dispatcher,
    });
  };
  return {
    fetch: send,
    clock: webClock,
    key: (name) => environment[name] || undefined,
    // The SDK asks for an address in text and with options of the same shape, and never otherwise.
    openChat: (options) =>
      openChatModel({ ...options, fetch: send as unknown as typeof globalThis.fetch, clock: webClock }),
    ...(settings === undefined ? {} : { settings }),
  };
}

/** The machine's own clock. What waits on it keeps the process alive, for somebody waits for an answer. */
const webClock: ModelClock = {
  now: () => performance.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

function headersIn(text: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  return headers;
}
