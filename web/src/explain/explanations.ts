import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Explanation, ExplanationSubject } from "../../../src/server/protocol/explanation.ts";
import type { ServerLink } from "../page-services.ts";

/** The traces of the last requests, fetched from the server one at a time. */
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
   * The subject of the last trace to show. An automatic next edit request without a suggestion does
   * not replace the trace of the ghost text.
   */
  get latest(): ReadonlySignal<ExplanationSubject> {
    return this.#latest;
  }

  /**
   * Fetches the trace of an answered request. While a fetch is running, later calls for a subject
   * are merged into one. `isInvoked` is true for requests by a key.
   */
  answered(subject: ExplanationSubject, { isInvoked = false }: { readonly isInvoked?: boolean } = {}): void {
    this.#isInvoked = isInvoked;
    this.#wanted.add(subject);
    if (!this.#isAsking) void this.#ask();
  }

  /** Removes the traces of documents, because their text was replaced. */
  forget(uris: readonly string[]): void {
    for (const one of Object.values(this.#of)) {
      if (one.value !== undefined && uris.includes(one.value.uri)) one.value = undefined;
    }
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    for (const subject of this.#wanted) {
      this.#wanted.delete(subject);
      try {
        const explanation = await this.#server.request<Explanation | null>("emend/explanation", { of: subject });
        this.#of[subject].value = explanation ?? undefined;
        const isNews = subject === "ghost-text" || explanation?.noSuggestion === undefined || this.#isInvoked;
        if (explanation && isNews) this.#latest.value = subject;
      } catch {
        // The status line shows a lost connection; the last trace stays visible.
      }
    }
    this.#isAsking = false;
  }
}
