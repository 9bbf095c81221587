import type { Clock } from "../../async/index.ts";
import { configuredSecrets } from "../mask-secrets.ts";
import type { ModelHost, ModelSettings } from "../model-host.ts";
import { openChatModel } from "./chat-model.ts";
import { KeyCommands } from "./key-commands.ts";
import { explainProxyFailure, type ProxyServer, readProxies } from "./proxies.ts";

/** What a real host is made from. */
export interface WebHostOptions {
  /** The environment: keys, and `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY` in either case. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly settings?: ModelSettings;
  /** Runs the commands that print keys; hosts with the same one share the keys. */
  readonly keyCommands?: KeyCommands;
}

/**
 * The network of this machine, through the proxies that the environment names; this machine itself
 * needs none. `fetch` rejects with {@link ModelError} `unreachable` for a failure at a proxy.
 *
 * `EMEND_HEADERS` holds headers for every request to a model's server, one a line, as
 * `Name: value`.
 */
export function webHost({
  environment,
  settings,
  keyCommands = new KeyCommands({ environment }),
}: WebHostOptions): ModelHost {
  const proxies = readProxies(environment);
  let loaded: ReturnType<typeof load> | undefined;
  // Loaded with the first request, so that commands without one do not wait for it.
  const load = async () => {
    const { Agent, ProxyAgent, fetch, Headers } = await import("undici");
    // Waiting is the caller's business: undici's own limits would end a model that thinks for
    // minutes.
    const limits = { headersTimeout: 0, bodyTimeout: 0 };
    const direct = new Agent(limits);
    const tunnels = new Map<string, InstanceType<typeof ProxyAgent>>();
    const dispatcherFor = (proxy: ProxyServer | undefined) => {
      if (proxy === undefined) return direct;
      const tunnel = tunnels.get(proxy.url) ?? new ProxyAgent({ ...limits, uri: proxy.url });
      tunnels.set(proxy.url, tunnel);
      return tunnel;
    };
    return { fetch, Headers, dispatcherFor };
  };
  const secrets = configuredSecrets({ environment });
  const headers = headersIn(environment["EMEND_HEADERS"] ?? "");
  const send = async (url: string, request: Parameters<ModelHost["fetch"]>[1]) => {
    loaded ??= load();
    const { fetch, Headers, dispatcherFor } = await loaded;
    request.signal.throwIfAborted();
    const proxy = proxies.proxyFor(url);
    try {
      return await fetch(url, {
        ...request,
        headers: { ...headers, ...Object.fromEntries(new Headers(request.headers)) },
        dispatcher: dispatcherFor(proxy),
      });
    } catch (cause) {
      if (request.signal.aborted || proxy === undefined) throw cause;
      throw explainProxyFailure(cause, { proxy, url }) ?? cause;
    }
  };
  return {
    fetch: send,
    clock: webClock,
    secrets,
    key: (name) => environment[name] || undefined,
    keyOf: (command) => keyCommands.keyOf(command),
    // The SDK calls `fetch` only with a string as its address and with options of the same shape.
    openChat: (options) =>
      openChatModel({ ...options, secrets, fetch: send as unknown as typeof globalThis.fetch, clock: webClock }),
    ...(settings === undefined ? {} : { settings }),
  };
}

/**
 * The machine's own clock. What waits on it keeps the process alive, for somebody waits for an
 * answer.
 */
const webClock: Clock = {
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
