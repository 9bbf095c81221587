import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { EmendStatusParams } from "../../../src/server/protocol/emend-status.ts";
import type { ServerStatus } from "../../../src/server/server-status.ts";
import type { ServerLink } from "../page-services.ts";

/** The interval of status requests while the panel is visible, in milliseconds. */
const requestEveryMs = 2_000;

/** The state of the server: a summary from notifications, and the full status while it is shown. */
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

  /**
   * What a person has to repair: the last failure of a model, or else a problem of the
   * configuration; `undefined` where there is neither.
   */
  readonly problem: ReadonlySignal<string | undefined> = computed(() => {
    const { failedModel, issues } = this.#condition.value ?? {};
    return failedModel?.isLoading === false ? failedModel.problem : issues?.[0];
  });

  /** Whether a model takes instructions; true until the server has read its settings. */
  readonly takesInstructions: ReadonlySignal<boolean> = computed(() => this.#condition.value?.editModel !== null);

  /** The summary from notifications of the server. */
  get condition(): ReadonlySignal<EmendStatusParams | undefined> {
    return this.#condition;
  }

  /** The last full status. */
  get status(): ReadonlySignal<ServerStatus | undefined> {
    return this.#status;
  }

  /** Keeps {@link status} up to date while `isVisible` returns true. */
  followWhile(isVisible: () => boolean): void {
    let timer: ReturnType<typeof setInterval> | undefined;
    effect(() => {
      clearInterval(timer);
      if (!isVisible()) return;
      // Also requests after each change of the summary.
      void this.#condition.value;
      void this.#request();
      timer = setInterval(() => void this.#request(), requestEveryMs);
    });
  }

  async #request(): Promise<void> {
    try {
      this.#status.value = await this.#server.request<ServerStatus>("emend/status");
    } catch {
      // The status line shows a lost connection; the last status stays visible.
    }
  }
}
