import { onAbort } from "../../../src/async/index.ts";
import { errorMessage } from "../../../src/text/index.ts";
import type { Wire } from "./wire.ts";

/** The error response of a request, with a message for people. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  /** The JSON-RPC error code: -32800 for a cancelled request. */
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

type PendingRequest = { readonly resolve: (answer: never) => void; readonly reject: (reason: unknown) => void };

/** Answers a request of the server; an exception is sent as an error response. */
export type RequestHandler = (params: never) => unknown;

/**
 * JSON-RPC 2.0 over a wire in both directions, with `$/cancelRequest` of the language server
 * protocol.
 */
export class JsonRpc {
  readonly #wire: Wire;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #listeners = new Map<string, Set<(params: never) => void>>();
  readonly #handlers: Readonly<Record<string, RequestHandler>>;
  #lastId = 0;
  #isClosed = false;

  /** `handlers` by method; a request without a handler gets an error response. */
  constructor(wire: Wire, handlers: Readonly<Record<string, RequestHandler>>, onClose: () => void) {
    this.#wire = wire;
    this.#handlers = handlers;
    wire.onMessage((message) => this.#take(JSON.parse(message)));
    wire.onClose(() => {
      this.#isClosed = true;
      for (const { reject } of this.#pending.values()) reject(new Error(connectionLost));
      this.#pending.clear();
      onClose();
    });
  }

  request<Answer>(
    method: string,
    params?: unknown,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Answer> {
    signal?.throwIfAborted();
    if (this.#isClosed) return Promise.reject(new Error(connectionLost));
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
    const listener = onAbort(signal, (reason) => {
      this.notify("$/cancelRequest", { id });
      this.#pending.get(id)?.reject(reason);
      this.#pending.delete(id);
    });
    return answer.finally(() => listener[Symbol.dispose]());
  }

  notify(method: string, params?: unknown): void {
    if (!this.#isClosed) this.#send({ method, params });
  }

  on<Params>(method: string, handle: (params: Params) => void): Disposable {
    const set = this.#listeners.get(method) ?? new Set();
    this.#listeners.set(method, set);
    set.add(handle);
    return { [Symbol.dispose]: () => void set.delete(handle) };
  }

  #take(message: IncomingMessage): void {
    const { id, method, params, result, error } = message;
    if (method !== undefined && id !== undefined) void this.#serve(id, method, params);
    else if (method !== undefined) for (const handle of this.#listeners.get(method) ?? []) handle(params as never);
    else if (typeof id === "number") {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      if (error) pending?.reject(new ServerError(error.message, error.code));
      else pending?.resolve((result ?? null) as never);
    }
  }

  async #serve(id: number | string, method: string, params: unknown): Promise<void> {
    const handler = this.#handlers[method];
    if (handler === undefined) return this.#send({ id, error: { code: -32601, message: `Unknown method: ${method}` } });
    try {
      this.#send({ id, result: (await handler(params as never)) ?? null });
    } catch (error) {
      this.#send({ id, error: { code: -32603, message: errorMessage(error) } });
    }
  }

  #send(message: object): void {
    this.#wire.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }
}

interface IncomingMessage {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const connectionLost =
  "The connection to the server is lost. The page reconnects automatically while `emend serve` runs.";
