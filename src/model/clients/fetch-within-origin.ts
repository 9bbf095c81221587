import { ModelError } from "../model-error.ts";

/** A request, as far as a redirect changes it. */
interface Redirectable {
  readonly method?: string | undefined;
  readonly body?: unknown;
  readonly redirect?: string | undefined;
}

/** An answer, as far as a redirect is read from it. */
interface Redirecting {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: object | null;
}

/**
 * Sends `request` with `send` and follows redirects as `fetch` does, but only those that stay at
 * the origin of `url`: a prompt and headers with keys are for that server alone. `send` must heed
 * `redirect: "manual"`.
 *
 * Rejects with {@link ModelError} `redirected`, which names both origins, for a redirect to another
 * origin, one without a valid address, and more than 20 redirects; and with whatever `send` rejects
 * with. Source: https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export async function fetchWithinOrigin<Request extends Redirectable, Response extends Redirecting>(
  send: (url: string, request: Request) => Promise<Response>,
  { url, request, title }: { readonly url: string; readonly request: Request; readonly title: string },
): Promise<Response> {
  const { origin } = new WebUrl(url);
  let address = url;
  let sent: Request = { ...request, redirect: "manual" };
  for (let count = 0; ; count++) {
    const response = await send(address, sent);
    const { status } = response;
    const refuse = (why: string) => {
      closeBody(response);
      const message = `${title} at ${origin} redirects${status === 0 ? "" : ` with ${status}`} ${why}`;
      return new ModelError("redirected", message, { url, status });
    };
    // A browser hides where a redirect leads: the status is 0.
    if (status === 0) throw refuse("to an address that is not known here. Write the address that it leads to.");
    const location = redirects.has(status) ? response.headers.get("location") : null;
    if (location === null) return response;
    const target = tryParseUrl(location, address);
    if (target === undefined) throw refuse("to what is no address. Look at the server's settings.");
    const there = `${target.protocol}//${target.host}`;
    if (there !== origin) {
      throw refuse(
        `to another origin, ${there}. It is not followed, since the prompt and the keys are for ${origin}. If you trust ${there}, write its address in the model's name.`,
      );
    }
    if (count === maxRedirects) throw refuse(`more than ${maxRedirects} times. Look at the server's settings.`);
    closeBody(response);
    address = target.href;
    sent = turnsToGet(status, sent.method) ? withoutBody(sent) : sent;
  }
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const maxRedirects = 20;

function turnsToGet(status: number, method = "GET"): boolean {
  return status === 303 ? method !== "GET" : status < 303 && method === "POST";
}

function withoutBody<Request extends Redirectable>(request: Request): Request {
  const { body: _, ...rest } = request;
  return { ...rest, method: "GET" } as unknown as Request;
}

/** Frees the connection: the page behind a redirect is not read. */
function closeBody({ body }: Redirecting): void {
  const cancel = (body as { cancel?: () => Promise<void> } | null)?.cancel;
  cancel?.call(body).catch(() => {});
}

/**
 * The web platform's `URL`, which every platform of this layer has and its type library leaves out.
 */
const { URL: WebUrl } = globalThis as unknown as { readonly URL: new (url: string, base?: string) => ParsedUrl };

/** As much of a parsed URL as is used. */
interface ParsedUrl {
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly host: string;
}

function tryParseUrl(text: string, base: string): ParsedUrl | undefined {
  try {
    return new WebUrl(text, base);
  } catch {
    return undefined;
  }
}
