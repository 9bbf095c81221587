import { type ReadonlySignal, signal as stateOf } from "@preact/signals";
import type { ServerLink } from "../page-services.ts";
import { JsonRpc, type RequestHandler } from "./json-rpc.ts";
import { type OpenWire, startAgain } from "./wire.ts";

/** The state of the connection to the language server. */
export type LinkState = "connecting" | "ready" | "lost";

/** The dependencies of a client. */
export interface LanguageClientParts {
  readonly open: OpenWire;
  readonly rootUri: string;
  readonly name: string;
  readonly version: string;
  /** Answers requests of the server. */
  readonly handlers: Readonly<Record<string, RequestHandler>>;
  /**
   * Called when a server is ready, also after each reconnection, to send the open documents.
   */
  onReady(): void;
}

/** The delays before reconnections, in milliseconds; the last one repeats. */
const retryMs = [250, 500, 1_000, 2_000, 4_000];

/**
 * A client of the language server protocol. It reconnects after a lost connection. Requests wait
 * while the client connects, and reject at once while the connection is lost.
 */
export class LanguageClient implements ServerLink {
  readonly #parts: LanguageClientParts;
  readonly #state = stateOf<LinkState>("connecting");
  readonly #listeners = new Map<string, Set<(params: never) => void>>();
  #ready: Promise<JsonRpc>;
  #connected: JsonRpc | undefined;
  #attempts = 0;

  constructor(parts: LanguageClientParts) {
    this.#parts = parts;
    this.#ready = this.#connect();
    this.#ready.catch(() => undefined);
  }

  get state(): ReadonlySignal<LinkState> {
    return this.#state;
  }

  async request<Answer>(
    method: string,
    params?: unknown,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<Answer> {
    const rpc = await this.#ready;
    return rpc.request<Answer>(method, params, options);
  }

  /**
   * Notifications before the server is ready are dropped: {@link LanguageClientParts.onReady} sends
   * the state.
   */
  notify(method: string, params?: unknown): void {
    this.#connected?.notify(method, params);
  }

  on<Params>(method: string, handle: (params: Params) => void): Disposable {
    let set = this.#listeners.get(method);
    if (set === undefined) {
      set = new Set();
      this.#listeners.set(method, set);
      if (this.#connected) this.#forward(this.#connected, method);
    }
    set.add(handle);
    return { [Symbol.dispose]: () => void set.delete(handle) };
  }

  #forward(rpc: JsonRpc, method: string): void {
    rpc.on<never>(method, (params) => {
      for (const handle of this.#listeners.get(method) ?? []) handle(params);
    });
  }

  async #connect(): Promise<JsonRpc> {
    try {
      const wire = await this.#parts.open();
      const rpc = new JsonRpc(wire, this.#parts.handlers, () => this.#lost());
      for (const method of this.#listeners.keys()) this.#forward(rpc, method);
      await rpc.request("initialize", this.#initializeParams());
      rpc.notify("initialized", {});
      this.#connected = rpc;
      this.#attempts = 0;
      this.#parts.onReady();
      this.#state.value = "ready";
      return rpc;
    } catch (error) {
      this.#lost();
      throw error;
    }
  }

  #lost(): void {
    this.#connected = undefined;
    if (this.#retry !== undefined) return;
    this.#state.value = "lost";
    const wait = retryMs[Math.min(this.#attempts, retryMs.length - 1)]!;
    this.#attempts += 1;
    this.#ready = Promise.reject(new Error(`The server has stopped. ${startAgain}`));
    this.#ready.catch(() => undefined);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#ready = this.#connect();
      this.#ready.catch(() => undefined);
    }, wait);
  }

  #retry: ReturnType<typeof setTimeout> | undefined;

  #initializeParams(): object {
    const { rootUri, name, version } = this.#parts;
    return {
      processId: null,
      clientInfo: { name: "emend page", version },
      rootUri,
      workspaceFolders: [{ uri: rootUri, name }],
      // Enables the notification `emend/didChangeStatus`.
      initializationOptions: { emendStatus: true },
      capabilities: {
        general: { positionEncodings: ["utf-16"] },
        window: { workDoneProgress: true },
        workspace: {
          applyEdit: true,
          configuration: true,
          workspaceFolders: true,
          workspaceEdit: { documentChanges: true, resourceOperations: ["create", "rename", "delete"] },
        },
        textDocument: { synchronization: {}, inlineCompletion: {} },
      },
    };
  }
}
