import type { Moment, Proposal } from "./next-edit-source.ts";
import type { HoldReason } from "./outcome.ts";

/** Places without an edit that a person has gone to, or did not want to: they are not shown again for the same reason. */
export class LookedPlaces {
  /** What was looked at, the oldest first. */
  #looked: readonly string[] = [];

  /** Remembers a place. */
  add(place: Pick<Proposal, "path" | "reason">): void {
    this.#looked = [...this.#looked.filter((key) => key !== keyOf(place)), keyOf(place)].slice(-maxLooked);
  }

  /** Why a place is not shown; `undefined` where it is, or where there is an edit to judge. */
  refusalOf(proposal: Proposal, { path, cursor, text }: Moment): HoldReason | undefined {
    if (proposal.edit !== undefined) return undefined;
    if (this.#looked.includes(keyOf(proposal))) return { kind: "rejected" };
    const lineStart = text.lastIndexOf("\n", proposal.place.start - 1) + 1;
    const isThere = proposal.path === path && lineStart <= cursor && cursor <= proposal.place.end;
    return isThere ? { kind: "nothing-changes" } : undefined;
  }
}

/** The most places that are remembered. */
const maxLooked = 200;

function keyOf({ path, reason }: Pick<Proposal, "path" | "reason">): string {
  return `${path}\n${reason}`;
}
