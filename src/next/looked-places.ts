import { type Edit, minimalEdit, type TextRange } from "../text/index.ts";
import type { Moment, Proposal } from "./next-edit-source.ts";
import type { HoldReason } from "./outcome.ts";

/**
 * Places without an edit that a person has gone to, or did not want to: they are not shown again for the same reason.
 *
 * They follow the typing. One is forgotten when it is edited itself: what is wrong there then was not looked at.
 *
 * Laws: bounded; a place says nothing about another one, even for the same reason.
 */
export class LookedPlaces {
  /** What was looked at, the oldest first. */
  #looked: readonly LookedPlace[] = [];

  /** Remembers a place of the file whose text was `text`, and is `present` now. */
  add({ path, reason, place }: LookedPlace, text: string, present: string): void {
    const typed = text === present ? undefined : minimalEdit(text, present);
    if (typed !== undefined && meets(typed, place)) return;
    const now: LookedPlace = { path, reason, place: typed?.mapRange(place, "exclude") ?? place };
    this.#looked = [...this.#looked.filter((one) => !isSame(one, now)), now].slice(-maxLooked);
  }

  /** Why a place is not shown; `undefined` where it is, or where there is an edit to judge. */
  refusalOf(proposal: Proposal, { path, cursor, text }: Moment): HoldReason | undefined {
    if (proposal.edit !== undefined) return undefined;
    if (this.#looked.some((one) => isSame(one, proposal))) return { kind: "rejected" };
    const lineStart = text.lastIndexOf("\n", proposal.place.start - 1) + 1;
    const isThere = proposal.path === path && lineStart <= cursor && cursor <= proposal.place.end;
    return isThere ? { kind: "nothing-changes" } : undefined;
  }

  /** Takes in a change of the file at `path`. */
  follow(path: string, edit: Edit): void {
    this.#looked = this.#looked.flatMap((one) => {
      if (one.path !== path) return [one];
      return meets(edit, one.place) ? [] : [{ ...one, place: edit.mapRange(one.place, "exclude") }];
    });
  }

  /** Goes on under a file's new path. */
  rename(path: string, newPath: string): void {
    this.#looked = this.#looked
      .filter((one) => one.path !== newPath)
      .map((one) => (one.path === path ? { ...one, path: newPath } : one));
  }

  /** Forgets a file, such as one that is now another. */
  forget(path: string): void {
    this.#looked = this.#looked.filter((one) => one.path !== path);
  }

  /** Forgets everything, as after a checkout of another branch. */
  forgetAll(): void {
    this.#looked = [];
  }
}

/** The most places that are remembered. */
const maxLooked = 200;

/** A place of the present text of a file, and why it was shown. */
type LookedPlace = Pick<Proposal, "path" | "reason"> & { readonly place: TextRange };

function isSame(one: LookedPlace, other: LookedPlace): boolean {
  return one.path === other.path && one.reason === other.reason && one.place.start === other.place.start;
}

/** Whether an edit touches a place, or stands right at it. */
function meets(edit: Edit, place: TextRange): boolean {
  return edit.edits.some(({ start, end }) => start <= place.end && place.start <= end);
}
