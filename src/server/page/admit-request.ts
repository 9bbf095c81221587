import { isSameToken, type Tickets } from "./page-token.ts";

/** What a request says of itself, before anything of it is done. */
export interface RequestFace {
  readonly method: string;
  /** As it stands in the first line: `/TOKEN/api/file?path=a.ts`. */
  readonly target: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** The headers `Sec-Fetch-Site` and `Sec-Fetch-Dest`, which browsers send and pages cannot forge. */
  readonly fetchSite: string | undefined;
  readonly fetchDestination: string | undefined;
}

/** Where the page is served, and what opens it. */
export interface PageDoor {
  readonly port: number;
  readonly token: string;
  /** Each of them leads to the page once. */
  readonly tickets: Pick<Tickets, "take">;
}

/** Whether a request is heard. */
export type Admission =
  /** `route` is what stands behind the token, such as `api/file`; empty for the page itself. */
  | { readonly kind: "admitted"; readonly route: string; readonly query: URLSearchParams }
  /** A ticket, or the page's address without its last slash, by which relative addresses would lose the token. */
  | { readonly kind: "moved"; readonly location: string }
  | { readonly kind: "refused"; readonly status: 403 | 404; readonly message: string };

/**
 * Decides whether a request comes from the page, or from a person who was given its address.
 *
 * - The host must be this machine by one of its two plain names. A name of somebody else's that was made to lead here (DNS
 *   rebinding) is refused, whatever token comes with it.
 * - The origin, where one is sent, must be the page's own, and so must whatever the browser says of where a request was made.
 *   Another site may at most lead a person to the page, by a link to its full address.
 * - The first name of the path must be the token, or a ticket and nothing else.
 *
 * What is refused learns only that it is.
 */
export function admitRequest(face: RequestFace, { port, token, tickets }: PageDoor): Admission {
  const host = face.host?.toLowerCase();
  if (host === undefined || !hostsAt(port).includes(host)) return refused(403, "This host is not served.");
  if (face.origin !== undefined && face.origin.toLowerCase() !== `http://${host}`)
    return refused(403, "Only the page itself may ask.");
  if (!face.target.startsWith("/")) return refused(404, nothingHere);
  const mark = face.target.indexOf("?");
  const path = mark < 0 ? face.target : face.target.slice(0, mark);
  const slash = path.indexOf("/", 1);
  const given = slash < 0 ? path.slice(1) : path.slice(1, slash);
  const route = slash < 0 ? "" : path.slice(slash + 1);
  const isPage = isSameToken(given, token);
  if (isPage && !mayFetch(face, route)) return refused(403, "Only the page itself may ask.");
  const isTicket = !isPage && slash < 0 && face.method === "GET" && mayFetch(face, "") && tickets.take(given);
  if (!isPage && !isTicket) return refused(404, nothingHere);
  if (slash < 0) return { kind: "moved", location: `/${token}/` };
  return { kind: "admitted", route, query: new URLSearchParams(mark < 0 ? "" : face.target.slice(mark + 1)) };
}

const nothingHere = "There is nothing here. Open the address that `emend serve` printed, all of it.";

/** The names of this machine, as a browser sends them. A browser leaves out the usual port. */
function hostsAt(port: number): readonly string[] {
  const names = ["127.0.0.1", "localhost"];
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])];
}

function mayFetch({ method, fetchSite, fetchDestination }: RequestFace, route: string): boolean {
  if (fetchSite === undefined || fetchSite === "same-origin" || fetchSite === "none") return true;
  return route === "" && (method === "GET" || method === "HEAD") && fetchDestination === "document";
}

function refused(status: 403 | 404, message: string): Admission {
  return { kind: "refused", status, message };
}
