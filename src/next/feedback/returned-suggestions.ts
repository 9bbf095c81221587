import { SuggestionStore } from "../../complete/index.ts";
import { Edit } from "../../text/index.ts";
import type { NextEditRequest } from "../engine/gate.ts";
import type { NextEditSuggestion } from "../engine/outcome.ts";
import type { ProvidedProposal } from "../providers/next-edit-provider.ts";

/** A suggestion as it was last returned. */
export interface ReturnedSuggestion {
  readonly suggestion: NextEditSuggestion;
  readonly proposal: ProvidedProposal;
  readonly request: NextEditRequest;
}

/** What tells suggestions apart, for the present text of the file. */
type Located = Pick<NextEditSuggestion, "path" | "text" | "edit" | "place" | "reason">;

/**
 * The last 100 suggestions that were returned, by their ids; fewer in long texts. The last of each
 * shape is active: it is rebased over typed text, and another request that finds the same
 * suggestion gives it the same id, so that the display does not flicker.
 *
 * Law: an id is returned only for a suggestion with the same effect on the same text, or the same
 * location to look at for the same reason.
 */
export class ReturnedSuggestions {
  readonly #returned = new SuggestionStore<ReturnedSuggestion>({
    ...{ max: 100, maxCharacters: 4_000_000 },
    charactersOf: ({ suggestion }) => suggestion.text.length,
  });
  /** The active suggestions in the present text, by the requested shape. */
  readonly #active = new Map<NextEditRequest["shape"], Located & { readonly id: string }>();

  /** Takes a suggestion. One that was shown already stays so. */
  keep(suggestion: NextEditSuggestion, proposal: ProvidedProposal, request: NextEditRequest): void {
    this.#returned.keep(suggestion.id, { suggestion, proposal, request });
    this.#active.set(request.shape, suggestion);
  }

  /** The suggestion with this id, while it is remembered. */
  get(id: string): ReturnedSuggestion | undefined {
    return this.#returned.get(id);
  }

  /** Returns the id of an active suggestion that equals this one; `undefined` for another. */
  idOf(located: Located): string | undefined {
    return [this.#active.get(undefined), this.#active.get("ghost-text")].find((last) => last && isSame(last, located))
      ?.id;
  }

  /** Notes that a suggestion is visible. */
  shown(id: string): void {
    this.#returned.move(id, "shown");
  }

  /**
   * Ends a suggestion and returns it, with whether it was seen; `undefined` where it is not
   * remembered. Accepted in part, it is still remembered.
   */
  end(
    id: string,
    how: "accepted" | "partly-accepted" | "dismissed",
  ): (ReturnedSuggestion & { readonly wasSeen: boolean }) | undefined {
    for (const [shape, last] of this.#active) if (last.id === id) this.#active.delete(shape);
    const returned = this.#returned.get(id);
    const before = this.#returned.move(id, how);
    if (how !== "partly-accepted") this.#returned.forget(id);
    return returned && { ...returned, wasSeen: before !== "pending" };
  }

  /**
   * Rebases the active suggestions over a change of the file at `path`, whose text was `before`;
   * drops those that it touches.
   */
  follow(path: string, before: string, typed: Edit): void {
    for (const [shape, last] of this.#active) {
      if (last.path !== path) continue;
      const isKept = last.text === before && !typed.touches(last.edit ?? Edit.replace(last.place, ""));
      const edit = isKept ? last.edit?.tryRebase(typed) : undefined;
      const { id, reason } = last;
      const rebased = { id, reason, path, text: typed.apply(before), place: typed.mapRange(last.place, "exclude") };
      if (isKept) this.#active.set(shape, { ...rebased, ...(edit && { edit }) });
      else this.#active.delete(shape);
    }
  }

  /** Drops all. */
  forgetAll(): void {
    this.#returned.forget();
    this.#active.clear();
  }
}

function isSame(last: Located, { path, text, edit, place, reason }: Located): boolean {
  if (last.path !== path || last.text !== text) return false;
  if (edit === undefined || last.edit === undefined)
    return edit === last.edit && place.start === last.place.start && reason === last.reason;
  return edit.normalize(text).equals(last.edit.normalize(text));
}
