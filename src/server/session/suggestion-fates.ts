import type { NextEditEngine, NextEditSuggestion, Recorder, WholeChain } from "../../next/index.ts";
import type { TextEdit } from "../../text/index.ts";

/** How many suggestions are remembered for what may still be said about them. */
const maxRemembered = 100;

/** Who is told what becomes of suggestions, and when. */
export interface SuggestionFatesParts {
  readonly engine: NextEditEngine;
  /** Where the session is recorded. */
  readonly recorder: Recorder | undefined;
  /** Does what is told after all that was told before, such as the edits that came of it. */
  inTurn(work: () => void): Promise<void>;
}

/** What becomes of the suggestions of one engine: told the engine and, where the session is recorded, its recorder. */
export class SuggestionFates {
  readonly #engine: NextEditEngine;
  readonly #recorder: Recorder | undefined;
  readonly #inTurn: SuggestionFatesParts["inTurn"];
  readonly #offered = new Map<string, NextEditSuggestion>();

  constructor({ engine, recorder, inTurn }: SuggestionFatesParts) {
    this.#engine = engine;
    this.#recorder = recorder;
    this.#inTurn = inTurn;
  }

  /** Whether these are the suggestions of `engine`. */
  isOf(engine: NextEditEngine): boolean {
    return this.#engine === engine;
  }

  /** A suggestion was answered. */
  offered(suggestion: NextEditSuggestion): void {
    this.#offered.delete(suggestion.id);
    this.#offered.set(suggestion.id, suggestion);
    if (this.#offered.size > maxRemembered) this.#offered.delete(this.#offered.keys().next().value!);
  }

  /** The person sees a suggestion. */
  shown(id: string): void {
    void this.#inTurn(() => {
      this.#engine.shown(id);
      this.#record(id);
    });
  }

  /** The person took a suggestion, or of its edit the part that is told. */
  accepted(id: string, part?: readonly TextEdit[]): void {
    void this.#inTurn(() => {
      this.#engine.accepted(id, part);
      // Not every client says what it shows.
      this.#record(id);
      this.#recorder?.accepted(id, part);
    });
  }

  /** The person does not want a suggestion. */
  rejected(id: string): void {
    void this.#inTurn(() => {
      this.#engine.rejected(id);
      this.#record(id);
      this.#recorder?.rejected(id);
    });
  }

  /** A suggestion and all that is one thing with it; see `NextEditEngine.whole`. */
  async whole(id: string, options: { readonly signal: AbortSignal }): Promise<WholeChain | undefined> {
    await this.#inTurn(() => undefined);
    return this.#engine.whole(id, options);
  }

  #record(id: string): void {
    const suggestion = this.#offered.get(id);
    if (suggestion !== undefined) this.#recorder?.shown(suggestion);
  }
}
