import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Explanation, ExplanationSubject } from "../../../src/server/protocol/explanation.ts";
import type { ServerLink } from "../page-services.ts";

/** What became of the last requests, asked from the server one at a time. */
export class Explanations {
  readonly #server: ServerLink;
  readonly #of: Readonly<Record<ExplanationSubject, Signal<Explanation | undefined>>> = {
    "ghost-text": signal(undefined),
    "next-edit": signal(undefined),
  };
  readonly #latest: Signal<ExplanationSubject> = signal("ghost-text");
  readonly #wanted = new Set<ExplanationSubject>();
  #isAsking = false;
  #isInvoked = false;

  constructor(server: ServerLink) {
    this.#server = server;
  }

  of(subject: ExplanationSubject): ReadonlySignal<Explanation | undefined> {
    return this.#of[subject];
  }

  /**
   * Who was asked last. That nothing follows from a key hides nothing that was said of the key
   * itself.
   */
  get latest(): ReadonlySignal<ExplanationSubject> {
    return this.#latest;
  }

  /**
   * A request was answered: asks why it was answered so. Of those that come while one is explained
   * only the last is; a key asked where `isInvoked`.
   */
  answered(subject: ExplanationSubject, { isInvoked = false }: { readonly isInvoked?: boolean } = {}): void {
    this.#isInvoked = isInvoked;
    this.#wanted.add(subject);
    if (!this.#isAsking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    for (const subject of this.#wanted) {
      this.#wanted.delete(subject);
      try {
        const told = await this.#server.request<Explanation | null>("emend/explanation", { of: subject });
        this.#of[subject].value = told ?? undefined;
        const isNews = subject === "ghost-text" || told?.silence === undefined || this.#isInvoked;
        if (told && isNews) this.#latest.value = subject;
      } catch {
        // A server that has gone says so itself; what was explained before stays.
      }
    }
    this.#isAsking = false;
  }
}
