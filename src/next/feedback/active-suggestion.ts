import { Edit, type TextRange } from "../../text/index.ts";

/** A suggestion with its location in the present text. */
export interface LocatedSuggestion {
  readonly id: string;
  readonly path: string;
  /** The present text of its file. */
  readonly text: string;
  /** Absent where the location is only to be looked at. */
  readonly edit?: Edit | undefined;
  readonly place: TextRange;
  readonly reason: string;
}

/**
 * The last suggestion, rebased over typed text. Another request that finds the same suggestion
 * gives it the same id, so that the display does not flicker.
 *
 * Law: an id is returned only for a suggestion with the same effect on the same text, or the same
 * location to look at for the same reason.
 */
export class ActiveSuggestion {
  #last: LocatedSuggestion | undefined;

  /** Replaces the last suggestion. */
  keep(offer: LocatedSuggestion): void {
    this.#last = offer;
  }

  /** Returns the id of a suggestion that equals the last one; `undefined` for another. */
  idOf({ path, text, edit, place, reason }: Omit<LocatedSuggestion, "id">): string | undefined {
    const last = this.#last;
    if (last === undefined || last.path !== path || last.text !== text) return undefined;
    if (edit === undefined || last.edit === undefined) {
      const isSame = edit === last.edit && place.start === last.place.start && reason === last.reason;
      return isSame ? last.id : undefined;
    }
    return edit.normalize(text).equals(last.edit.normalize(text)) ? last.id : undefined;
  }

  /**
   * Rebases the suggestion over a change of the file at `path`, whose text was `before`; drops it
   * where they touch.
   */
  follow(path: string, before: string, typed: Edit): void {
    const last = this.#last;
    if (last === undefined || last.path !== path) return;
    this.#last = undefined;
    if (last.text !== before || typed.touches(last.edit ?? Edit.replace(last.place, ""))) return;
    const edit = last.edit?.tryRebase(typed);
    this.#last = { ...last, text: typed.apply(before), edit, place: typed.mapRange(last.place, "exclude") };
  }

  /** Ends the suggestion with this id, which was accepted or rejected. */
  end(id: string): void {
    if (this.#last?.id === id) this.#last = undefined;
  }
}
