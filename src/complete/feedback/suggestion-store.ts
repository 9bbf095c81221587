import { LRUCache } from "lru-cache";

/**
 * What became of a suggestion. The ends are `accepted`, `dismissed` and `ignored`: the person typed
 * something else.
 *
 * Stale, for another text than the present one, is no state: the acceptance of a suggestion may be
 * reported after the change that it made. Callers compare the texts where it matters.
 */
export type SuggestionState = "pending" | "shown" | "partly-accepted" | "accepted" | "dismissed" | "ignored";

const ends: ReadonlySet<SuggestionState> = new Set(["accepted", "dismissed", "ignored"]);

/** How many suggestions a {@link SuggestionStore} remembers, and how large they may be. */
export interface SuggestionLimits<Suggestion> {
  /** The most suggestions. */
  readonly max: number;
  /** The most UTF-16 units of the texts of more than one suggestion. */
  readonly maxCharacters: number;
  /** The UTF-16 units of the texts that a suggestion keeps in memory. */
  charactersOf(suggestion: Suggestion): number;
}

/**
 * Suggestions by their ids, with their states. The one that was not used for longest is forgotten
 * first. The engines and the server keep what each of them needs to know of a suggestion.
 */
export class SuggestionStore<Suggestion extends object> {
  readonly #kept: LRUCache<string, { readonly suggestion: Suggestion; readonly state: SuggestionState }>;

  constructor({ max, maxCharacters, charactersOf }: SuggestionLimits<Suggestion>) {
    this.#kept = new LRUCache({
      ...{ max, maxSize: maxCharacters },
      sizeCalculation: ({ suggestion }) => Math.min(1 + charactersOf(suggestion), maxCharacters),
    });
  }

  /**
   * Remembers a suggestion. One that is kept again, such as the rest of it while it is typed, has
   * its state still, unless it has ended: then it is pending again.
   */
  keep(id: string, suggestion: Suggestion): void {
    const state = this.stateOf(id);
    this.#kept.set(id, { suggestion, state: state === undefined || ends.has(state) ? "pending" : state });
  }

  /** The suggestion with this id, while it is remembered. */
  get(id: string): Suggestion | undefined {
    return this.#kept.get(id)?.suggestion;
  }

  /** The state of a suggestion; `undefined` where it is not remembered. */
  stateOf(id: string): SuggestionState | undefined {
    return this.#kept.get(id)?.state;
  }

  /**
   * Records what happened to a suggestion, and returns its state before; `undefined` where it has
   * ended or is not remembered. One that was accepted in part stays so until it is accepted or
   * dismissed.
   */
  move(id: string, state: SuggestionState): SuggestionState | undefined {
    const known = this.#kept.get(id);
    if (known === undefined || ends.has(known.state)) return undefined;
    const staysPart = known.state === "partly-accepted" && state !== "accepted" && state !== "dismissed";
    if (!staysPart) this.#kept.set(id, { ...known, state });
    return known.state;
  }

  /** Forgets a suggestion; all of them without an id. */
  forget(id?: string): void {
    if (id === undefined) this.#kept.clear();
    else this.#kept.delete(id);
  }
}

/**
 * Returns new ids for suggestions: `ghost-1`, `ghost-2` and so on. A host passes one source to all
 * of its engines, so that an id names one suggestion in all of them.
 */
export function suggestionIds(prefix: string): () => string {
  let count = 0;
  return () => `${prefix}-${++count}`;
}
