import { readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { EmendError, errorMessage } from "../../text/index.ts";
import { joinPath } from "../../workspace/index.ts";
import { toPortablePath } from "../../workspace/node/index.ts";
import { sendBytes, sendRefusal, sendText } from "./answer.ts";
import { type Authorization, authorizeRequest, newPageToken, type PageAccess, Tickets } from "./authorize-request.ts";
import { DiskChanges, type DiskChangesOptions, sendChanges } from "./disk-changes.ts";
import { FileRoutes } from "./file-routes.ts";
import { PageSockets, type PageSocketsOptions } from "./page-sockets.ts";

/** What a page is served with. */
export interface PageServerOptions extends DiskChangesOptions {
  /** The absolute folder of the built page, which contains its `index.html`. */
  readonly pageFolder: string;
  /** A free port by default. */
  readonly port?: number | undefined;
  /** The version of this package. */
  readonly version: string;
  /** Serves the language client of one page; see `runLanguageServer`. */
  readonly serveLanguage: PageSocketsOptions["serveLanguage"];
}

/**
 * Serves the page that shows a folder, to browsers on this machine that have its URL.
 *
 * Rejects with an `EmendError`: `page-not-built`, `port-taken`, or `port-refused` where the system
 * does not allow the port.
 */
export async function openPageServer(options: PageServerOptions): Promise<PageServer> {
  const assets = await PageAssets.open(options.pageFolder);
  const server = createServer();
  await listen(server, options.port ?? 0);
  return new PageServer(server, assets, options);
}

/** The server of a page. Disposing of it closes all connections and ends their language servers. */
export class PageServer implements AsyncDisposable {
  /** The URL to open. Everyone who has it may read and write the folder. */
  readonly url: string;
  readonly port: number;
  readonly #access: PageAccess & { readonly tickets: Tickets };
  readonly #server: Server;
  readonly #assets: PageAssets;
  readonly #options: PageServerOptions;
  readonly #changes: DiskChanges;
  readonly #files: FileRoutes;
  readonly #sockets: PageSockets;

  /** Called by {@link openPageServer} only. */
  constructor(server: Server, assets: PageAssets, options: PageServerOptions) {
    const { root, version, watch, clock, onProblem, serveLanguage } = options;
    this.#server = server;
    this.#assets = assets;
    this.#options = options;
    this.port = (server.address() as AddressInfo).port;
    this.#access = { port: this.port, token: newPageToken(), tickets: new Tickets(clock) };
    this.url = `${this.#origin}/${this.#access.token}/`;
    this.#changes = new DiskChanges({ root, watch, clock, onProblem });
    this.#files = new FileRoutes({ root, version, changes: this.#changes });
    this.#sockets = new PageSockets({ root, clock, serveLanguage, onProblem });
    server.on("request", (request, response) => void this.#answer(request, response));
    server.on("upgrade", (request, stream: Duplex, head) => this.#upgrade(request, stream, head));
  }

  /** A URL that redirects to {@link url} once, to be passed on a command line. */
  newTicketUrl(): string {
    return `${this.#origin}/${this.#access.tickets.issue()}`;
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
      const authorization = this.#authorize(request);
      const headers = authorization.kind === "refused" ? always : securityHeaders(request.headers.host!);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (authorization.kind === "refused") return sendText(response, authorization.status, authorization.message);
      if (authorization.kind === "moved") {
        response.setHeader("Location", authorization.location);
        return sendText(response, 302, "The page is elsewhere.");
      }
      await this.#route(authorization, request, response);
    } catch (error) {
      // The page has disconnected and needs no answer.
      if (request.destroyed && !request.complete) return;
      this.#options.onProblem(`A request could not be answered: ${errorMessage(error)}`);
      if (response.headersSent) response.destroy();
      else
        sendRefusal(response, { status: 500, code: "failed", message: "Emend failed. Its terminal shows the error." });
    }
  }

  async #route(
    { route, query }: Extract<Authorization, { kind: "admitted" }>,
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
    if (asset === undefined) return sendText(response, 404, "The page has no such file.");
    sendBytes(response, asset.bytes, { type: asset.type, cache: asset.isHashed ? forever : "no-cache" });
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    // Ignore errors of a connection that closes during the handshake.
    stream.on("error", () => undefined);
    const authorization = this.#authorize(request);
    if (authorization.kind === "refused") refuseUpgrade(stream, authorization.status, authorization.message);
    else if (authorization.kind !== "admitted" || authorization.route !== "lsp") {
      refuseUpgrade(stream, 404, "There is no such socket.");
    } else if (this.#sockets.isFull) refuseUpgrade(stream, 503, "Too many pages are open. Close one.");
    else this.#sockets.accept(request, stream, head);
  }

  #authorize({ method = "", url = "", headers }: IncomingMessage): Authorization {
    const head = {
      ...{ method, target: url, host: headers.host, origin: headers.origin },
      fetchSite: headers["sec-fetch-site"] as string | undefined,
      fetchDestination: headers["sec-fetch-dest"] as string | undefined,
    };
    return authorizeRequest(head, this.#access);
  }
}

/** Not reachable from other machines. */
const address = "127.0.0.1";

const forever = "private, max-age=31536000, immutable";

function notAllowed(response: ServerResponse, methods: readonly string[]): void {
  response.setHeader("Allow", methods.join(", "));
  sendRefusal(response, { status: 405, code: "method", message: `The allowed methods are ${methods.join(", ")}.` });
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
        reject(new EmendError("port-refused", `The system does not allow port ${port}.`, { cause }));
      } else reject(cause);
    });
    server.listen(port, address, () => resolve());
  });
}

