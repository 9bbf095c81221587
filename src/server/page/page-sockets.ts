import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { DidChangeWorkspaceFoldersNotification, InitializeRequest, Message } from "vscode-languageserver";
import { WebSocket, WebSocketServer } from "ws";
import type { Clock } from "../../async/index.ts";
import { errorMessage } from "../../text/index.ts";
import { nameOf } from "../../workspace/index.ts";
import { toFileUri } from "../file-uri.ts";
import type { LanguageServerTransport } from "../protocol-gate.ts";
import { maxMessageBytes, webSocketTransport } from "./web-socket-transport.ts";

/** The options of {@link PageSockets}. */
export interface PageSocketsOptions {
  /** The absolute folder of the language servers. */
  readonly root: string;
  readonly clock: Clock;
  /** Serves one client until it disconnects or the signal is aborted. */
  readonly serveLanguage: (
    transport: LanguageServerTransport,
    options: { readonly signal: AbortSignal },
  ) => Promise<unknown>;
  readonly onProblem: (message: string) => void;
}

/**
 * The milliseconds between two pings; a page that has not answered by the next one is disconnected.
 */
const pingMs = 30_000;

/** Limited, since each page has a language server of its own, with its own learnt model. */
const maxSockets = 16;

/** The WebSockets of pages. Each has a language server of its own, which ends with it. */
export class PageSockets implements AsyncDisposable {
  readonly #options: PageSocketsOptions;
  // On the same machine compression only takes time.
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  /** The open sockets, each with what stops it. */
  readonly #serving = new Map<Promise<unknown>, AbortController>();

  constructor(options: PageSocketsOptions) {
    this.#options = options;
  }

  /** Whether the maximum of sockets is reached. */
  get isFull(): boolean {
    return this.#serving.size >= maxSockets;
  }

  /** Accepts a WebSocket handshake that was authorized. */
  accept(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, stream, head, (socket) => {
      const stop = new AbortController();
      const serving = this.#serve(socket, stop.signal);
      this.#serving.set(serving, stop);
      serving.finally(() => this.#serving.delete(serving));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stop of this.#serving.values()) stop.abort();
    await Promise.all(this.#serving.keys());
    this.#server.close();
  }

  async #serve(socket: WebSocket, signal: AbortSignal): Promise<void> {
    const transport = webSocketTransport(socket, keepToFolder(this.#options.root));
    const watching = this.#watch(socket);
    // Without a listener, an error would end the process.
    socket.on("error", () => undefined);
    try {
      await this.#options.serveLanguage(transport, { signal });
    } catch (error) {
      this.#options.onProblem(`A language server ended: ${errorMessage(error)}`);
    } finally {
      watching[Symbol.dispose]();
      await close(socket);
    }
  }

  /** Closes a socket whose other end no longer answers, such as after a lost connection. */
  #watch(socket: WebSocket): Disposable {
    let hasAnswered = true;
    let timer: Disposable;
    socket.on("pong", () => {
      hasAnswered = true;
    });
    const ping = () => {
      if (!hasAnswered) return socket.terminate();
      hasAnswered = false;
      if (socket.readyState === WebSocket.OPEN) socket.ping();
      timer = this.#options.clock.after(pingMs, ping);
    };
    timer = this.#options.clock.after(pingMs, ping);
    return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
  }
}

/** The milliseconds that a page has to close its socket before it is cut off. */
const closeTimeoutMs = 500;

async function close(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.close(1001, "The server has ended.");
  const timer = setTimeout(() => socket.terminate(), closeTimeoutMs);
  await closed;
  clearTimeout(timer);
}

/**
 * Makes a filter for messages from a page to its language server that restricts the server to the
 * served folder: `initialize` gets that folder only, and changes of the folders are dropped
 * (`undefined`).
 *
 * The page has only this folder to show. So a compromised page cannot have others read, searched or
 * changed.
 */
export function keepToFolder(root: string): (message: Message) => Message | undefined {
  const workspaceFolders = [{ uri: toFileUri(root), name: nameOf(root) || root }];
  return (message) => {
    if (Message.isRequest(message) && message.method === InitializeRequest.method) {
      const { rootPath: _, rootUri: __, ...params } = { ...message.params } as Record<string, unknown>;
      return { ...message, params: { ...params, rootUri: null, workspaceFolders } } as Message;
    }
    const isOfFolders =
      Message.isNotification(message) && message.method === DidChangeWorkspaceFoldersNotification.method;
    return isOfFolders ? undefined : message;
  };
}
