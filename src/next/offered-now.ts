import { Edit, type TextRange } from "../text/index.ts";

/** What was offered, where it stands. */
export interface StandingOffer {
  readonly id: string;
  readonly path: string;
  /** The text of its file, as it is now. */
  readonly text: string;
  /** Absent where the place is only to be looked at. */
  readonly edit?: Edit | undefined;
  readonly place: TextRange;
  readonly reason: string;
}

/**
 * The offer that was made last, over what was typed since: whoever finds the same one again gives it the same name, so that nothing flickers where it is shown.
 *
 * Law: the name is given again only for what does the same to the same text, or is the same place to look at.
 */
export class OfferedNow {
  #last: StandingOffer | undefined;

  keep(offer: StandingOffer): void {
    this.#last = offer;
  }

  /** The name of an offer that is the last one still; `undefined` for another. */
  nameOf({ path, text, edit, place, reason }: Omit<StandingOffer, "id">): string | undefined {
    const last = this.#last;
    if (last === undefined || last.path !== path || last.text !== text) return undefined;
    if (edit === undefined || last.edit === undefined) {
      const isSame = edit === last.edit && place.start === last.place.start && reason === last.reason;
      return isSame ? last.id : undefined;
    }
    return edit.normalize(text).equals(last.edit.normalize(text)) ? last.id : undefined;
  }

  /** Takes in a change of the file at `path`, whose text was `before`. */
  follow(path: string, before: string, typed: Edit): void {
    const last = this.#last;
    if (last === undefined || last.path !== path) return;
    this.#last = undefined;
    if (last.text !== before || typed.touches(last.edit ?? Edit.replace(last.place, ""))) return;
    const edit = last.edit?.tryRebase(typed);
    this.#last = { ...last, text: typed.apply(before), edit, place: typed.mapRange(last.place, "exclude") };
  }

  /** What is called so is over: it was taken or not wanted. */
  end(id: string): void {
    if (this.#last?.id === id) this.#last = undefined;
  }
}
