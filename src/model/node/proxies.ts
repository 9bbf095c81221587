import { isLoopback } from "../base-url.ts";
import { systemFailure } from "../clients/explain-failure.ts";
import { maskError, maskOf } from "../mask-secrets.ts";
import { ModelError } from "../model-error.ts";

/** A proxy that the environment names. */
export interface ProxyServer {
  /** The variable that names it, such as `HTTP_PROXY`. */
  readonly variable: string;
  /** With its scheme, and with a name and a password where they are written. */
  readonly url: string;
}

/** Which proxy a request takes. */
export interface Proxies {
  /**
   * The proxy for `url`, `undefined` for none. Throws {@link ModelError} `unreachable` where the
   * variable holds no address.
   */
  proxyFor(url: string): ProxyServer | undefined;
}

/**
 * Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` in either case, as curl does: a proxy without a
 * scheme is one of http, https takes the proxy of http where it has none of its own, `*` in
 * `NO_PROXY` means every host, and a name there means its subdomains too. This machine itself needs
 * no proxy.
 */
export function readProxies(environment: Readonly<Record<string, string | undefined>>): Proxies {
  const variableOf = (name: string) => [name.toLowerCase(), name].find((one) => (environment[one] ?? "") !== "");
  const http = variableOf("HTTP_PROXY");
  const https = variableOf("HTTPS_PROXY") ?? http;
  const direct = (environment[variableOf("NO_PROXY") ?? ""] ?? "").split(/[,\s]+/).filter((part) => part !== "");
  return {
    proxyFor(url) {
      const variable = url.startsWith("https:") ? https : http;
      if (variable === undefined || isLoopback(url) || isDirect(new URL(url), direct)) return undefined;
      return { variable, url: readProxy(environment[variable]!, variable, url) };
    },
  };
}

function isDirect({ hostname, port, protocol }: URL, direct: readonly string[]): boolean {
  const ownPort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  return direct.some((entry) => {
    if (entry === "*") return true;
    const [, name = entry, entryPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const host = name.replace(/^\*?\./, "").toLowerCase();
    if (entryPort !== undefined && entryPort !== ownPort) return false;
    return hostname === host || hostname.endsWith(`.${host}`);
  });
}

function readProxy(value: string, variable: string, url: string): string {
  const trimmed = value.trim();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  const parsed = URL.canParse(full) ? new URL(full) : undefined;
  if (parsed !== undefined && parsed.hostname !== "" && /^(https?|socks5?):$/.test(parsed.protocol)) return full;
  const message = `${variable} is ${JSON.stringify(maskOf([])(trimmed))}, which is no address of a proxy. Write it like http://proxy.example:3128, or put the model's host into NO_PROXY.`;
  throw new ModelError("unreachable", message, { url });
}

/** What a proxy's answer to a request for a connection means, and what to do. */
const meanings: Readonly<Record<number, (variable: string) => string>> = {
  403: () => "it does not allow this connection. Ask its owner",
  407: (variable) =>
    `it wants a name and a password. Write them into ${variable}, as in http://NAME:PASSWORD@proxy.example:3128`,
  502: () => "it does not reach the host. Check the model's address, and the proxy's log",
  503: () => "it does not reach the host. Check the model's address, and the proxy's log",
  504: () => "the host did not answer it in time. Check the model's address, and the proxy's log",
};

/**
 * The error `unreachable` for a request to `url` that failed at `proxy`; `undefined` for a failure
 * behind it, such as a certificate of the model's server.
 */
export function explainProxyFailure(
  cause: unknown,
  { proxy, url }: { readonly proxy: ProxyServer; readonly url: string },
) {
  const { variable } = proxy;
  const { protocol, host, port } = new URL(proxy.url);
  const shown = `${protocol}//${host}`;
  const { origin } = new URL(url);
  const mask = maskOf([]);
  const error = (what: string, cure: string) =>
    new ModelError("unreachable", `The proxy on the way to ${origin}, ${shown} in ${variable}, ${what} ${cure}`, {
      url,
      cause: maskError(cause, mask),
    });
  const elsewhere = `correct ${variable}, or put the host into NO_PROXY.`;
  const status = statusIn(cause);
  if (status !== undefined) {
    const meaning = meanings[status]?.(variable) ?? "it opens no connection. Look at its log";
    return error(`answered ${status}:`, `${meaning}, ${elsewhere}`);
  }
  const { code } = systemFailure(cause);
  if (code === "ECONNREFUSED") {
    const own = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
    return error(`does not listen on its port ${own}.`, `Start it, ${elsewhere}`);
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return error("has a name that no machine is known by.", `Check it, ${elsewhere}`);
  }
  if (/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(code)) {
    return error(`cannot be reached (${code}).`, `Check it, ${elsewhere}`);
  }
  return undefined;
}

/** The status with which a proxy refused a tunnel, which undici reports only in its message. */
function statusIn(cause: unknown): number | undefined {
  let error = cause;
  for (let depth = 0; depth < 5 && error instanceof Error; depth++) {
    const status = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];
    if (status !== undefined) return Number(status);
    error = error.cause;
  }
  return undefined;
}
