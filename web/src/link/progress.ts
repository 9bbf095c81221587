import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ServerLink } from "../page-services.ts";

/** A work item of the server. */
export interface RunningWork {
  readonly title: string;
  readonly message: string;
  /** From 0 to 100, if known. */
  readonly percentage: number | undefined;
}

interface ProgressParams {
  readonly token: string | number;
  readonly value: {
    readonly kind: "begin" | "report" | "end";
    readonly title?: string;
    readonly message?: string;
    readonly percentage?: number;
  };
}

/** The progress notifications (`$/progress`) of the server. */
export class Progress {
  readonly #running: Signal<ReadonlyMap<string | number, RunningWork>> = signal(new Map());

  /** The running work items, by token. */
  get running(): ReadonlySignal<ReadonlyMap<string | number, RunningWork>> {
    return this.#running;
  }

  follow(server: ServerLink): void {
    server.on<ProgressParams>("$/progress", ({ token, value }) => {
      const running = new Map(this.#running.value);
      const before = running.get(token);
      if (value.kind === "end") running.delete(token);
      else {
        running.set(token, {
          title: value.title ?? before?.title ?? "Working",
          message: value.message ?? before?.message ?? "",
          percentage: value.percentage ?? before?.percentage,
        });
      }
      this.#running.value = running;
    });
  }
}
