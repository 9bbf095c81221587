import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";
import type { Clock } from "../../codebase/index.ts";
import type { LanguageServerTransport } from "../language-server.ts";
import { keepToFolder } from "./keep-to-folder.ts";
import { maxMessageBytes, webSocketTransport } from "./web-socket-transport.ts";

/** What serves the sockets of pages. */
export interface PageSocketsOptions {
  /** The absolute folder that their language servers work in. */
  readonly root: string;
  readonly clock: Clock;
  /** Serves one client until it goes away or the signal is aborted. */
  readonly serveLanguage: (
    transport: LanguageServerTransport,
    options: { readonly signal: AbortSignal },
  ) => Promise<unknown>;
  readonly onProblem: (message: string) => void;
}

/** How often a page is asked whether it is there, in milliseconds; one that has not answered by the next time is gone. */
const askMs = 30_000;

/** Each has a language server of its own, with all that it has learnt. */
const maxSockets = 16;

/** The WebSockets of pages. Each has a language server of its own, which ends with it. */
export class PageSockets implements AsyncDisposable {
  readonly #options: PageSocketsOptions;
  // What is compressed on the way to the same machine only takes longer.
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  /** Those that are served, with what stops each. */
  readonly #serving = new Map<Promise<unknown>, AbortController>();

  constructor(options: PageSocketsOptions) {
    this.#options = options;
  }

  /** Whether one more may come. */
  get isFull(): boolean {
    return this.#serving.size >= maxSockets;
  }

  /** Answers a request to speak over a WebSocket that was found to come from the page. */
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
    // One that has no listener for its errors would end the process.
    socket.on("error", () => undefined);
    try {
      await this.#options.serveLanguage(transport, { signal });
    } catch (error) {
      this.#options.onProblem(`A language server ended: ${error instanceof Error ? error.message : error}`);
    } finally {
      watching[Symbol.dispose]();
      await close(socket);
    }
  }

  /** Lets a socket go whose other end no longer answers, as after a cable was pulled. */
  #watch(socket: WebSocket): Disposable {
    let hasAnswered = true;
    let timer: Disposable;
    socket.on("pong", () => {
      hasAnswered = true;
    });
    const ask = () => {
      if (!hasAnswered) return socket.terminate();
      hasAnswered = false;
      if (socket.readyState === WebSocket.OPEN) socket.ping();
      timer = this.#options.clock.after(askMs, ask);
    };
    timer = this.#options.clock.after(askMs, ask);
    return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
  }
}

/** A page that does not say goodbye within so long, in milliseconds, is cut off. */
const goodbyeMs = 500;

async function close(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.close(1001, "The server has ended.");
  const timer = setTimeout(() => socket.terminate(), goodbyeMs);
  await closed;
  clearTimeout(timer);
}