/** A file of the built page. */
export interface PageAsset {
  readonly bytes: Buffer;
  /** The header `Content-Type`. */
  readonly type: string;
  /** Whether its name contains a hash of its content, so that it never changes under this name. */
  readonly isHashed: boolean;
}

/**
 * The files of the built page, by their paths below its folder.
 *
 * Only files that were found in the folder can be requested, so no path leads anywhere else. They
 * are listed again when the page itself is requested, since it may have been rebuilt.
 */
export class PageAssets {
  readonly #folder: string;
  #paths: ReadonlySet<string> = new Set();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Lists the files of the folder. Rejects with an `EmendError` of the code `page-not-built` where
   * it has no page.
   */
  static async open(folder: string): Promise<PageAssets> {
    const assets = new PageAssets(toPortablePath(folder));
    await assets.#list();
    if (!assets.#paths.has(page)) throw new EmendError("page-not-built", `There is no ${page} in ${folder}.`);
    return assets;
  }

  /** The file at a path, the page itself for the empty path; `undefined` where there is none. */
  async tryRead(path: string): Promise<PageAsset | undefined> {
    const name = path === "" ? page : path;
    if (name === page) await this.#list();
    if (!this.#paths.has(name)) return undefined;
    const type = types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    const bytes = await tryBytes(joinPath(this.#folder, name));
    // Vite puts a hash of the content into the names of the files in this folder.
    return bytes && { bytes, type, isHashed: name.startsWith("assets/") };
  }

  async #list(): Promise<void> {
    this.#paths = new Set(await filesIn(this.#folder, ""));
  }
}

const page = "index.html";

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
  map: "application/json; charset=utf-8",
  webmanifest: "application/manifest+json; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  ico: "image/x-icon",
  ttf: "font/ttf",
  woff: "font/woff",
  woff2: "font/woff2",
  wasm: "application/wasm",
};

async function filesIn(root: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(joinPath(root, folder), { withFileTypes: true }).catch(() => []);
  const found = entries.map(async (entry) => {
    const path = joinPath(folder, entry.name);
    if (entry.isDirectory()) return filesIn(root, path);
    return entry.isFile() ? [path] : [];
  });
  return (await Promise.all(found)).flat();
}

/** The bytes of a file; `undefined` if it was deleted since it was listed. */
async function tryBytes(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(() => undefined);
}

/**
 * The security headers of an answer: load only from this server, run no inline scripts, guess no
 * types, send no referrer, and allow no frames.
 *
 * Inline styles are allowed, since the editor computes them, as are workers from blobs, and fonts
 * and pictures in style sheets. `host` is that of the request, such as `127.0.0.1:8080`: for old
 * browsers `'self'` does not include WebSockets.
 */
function securityHeaders(host: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    `connect-src 'self' ws://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { "Content-Security-Policy": policy, ...always };
}

/** The part of {@link securityHeaders} that refused requests get too. */
const always: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};
