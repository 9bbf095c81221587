import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock, Watch } from "../../codebase/index.ts";
import { EmendError } from "../../text/index.ts";
import { type Admission, admitRequest, type PageDoor } from "./admit-request.ts";
import { sendBytes, sendRefusal, sendText } from "./answer.ts";
import { sendChanges } from "./change-events.ts";
import { DiskChanges } from "./disk-changes.ts";
import { FileRoutes } from "./file-routes.ts";
import { PageAssets } from "./page-assets.ts";
import { PageSockets, type PageSocketsOptions } from "./page-sockets.ts";
import { newPageToken, Tickets } from "./page-token.ts";
import { always, securityHeaders } from "./security-headers.ts";

/** What a page is served with. */
export interface PageServerOptions {
  /** The absolute folder that the page shows, links resolved, with `/` between names. */
  readonly root: string;
  /** The absolute folder of the built page, which holds its `index.html`. */
  readonly pageFolder: string;
  /** A free one unless told. */
  readonly port?: number | undefined;
  /** The version of this package. */
  readonly version: string;
  readonly watch: Watch;
  readonly clock: Clock;
  /** Serves the language client of one page; see `runLanguageServer`. */
  readonly serveLanguage: PageSocketsOptions["serveLanguage"];
  /** Is told what went wrong without an answer that could say so. */
  readonly onProblem: (message: string) => void;
}

/**
 * Serves the page that shows a folder, to browsers of this machine and to whoever knows its address.
 *
 * Rejects with an `EmendError`: `page-not-built`, `port-taken`, or `port-refused` where the system does not allow it.
 */
export async function openPageServer(options: PageServerOptions): Promise<PageServer> {
  const assets = await PageAssets.open(options.pageFolder);
  const server = createServer();
  await listen(server, options.port ?? 0);
  return new PageServer(server, assets, options);
}

/** A page that is served. Disposing of it ends all that it has begun. */
export class PageServer implements AsyncDisposable {
  /** The address to open. Who knows it may read and write the folder. */
  readonly url: string;
  readonly port: number;
  readonly #door: PageDoor & { readonly tickets: Tickets };
  readonly #server: Server;
  readonly #assets: PageAssets;
  readonly #options: PageServerOptions;
  readonly #changes: DiskChanges;
  readonly #files: FileRoutes;
  readonly #sockets: PageSockets;

  /** Get one from {@link openPageServer}. */
  constructor(server: Server, assets: PageAssets, options: PageServerOptions) {
    const { root, version, watch, clock, onProblem, serveLanguage } = options;
    this.#server = server;
    this.#assets = assets;
    this.#options = options;
    this.port = (server.address() as AddressInfo).port;
    this.#door = { port: this.port, token: newPageToken(), tickets: new Tickets(clock) };
    this.url = `${this.#origin}/${this.#door.token}/`;
    this.#changes = new DiskChanges({ root, watch, clock, onProblem });
    this.#files = new FileRoutes({ root, version, changes: this.#changes });
    this.#sockets = new PageSockets({ root, clock, serveLanguage, onProblem });
    server.on("request", (request, response) => void this.#answer(request, response));
    server.on("upgrade", (request, stream: Duplex, head) => this.#upgrade(request, stream, head));
  }

  /** An address that leads to {@link url} once, for the command line of a program. */
  newTicketUrl(): string {
    return `${this.#origin}/${this.#door.tickets.issue()}`;
  }

  get #origin(): string {
    return `http://${address}:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await this.#sockets[Symbol.asyncDispose]();
    this.#server.closeAllConnections();
    await this.#files[Symbol.asyncDispose]();
    await this.#changes[Symbol.asyncDispose]();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const admission = this.#admit(request);
      const headers = admission.kind === "refused" ? always : securityHeaders(request.headers.host!);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (admission.kind === "refused") return sendText(response, admission.status, admission.message);
      if (admission.kind === "moved") {
        response.setHeader("Location", admission.location);
        return sendText(response, 302, "The page is elsewhere.");
      }
      await this.#route(admission, request, response);
    } catch (error) {
      // A page that has gone has no use for an answer.
      if (request.destroyed && !request.complete) return;
      this.#options.onProblem(`A request could not be answered: ${error instanceof Error ? error.message : error}`);
      if (response.headersSent) response.destroy();
      else sendRefusal(response, { status: 500, code: "failed", message: "Emend failed. Its terminal says more." });
    }
  }

  async #route(
    { route, query }: Extract<Admission, { kind: "admitted" }>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = "GET" } = request;
    if (route === "api/changes") {
      if (method !== "GET") return notAllowed(response, ["GET"]);
      return sendChanges(response, this.#changes, this.#options.clock);
    }
    const handlers = this.#files.tryRoute(route);
    if (handlers !== undefined) {
      if (!Object.hasOwn(handlers, method)) return notAllowed(response, Object.keys(handlers));
      return handlers[method]!({ request, response, query });
    }
    if (method !== "GET" && method !== "HEAD") return notAllowed(response, ["GET", "HEAD"]);
    const asset = await this.#assets.tryRead(route);
    if (asset === undefined) return sendText(response, 404, "The page has no such part.");
    sendBytes(response, asset.bytes, { type: asset.type, cache: asset.isHashed ? forever : "no-cache" });
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    // Whoever goes away in the middle is nobody's problem.
    stream.on("error", () => undefined);
    const admission = this.#admit(request);
    if (admission.kind === "refused") refuseUpgrade(stream, admission.status, admission.message);
    else if (admission.kind !== "admitted" || admission.route !== "lsp") {
      refuseUpgrade(stream, 404, "There is no such socket.");
    } else if (this.#sockets.isFull) refuseUpgrade(stream, 503, "Too many pages are open. Close one.");
    else this.#sockets.accept(request, stream, head);
  }

  #admit({ method = "", url = "", headers }: IncomingMessage): Admission {
    const face = {
      ...{ method, target: url, host: headers.host, origin: headers.origin },
      fetchSite: headers["sec-fetch-site"] as string | undefined,
      fetchDestination: headers["sec-fetch-dest"] as string | undefined,
    };
    return admitRequest(face, this.#door);
  }
}

/** Nobody outside of this machine reaches it. */
const address = "127.0.0.1";

const forever = "private, max-age=31536000, immutable";

function notAllowed(response: ServerResponse, methods: readonly string[]): void {
  response.setHeader("Allow", methods.join(", "));
  sendRefusal(response, { status: 405, code: "method", message: `Here one may ask by ${methods.join(", ")} only.` });
}

function refuseUpgrade(stream: Duplex, status: number, message: string): void {
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n`;
  stream.end(`${head}Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`);
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      if (cause.code === "EADDRINUSE") {
        reject(new EmendError("port-taken", `Another program has port ${port} of ${address}.`, { cause }));
      } else if (cause.code === "EACCES") {
        reject(new EmendError("port-refused", `The system does not give port ${port} to everybody.`, { cause }));
      } else reject(cause);
    });
    server.listen(port, address, () => resolve());
  });
}
