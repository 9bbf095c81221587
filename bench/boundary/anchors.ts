import type { AnchoredSplice } from "../../src/edit/boundaries/boundary-repair.ts";
import type { LineSplice } from "../../src/formats/index.ts";
import { lineOpening } from "../../src/formats/reading/line-opening.ts";

/**
 * A mistaken change with the opening words that a model would quote, at the numbers it writes:
 * those of the lines it means. `intended` is the change it means, in the same lines.
 *
 * A range has an anchor at its first line and, if it is longer than one line, of its last, be it by
 * its number or by what is meant; an insertion has one of the line it goes behind. `undefined`
 * where the two are not written alike: an insertion names no line that it replaces.
 */
export function anchorsOfMistake(
  lines: readonly string[],
  intended: LineSplice,
  written: LineSplice,
): AnchoredSplice | undefined {
  const isInsertion = written.start === written.end;
  if (isInsertion !== (intended.start === intended.end)) return undefined;
  const quote = (line: number, meant: number) => ({ line, opening: lineOpening(lines, meant) });
  if (isInsertion) {
    const hasBoth = intended.start > 0 && written.start > 0;
    return hasBoth ? { ...written, anchors: [quote(written.start - 1, intended.start - 1)] } : undefined;
  }
  const first = quote(written.start, intended.start);
  const isSingle = written.end - written.start === 1 && intended.end - intended.start === 1;
  return { ...written, anchors: isSingle ? [first] : [first, quote(written.end - 1, intended.end - 1)] };
}
