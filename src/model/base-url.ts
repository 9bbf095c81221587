import type { ServerProvider } from "./providers.ts";

/**
 * The address of a server, however a person wrote it: without a slash at the end, and without what
 * belongs to a single request, such as `/v1/completions`, or `/api/generate` for `provider` Ollama.
 * A version that is not `/v1` stays. `undefined` for what is no address, or one of neither `http:`
 * nor `https:`. Does not throw.
 *
 * A number alone, such as `8012`, is a port of this machine. Where no scheme is written, a name
 * with a dot and no port is taken for a public server, and all else for one nearby. Law: reading
 * the result again changes nothing.
 */
export function tryParseBaseUrl(text: string, provider: ServerProvider): BaseUrl | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || /\s/.test(trimmed)) return undefined;
  // As a host, a number is an IP address: 8012 is 0.0.31.76.
  const whole = trimmed.replace(
    /^(https?:\/\/)?:?(\d{1,5}(?=[/?#]|$))/i,
    (_, scheme = "", port) => `${scheme}127.0.0.1:${port}`,
  );
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(whole) ? whole : `${schemeFor(whole)}://${whole}`;
  const parts = addressParts.exec(full)?.groups;
  if (parts === undefined || Number(parts["port"] ?? 0) > 65_535) return undefined;
  const scheme = parts["scheme"]!.toLowerCase();
  const port = parts["port"] === undefined || parts["port"] === defaultPorts[scheme] ? "" : `:${parts["port"]}`;
  const path = withoutRoute(parts["path"] ?? "", ownRoutes[provider]);
  return {
    url: `${scheme}://${parts["host"]!.toLowerCase()}${port}${path}`,
    query: parts["query"] === "?" ? "" : (parts["query"] ?? ""),
    hasCredentials: parts["user"] !== undefined,
  };
}

/** A server's address. */
export interface BaseUrl {
  /**
   * Scheme, host, the port where it is not the scheme's own, and a path without a slash at its end.
   */
  readonly url: string;
  /**
   * What is sent with every request behind its path, such as `?api-version=2`; empty where there is
   * none.
   */
  readonly query: string;
  /** Whether a name or password was written into the address; they are not in `url`. */
  readonly hasCredentials: boolean;
}

/**
 * Whether an address has a version of its own at its end, as in `/api/v4` or `/v1beta/openai`, so
 * that none is to be added.
 */
export function hasVersion(url: string): boolean {
  return /\/v\d+[a-z]*(\/openai)?$/.test(url);
}

/** The port that an address means: the one that it names, or its protocol's own, 443 or 80. */
export function portOf(url: string): number {
  const port = /:(\d+)(?:\/|$)/.exec(url)?.[1];
  return port === undefined ? (url.startsWith("https:") ? 443 : 80) : Number(port);
}

/** Whether an address that was read is on this machine: `localhost`, `127.x.x.x` or `[::1]`. */
export function isLoopback(url: string): boolean {
  return /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(?=[:/]|$)/.test(url);
}

/** What people paste behind the address of any server. */
const routes = /\/(?:(?:fim\/|chat\/)?completions|completion|infill|responses|models|messages|health|props)$/;

/**
 * What they paste behind the address of one; elsewhere it may be a folder that the server is in.
 */
const ownRoutes: Partial<Readonly<Record<ServerProvider, RegExp>>> = {
  ollama: /\/api(?:\/(?:generate|chat|show|tags))?$/,
  lmstudio: /\/api\/v[01](?:\/models)?$/,
  deepseek: /\/beta$/,
};

function withoutRoute(path: string, own: RegExp | undefined): string {
  let kept = path;
  for (;;) {
    let shorter = kept
      .replace(/(?<!\/)\/+$/, "")
      .replace(routes, "")
      .replace(/\/v1$/, "");
    if (own !== undefined) shorter = shorter.replace(own, "");
    if (shorter === kept) return kept;
    kept = shorter;
  }
}

function schemeFor(text: string): "http" | "https" {
  const host = text.split(/[/?#]/, 1)[0]!;
  return /^[\d.]+$|^\[|:\d+$/.test(host) || !host.includes(".") ? "http" : "https";
}

const addressParts =
  /^(?<scheme>https?):\/\/(?:(?<user>[^@/?#]*)@)?(?<host>\[[0-9a-f:.]+\]|[^:/?#[\]@]+)(?::(?<port>\d{1,5}))?(?<path>\/[^?#]*)?(?<query>\?[^#]*)?(?:#.*)?$/i;

const defaultPorts: Readonly<Record<string, string>> = { http: "80", https: "443" };
