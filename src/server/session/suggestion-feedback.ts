import { LRUCache } from "lru-cache";
import type { NextEditEngine, NextEditSuggestion, Recorder, WholeChain } from "../../next/index.ts";
import type { TextEdit } from "../../text/index.ts";

/** How many suggestions are remembered for later feedback. */
const maxRemembered = 100;

/** What receives the feedback of suggestions, and in which order. */
export interface SuggestionFeedbackParts {
  readonly engine: NextEditEngine;
  /** The recorder, where the session is recorded. */
  readonly recorder: Recorder | undefined;
  /** Runs `work` after all earlier notifications, such as the edits that a suggestion caused. */
  enqueue(work: () => void): Promise<void>;
}

/**
 * Passes feedback (shown, accepted, rejected) on the suggestions of one engine to that engine and,
 * where the session is recorded, to its recorder.
 */
export class SuggestionFeedback {
  readonly #engine: NextEditEngine;
  readonly #recorder: Recorder | undefined;
  readonly #enqueue: SuggestionFeedbackParts["enqueue"];
  readonly #offered = new LRUCache<string, NextEditSuggestion>({ max: maxRemembered });

  constructor({ engine, recorder, enqueue }: SuggestionFeedbackParts) {
    this.#engine = engine;
    this.#recorder = recorder;
    this.#enqueue = enqueue;
  }

  /** Whether the suggestions are those of `engine`. */
  isOf(engine: NextEditEngine): boolean {
    return this.#engine === engine;
  }

  /** Remembers a suggestion that was returned. */
  offered(suggestion: NextEditSuggestion): void {
    this.#offered.set(suggestion.id, suggestion);
  }

  /** The suggestion is visible. */
  shown(id: string): void {
    void this.#enqueue(() => {
      this.#engine.shown(id);
      this.#record(id);
    });
  }

  /** The suggestion was accepted, or only `part` of its edit. */
  accepted(id: string, part?: readonly TextEdit[]): void {
    void this.#enqueue(() => {
      this.#engine.accepted(id, part);
      // Not every client notifies when it shows a suggestion, so an accepted one counts as shown.
      this.#record(id);
      this.#recorder?.accepted(id, part);
    });
  }

  /** The suggestion was rejected. */
  rejected(id: string): void {
    void this.#enqueue(() => {
      this.#engine.rejected(id);
      this.#record(id);
      this.#recorder?.rejected(id);
    });
  }

  /** A suggestion with all further edits of its chain; see `NextEditEngine.whole`. */
  async wholeChain(id: string, options: { readonly signal: AbortSignal }): Promise<WholeChain | undefined> {
    await this.#enqueue(() => undefined);
    return this.#engine.whole(id, options);
  }

  #record(id: string): void {
    const suggestion = this.#offered.get(id);
    if (suggestion !== undefined) this.#recorder?.shown(suggestion);
  }
}
