import type { LineSplice } from "../../src/formats/index.ts";

/** The ways to miss a range, or to repeat the text around it. */
export const mistakeNames = [
  "end one late",
  "end one early",
  "start one early",
  "start one late",
  "shifted down",
  "shifted up",
  "repeats the line after",
  "repeats the line before",
  "repeats both",
] as const;

/** One of {@link mistakeNames}. */
export type MistakeName = (typeof mistakeNames)[number];

/**
 * The change as a model would write it that makes this mistake; `undefined` where it cannot be
 * made.
 *
 * A range that is written down has a line at least, so one of a single line loses none of its ends.
 * Nothing is inserted but behind a line, so an insertion has no ends to lose either.
 */
export function mistaken(name: MistakeName, lines: readonly string[], splice: LineSplice): LineSplice | undefined {
  const { start, end, lines: fresh } = splice;
  const before = lines[start - 1];
  const after = lines[end];
  const made = (from: number, to: number, text = fresh): LineSplice | undefined =>
    from < 0 || to > lines.length || (start < end && from >= to) ? undefined : { start: from, end: to, lines: text };
  switch (name) {
    case "end one late":
      return made(start, end + 1);
    case "end one early":
      return start === end ? undefined : made(start, end - 1);
    case "start one early":
      return made(start - 1, end);
    case "start one late":
      return start === end ? undefined : made(start + 1, end);
    case "shifted down":
      return made(start + 1, end + 1);
    case "shifted up":
      return made(start - 1, end - 1);
    case "repeats the line after":
      return after === undefined ? undefined : made(start, end, [...fresh, after]);
    case "repeats the line before":
      return before === undefined ? undefined : made(start, end, [before, ...fresh]);
    case "repeats both":
      return before === undefined || after === undefined ? undefined : made(start, end, [before, ...fresh, after]);
  }
}
