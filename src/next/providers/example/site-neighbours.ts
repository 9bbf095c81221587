import type { PastEdit } from "../../../context/index.ts";
import type { Site } from "./find-sites.ts";
import type { AgedEdit } from "./past.ts";
import type { Neighbours } from "./site-features.ts";

/** An index of the sites of a file by line, over all rewrites. */
export class SiteNeighbours {
  readonly #onLine = new Map<number, Site[]>();

  constructor(sites: readonly Site[]) {
    for (const site of sites) {
      const known = this.#onLine.get(site.first);
      if (known === undefined) this.#onLine.set(site.first, [site]);
      else known.push(site);
    }
  }

  /**
   * Counts the other sites that begin on the line of a site and overlap it: with another new text,
   * with the same, and with a larger change.
   */
  of({ first, edit, match }: Site): Neighbours {
    let rivals = 0;
    let allies = 0;
    let larger = 0;
    for (const other of this.#onLine.get(first) ?? []) {
      if (other.match === match) continue;
      if (other.edit.start > edit.end || edit.start > other.edit.end) continue;
      const isSame = other.edit.start === edit.start && other.edit.end === edit.end && other.edit.text === edit.text;
      if (isSame) allies++;
      else rivals++;
      if (!isSame && other.edit.start <= edit.start && edit.end <= other.edit.end) larger++;
    }
    return { rivals, allies, larger };
  }
}

/**
 * Returns the edit whose lines are nearest to a site; the newer one of two. `undefined` where there
 * are no edits.
 */
export function nearestEdit(site: Site, edits: readonly AgedEdit[]): PastEdit | undefined {
  let best: PastEdit | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const { edit } of edits) {
    const lines = linesBetween(site, edit);
    if (lines >= least) continue;
    best = edit;
    least = lines;
  }
  return best;
}

/** Whether an edit's lines touch those of another one. */
export function isNextToOther(edit: PastEdit, edits: readonly AgedEdit[]): boolean {
  const { start, end } = edit.lines;
  return edits.some(
    ({ edit: { lines }, edit: other }) => other !== edit && (lines.end === start || lines.start === end),
  );
}

/** Returns the number of lines between a site and the lines of an edit. */
export function linesBetween({ first, end }: Site, { lines }: PastEdit): number {
  return Math.max(0, first - lines.end, lines.start - end);
}
