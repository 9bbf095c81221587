import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { EmendStatusParams } from "../../../src/server/protocol/emend-status.ts";
import type { ServerStatus } from "../../../src/server/server-status.ts";
import type { ServerLink } from "../page-services.ts";

/** So often all of it is asked while somebody looks at it, in milliseconds. */
const askEveryMs = 2_000;

/** How the server is: in short at any time, and in full while somebody looks. */
export class ServerState {
  readonly #server: ServerLink;
  readonly #condition: Signal<EmendStatusParams | undefined> = signal(undefined);
  readonly #status: Signal<ServerStatus | undefined> = signal(undefined);

  constructor(server: ServerLink) {
    this.#server = server;
    server.on<EmendStatusParams>("emend/didChangeStatus", (condition) => {
      this.#condition.value = condition;
    });
  }

  /** As the server tells it by itself. */
  get condition(): ReadonlySignal<EmendStatusParams | undefined> {
    return this.#condition;
  }

  /** The last that was asked. */
  get status(): ReadonlySignal<ServerStatus | undefined> {
    return this.#status;
  }

  /** Keeps {@link status} up to date while this is so. */
  followWhile(isLookedAt: () => boolean): void {
    let timer: ReturnType<typeof setInterval> | undefined;
    effect(() => {
      clearInterval(timer);
      if (!isLookedAt()) return;
      // Also again whenever the server says that something has changed.
      void this.#condition.value;
      void this.#ask();
      timer = setInterval(() => void this.#ask(), askEveryMs);
    });
  }

  async #ask(): Promise<void> {
    try {
      this.#status.value = await this.#server.request<ServerStatus>("emend/status");
    } catch {
      // That the server has gone is said by the link; what was known before stays.
    }
  }
}
