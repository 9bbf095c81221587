import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../async/index.ts";

/** The parts of a request that authorize it. */
export interface RequestHead {
  readonly method: string;
  /** The target of the request line: `/TOKEN/api/file?path=a.ts`. */
  readonly target: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /**
   * The headers `Sec-Fetch-Site` and `Sec-Fetch-Dest`, which browsers send and pages cannot forge.
   */
  readonly fetchSite: string | undefined;
  readonly fetchDestination: string | undefined;
}

/** The port of the page's server, and the secrets that authorize requests. */
export interface PageAccess {
  readonly port: number;
  readonly token: string;
  /** Each ticket redirects to the page once. */
  readonly tickets: Pick<Tickets, "redeem">;
}

/** Whether a request is authorized. */
export type Authorization =
  /** `route` is the path behind the token, such as `api/file`; empty for the page itself. */
  | { readonly kind: "admitted"; readonly route: string; readonly query: URLSearchParams }
  /**
   * A redirect, from a ticket, or from the page's URL without its last slash, which relative URLs
   * need.
   */
  | { readonly kind: "moved"; readonly location: string }
  | { readonly kind: "refused"; readonly status: 403 | 404; readonly message: string };

/**
 * Decides whether a request comes from the page, or from a person with its URL.
 *
 * - The host must be one of the two plain names of this machine. Another name that resolves to this
 *   machine (DNS rebinding) is refused, whatever the token.
 * - The origin, where it is sent, must be the page's own, and so must `Sec-Fetch-Site`. Another
 *   site may only link to the full URL of the page.
 * - The first segment of the path must be the token, or be a ticket with nothing behind it, which
 *   is used up by this.
 *
 * The answer to a refused request contains no other information.
 */
export function authorizeRequest(head: RequestHead, { port, token, tickets }: PageAccess): Authorization {
  const host = head.host?.toLowerCase();
  if (host === undefined || !hostsAt(port).includes(host)) return refused(403, "This host is not served.");
  if (head.origin !== undefined && head.origin.toLowerCase() !== `http://${host}`)
    return refused(403, "Only the page itself may send requests.");
  if (!head.target.startsWith("/")) return refused(404, nothingHere);
  const queryStart = head.target.indexOf("?");
  const path = queryStart < 0 ? head.target : head.target.slice(0, queryStart);
  const slash = path.indexOf("/", 1);
  const segment = slash < 0 ? path.slice(1) : path.slice(1, slash);
  const route = slash < 0 ? "" : path.slice(slash + 1);
  const isPage = isSameToken(segment, token);
  if (isPage && !mayFetch(head, route)) return refused(403, "Only the page itself may send requests.");
  const isTicket = !isPage && slash < 0 && head.method === "GET" && mayFetch(head, "") && tickets.redeem(segment);
  if (!isPage && !isTicket) return refused(404, nothingHere);
  if (slash < 0) return { kind: "moved", location: `/${token}/` };
  return {
    kind: "admitted",
    route,
    query: new URLSearchParams(queryStart < 0 ? "" : head.target.slice(queryStart + 1)),
  };
}

const nothingHere = "There is nothing here. Open the complete URL that `emend serve` printed.";

/** The hosts of this machine as a browser sends them, which leaves out the default port. */
function hostsAt(port: number): readonly string[] {
  const names = ["127.0.0.1", "localhost"];
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])];
}

function mayFetch({ method, fetchSite, fetchDestination }: RequestHead, route: string): boolean {
  if (fetchSite === undefined || fetchSite === "same-origin" || fetchSite === "none") return true;
  return route === "" && (method === "GET" || method === "HEAD") && fetchDestination === "document";
}

function refused(status: 403 | 404, message: string): Authorization {
  return { kind: "refused", status, message };
}

/**
 * A new secret of 256 random bits, in 43 letters, digits, `-` and `_`.
 *
 * Everyone who has the URL of a page may read and write its folder, so the URL has to contain a
 * secret.
 */
export function newPageToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Whether two tokens are the same. The time that this takes reveals neither where they differ nor
 * their lengths.
 */
export function isSameToken(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** The lifetime of a ticket, in milliseconds: enough for a browser to start on a slow machine. */
const ticketMs = 120_000;

/**
 * Secrets for a single use within two minutes, for the program that opens the browser: a command
 * line can be read by all users of the machine while the program runs.
 */
export class Tickets {
  readonly #clock: Clock;
  readonly #open = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(): string {
    const ticket = newPageToken();
    this.#open.add(ticket);
    this.#clock.after(ticketMs, () => this.#open.delete(ticket));
    return ticket;
  }

  /** Whether this is an unused ticket, which is used up by this. */
  redeem(secret: string): boolean {
    for (const ticket of this.#open) if (isSameToken(ticket, secret)) return this.#open.delete(ticket);
    return false;
  }
}
