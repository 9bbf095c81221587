import { type Clock, LinkedController, resultWithin } from "../../async/index.ts";
import type { GhostTextOutcome } from "../../complete/index.ts";
import type { Edit, TextEdit } from "../../text/index.ts";
import type { OpenDocuments } from "../open-documents.ts";
import type { GhostNextEdit, GhostTextPlace, NextEditService } from "./next-edit-service.ts";
import type { SuggestionArbiter } from "./suggestion-arbiter.ts";

/** What {@link NextEditsAsGhostText} is made with. */
export interface NextEditsAsGhostTextParts {
  readonly documents: Pick<OpenDocuments, "get">;
  readonly arbiter: Pick<SuggestionArbiter, "headStartMs" | "nextEditSeen" | "gone" | "nextEditAsGhostText">;
  readonly nextEdits: Pick<NextEditService, "asGhostText">;
  readonly clock: Clock;
}

/**
 * A next edit that is shown instead of ghost text, and the outcome of the ghost text if there was
 * one by then.
 */
export interface NextEditInstead {
  readonly kind: "next-edit";
  readonly offer: GhostNextEdit;
  readonly ghost?: GhostTextOutcome;
}

/** How long a next edit is searched for, in milliseconds. */
const findMs = { automatic: 150, invoked: 1_000 } as const;

/**
 * The reasons without ghost text for which no next edit takes its place: the request is over, or
 * the selected item of the completion list is in the way.
 */
const finalReasons: ReadonlySet<string> = new Set(["cancelled", "superseded", "disagrees-with-picked"]);

/**
 * Next edits that only insert behind the cursor on its line, for requests for ghost text. They are
 * used where there is no ghost text, or none within its head start; ghost text in time never waits
 * for them.
 */
export class NextEditsAsGhostText {
  readonly #parts: NextEditsAsGhostTextParts;

  constructor(parts: NextEditsAsGhostTextParts) {
    this.#parts = parts;
  }

  /**
   * The rest of the visible next edit, where the text typed since agrees with it; otherwise
   * `undefined`.
   */
  async tryVisible(place: GhostTextPlace, signal: AbortSignal): Promise<GhostNextEdit | undefined> {
    const { arbiter } = this.#parts;
    const id = arbiter.nextEditSeen(place);
    if (id === undefined) return undefined;
    const found = await this.#find(place, signal);
    if (found?.id === id && this.#isPresent(place)) return found;
    arbiter.gone(place.uri, id);
    return undefined;
  }

  /**
   * Requests ghost text with `requestGhostText`, and returns its outcome or a next edit instead; in
   * that case the request is aborted. Rejects where `requestGhostText` does.
   */
  async ghostTextOrNextEdit(
    place: GhostTextPlace,
    requestGhostText: (signal: AbortSignal) => Promise<GhostTextOutcome>,
    signal: AbortSignal,
  ): Promise<GhostTextOutcome | NextEditInstead> {
    const { arbiter } = this.#parts;
    const stop = new LinkedController(signal);
    const pending = requestGhostText(stop.signal).finally(() => stop[Symbol.dispose]());
    let ghost: GhostTextOutcome | undefined;
    const answered = pending.then(
      (outcome) => {
        ghost = outcome;
      },
      () => undefined,
    );
    // A request by key waits for ghost text without a limit.
    if (place.trigger === "invoked") await answered;
    else await this.#within(arbiter.headStartMs(place), answered);
    const hasRoom = () =>
      ghost === undefined || (ghost.kind === "no-suggestion" && !finalReasons.has(ghost.reason.kind));
    const offer = hasRoom() ? await this.#find(place, signal) : undefined;
    // Ghost text that arrived meanwhile has precedence.
    if (offer === undefined || signal.aborted || !hasRoom() || !this.#isPresent(place)) return pending;
    const isShown = arbiter.nextEditAsGhostText(place, offer).kind === "shown";
    if (!isShown && place.trigger === "automatic") return pending;
    stop.abort();
    return { kind: "next-edit", offer, ...(ghost && { ghost }) };
  }

  async #find(place: GhostTextPlace, signal: AbortSignal): Promise<GhostNextEdit | undefined> {
    const stop = new LinkedController(signal);
    const found = this.#parts.nextEdits.asGhostText(place, stop.signal);
    // Ignore the rejection after an abort.
    found.catch(() => undefined);
    try {
      return await this.#within(findMs[place.trigger], found);
    } finally {
      stop.abort();
    }
  }

  #within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
    return resultWithin(work, { clock: this.#parts.clock, limitMs });
  }

  #isPresent({ uri, text }: GhostTextPlace): boolean {
    return this.#parts.documents.get(uri)?.document.text === text;
  }
}

/**
 * One replacement with the same effect as an edit, which must not be empty: from its first part, or
 * from `start` in front of it, to its last. The text between the parts is replaced by itself.
 */
export function asOneReplacement(source: string, edit: Edit, start: number = edit.edits[0]!.start): TextEdit {
  let text = "";
  let at = start;
  for (const part of edit.edits) {
    text += source.slice(at, part.start) + part.text;
    at = part.end;
  }
  return { start, end: at, text };
}
