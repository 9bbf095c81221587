import type { Clock } from "../codebase/index.ts";
import type { GhostTextOutcome } from "../complete/index.ts";
import type { GhostNextEdit, GhostTextPlace, NextEditService } from "./next-edit-service.ts";
import type { OfferStages } from "./offer-stages.ts";
import type { OpenDocuments } from "./open-documents.ts";

/** What they are found with, and what says whether they may be shown. */
export interface NextEditsAsGhostTextParts {
  readonly documents: Pick<OpenDocuments, "get">;
  readonly stages: Pick<OfferStages, "headStartMs" | "nextEditSeen" | "nextEditGone" | "nextEditAsGhostText">;
  readonly nextEdits: Pick<NextEditService, "asGhostText">;
  readonly clock: Clock;
}

/** A next edit that is shown instead of ghost text, and what that had come to by then. */
export interface OfferedInstead {
  readonly kind: "next-edit";
  readonly offer: GhostNextEdit;
  readonly ghost?: GhostTextOutcome;
}

/** How long a next edit is looked for, in milliseconds. */
const findMs = { automatic: 150, invoked: 1_000 } as const;

/** Silences that leave no room for a next edit: nobody waits any more, or what the editor has picked in its list is in the way. */
const endings: ReadonlySet<string> = new Set(["cancelled", "superseded", "disagrees-with-picked"]);

/**
 * Next edits that only add behind the cursor on its line, for whoever asks for ghost text. They come where there is no ghost text, or not in the time in which it
 * has the first say; what comes in time never waits for them.
 */
export class NextEditsAsGhostText {
  readonly #parts: NextEditsAsGhostTextParts;

  constructor(parts: NextEditsAsGhostTextParts) {
    this.#parts = parts;
  }

  /** What is left of the next edit that is seen, where what was typed since agrees with it. */
  async tryStanding(place: GhostTextPlace, signal: AbortSignal): Promise<GhostNextEdit | undefined> {
    const { stages } = this.#parts;
    const id = stages.nextEditSeen(place);
    if (id === undefined) return undefined;
    const found = await this.#find(place, signal);
    if (found?.id === id && this.#isPresent(place)) return found;
    stages.nextEditGone(place.uri, id);
    return undefined;
  }

  /** What ghost text comes to, or a next edit instead: then whoever is asked for it is stopped. Rejects where asking does. */
  async orInstead(
    place: GhostTextPlace,
    ask: (signal: AbortSignal) => Promise<GhostTextOutcome>,
    signal: AbortSignal,
  ): Promise<GhostTextOutcome | OfferedInstead> {
    const { stages } = this.#parts;
    const stop = new StoppedWith(signal);
    const asked = ask(stop.signal).finally(() => stop[Symbol.dispose]());
    let ghost: GhostTextOutcome | undefined;
    const answered = asked.then(
      (outcome) => {
        ghost = outcome;
      },
      () => undefined,
    );
    // Whoever asks by key wants ghost text, however long that takes.
    if (place.trigger === "invoked") await answered;
    else await this.#within(stages.headStartMs(place), answered);
    const hasRoom = () => ghost === undefined || (ghost.kind === "silent" && !endings.has(ghost.reason.kind));
    const offer = hasRoom() ? await this.#find(place, signal) : undefined;
    // Ghost text that came meanwhile is in front.
    if (offer === undefined || signal.aborted || !hasRoom() || !this.#isPresent(place)) return asked;
    const isShown = stages.nextEditAsGhostText(place, offer).kind === "shown";
    if (!isShown && place.trigger === "automatic") return asked;
    stop.abort();
    return { kind: "next-edit", offer, ...(ghost && { ghost }) };
  }

  async #find(place: GhostTextPlace, signal: AbortSignal): Promise<GhostNextEdit | undefined> {
    const stop = new StoppedWith(signal);
    const found = this.#parts.nextEdits.asGhostText(place, stop.signal);
    // Who is stopped may say so.
    found.catch(() => undefined);
    try {
      return await this.#within(findMs[place.trigger], found);
    } finally {
      stop.abort();
    }
  }

  /** What comes within so many milliseconds. */
  async #within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
    let timer: Disposable | undefined;
    const over = new Promise<undefined>((resolve) => {
      timer = this.#parts.clock.after(ms, () => resolve(undefined));
    });
    try {
      return await Promise.race([work, over]);
    } finally {
      timer?.[Symbol.dispose]();
    }
  }

  #isPresent({ uri, text }: GhostTextPlace): boolean {
    return this.#parts.documents.get(uri)?.document.text === text;
  }
}

/** Stops what is done for a request together with the request, or before. */
class StoppedWith implements Disposable {
  readonly #controller = new AbortController();
  readonly #request: AbortSignal;
  readonly #end = () => this.#controller.abort(this.#request.reason);

  constructor(request: AbortSignal) {
    this.#request = request;
    if (request.aborted) this.#end();
    else request.addEventListener("abort", this.#end, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(): void {
    this[Symbol.dispose]();
    this.#controller.abort();
  }

  [Symbol.dispose](): void {
    this.#request.removeEventListener("abort", this.#end);
  }
}
