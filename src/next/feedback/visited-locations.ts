import { type Edit, minimalEdit, type TextRange } from "../../text/index.ts";
import type { FilterReason } from "../engine/outcome.ts";
import type { NextEditContext, Proposal } from "../providers/next-edit-provider.ts";

/**
 * Locations without an edit that the user visited or rejected; they are not shown again for the
 * same reason.
 *
 * They are mapped over typed text. A location is forgotten when it is edited: its new error was not
 * looked at.
 *
 * Laws: bounded; a visited location does not affect another one, even for the same reason.
 */
export class VisitedLocations {
  /** The visited locations, the oldest first. */
  #visited: readonly VisitedLocation[] = [];

  /**
   * Records a location of a file whose text was `text` and is now `present`; nothing where it was
   * edited since.
   */
  add({ path, reason, place }: VisitedLocation, text: string, present: string): void {
    const typed = text === present ? undefined : minimalEdit(text, present);
    if (typed !== undefined && meets(typed, place)) return;
    const now: VisitedLocation = { path, reason, place: typed?.mapRange(place, "exclude") ?? place };
    this.#visited = [...this.#visited.filter((one) => !isSame(one, now)), now].slice(-maxVisited);
  }

  /**
   * Returns why a location is not shown: it was visited for the same reason (`rejected`), or the
   * cursor is already on its line (`nothing-changes`). `undefined` where it may be shown, or where
   * the proposal has an edit.
   */
  refusalOf(proposal: Proposal, { path, cursor, text }: NextEditContext): FilterReason | undefined {
    if (proposal.edit !== undefined) return undefined;
    if (this.#visited.some((one) => isSame(one, proposal))) return { kind: "rejected" };
    const lineStart = text.lastIndexOf("\n", proposal.place.start - 1) + 1;
    const isThere = proposal.path === path && lineStart <= cursor && cursor <= proposal.place.end;
    return isThere ? { kind: "nothing-changes" } : undefined;
  }

  /** Maps the locations over a change of the file at `path`; drops those that it touches. */
  follow(path: string, edit: Edit): void {
    this.#visited = this.#visited.flatMap((one) => {
      if (one.path !== path) return [one];
      return meets(edit, one.place) ? [] : [{ ...one, place: edit.mapRange(one.place, "exclude") }];
    });
  }

  /** Moves a file's locations to its new path. */
  rename(path: string, newPath: string): void {
    this.#visited = this.#visited
      .filter((one) => one.path !== newPath)
      .map((one) => (one.path === path ? { ...one, path: newPath } : one));
  }

  /** Drops the locations of a file, such as one that was replaced. */
  forget(path: string): void {
    this.#visited = this.#visited.filter((one) => one.path !== path);
  }

  /** Drops all locations, as after a checkout of another branch. */
  forgetAll(): void {
    this.#visited = [];
  }
}

/** The most locations that are remembered. */
const maxVisited = 200;

/** A location in the present text of a file, and why it was shown. */
type VisitedLocation = Pick<Proposal, "path" | "reason"> & { readonly place: TextRange };

function isSame(one: VisitedLocation, other: VisitedLocation): boolean {
  return one.path === other.path && one.reason === other.reason && one.place.start === other.place.start;
}

/** Whether an edit overlaps or touches a location. */
function meets(edit: Edit, place: TextRange): boolean {
  return edit.edits.some(({ start, end }) => start <= place.end && place.start <= end);
}
