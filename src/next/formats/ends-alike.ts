import { isSaid, saysSomething } from "../says-something.ts";

/**
 * Whether lines end as those that they are to stand for, so that they are all of them though nobody marked their end: the last ones are the same, with one
 * among them that says something. Blank lines do not count.
 */
export function endsAlike(window: readonly string[], lines: readonly string[]): boolean {
  const known = window.filter(isSaid);
  const said = lines.filter(isSaid);
  for (let back = 1; back <= known.length; back++) {
    const line = known.at(-back)!;
    if (line !== said.at(-back)) return false;
    if (saysSomething(line)) return true;
  }
  return true;
}
