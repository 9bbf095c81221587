import { expect, test } from "vitest";
import type { PastEdit } from "../../../context/index.ts";
import type { Site } from "./find-sites.ts";
import { linesBetween, nearestEdit, SiteNeighbours } from "./site-proposals.ts";

/** Reads `LINE:START-END>TEXT`: a site on one line that replaces a range of the text. */
function readSite(notation: string): Site {
  const [, line, start, end, text] = /^(\d+):(\d+)-(\d+)>(.*)$/.exec(notation)!;
  const edit = { start: Number(start), end: Number(end), text: text! };
  return { edit, first: Number(line), end: Number(line) + 1, match: {} } as unknown as Site;
}

test.each([
  ["alone", "3:10-14>new", "", "0 0 0"],
  ["the same edit by another rewrite", "3:10-14>new", "3:10-14>new", "0 1 0"],
  ["another text at the same range", "3:10-14>new", "3:10-14>other", "1 0 1"],
  ["a site around it and one inside it", "3:10-14>new", "3:8-20>all 3:11-12>x", "2 0 1"],
  ["a site beside it, and one on another line", "3:10-14>new", "3:20-22>x 4:30-34>new", "0 0 0"],
])("counts rivals, allies and larger neighbours of a site: %s", (_, site, others, expected) => {
  const own = readSite(site);
  const all = [own, ...others.split(" ").flatMap((one) => (one === "" ? [] : [readSite(one)]))];
  const { rivals, allies, larger } = new SiteNeighbours(all).of(own);
  expect(`${rivals} ${allies} ${larger}`).toBe(expected);
});

test("the nearest edit has the fewest lines in between, and is the newer of two", () => {
  const editAt = (start: number, end: number) => ({ lines: { start, end } }) as PastEdit;
  const site = readSite("10:0-1>x");
  const [above, below, far] = [editAt(4, 8), editAt(13, 14), editAt(40, 41)];
  expect([above, below, far].map((edit) => linesBetween(site, edit))).toEqual([2, 2, 29]);
  const aged = [below, above, far].map((edit, age) => ({ edit, age }));
  expect(nearestEdit(site, aged)).toBe(below);
  expect(nearestEdit(site, [])).toBeUndefined();
});
