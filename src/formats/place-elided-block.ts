import { diffSequences } from "../text/index.ts";
import type { BlockAsk } from "./ask.ts";
import { type AskOutcome, placed } from "./ask-outcome.ts";
import { isElision } from "./is-elision.ts";
import { lenienceMessages } from "./lenience-messages.ts";
import { withoutEndBlanks } from "./line-keys.ts";
import type { LineSplice } from "./placement.ts";
import type { WorkingText } from "./working-text.ts";

/**
 * Places a block in which rows of dots stand for lines that stay; both parts of the ask have the same number of them.
 *
 * Each piece between dots must be in the file once, behind the piece before it. Answers `undefined` where the block is not
 * of this kind, or a piece has no sure place. Follows the dialect of aider.
 */
export function tryPlaceElidedBlock({ search, replace }: BlockAsk, text: WorkingText): AskOutcome | undefined {
  const before = pieces(search);
  const after = pieces(replace);
  if (before.length < 2 || before.length !== after.length) return undefined;
  const splices: LineSplice[] = [];
  let from = 0;
  for (const [i, piece] of before.entries()) {
    if (piece.length === 0) {
      if (after[i]!.length > 0) return undefined;
      continue;
    }
    const [start, ...others] = text.by(withoutEndBlanks).find(piece.map(withoutEndBlanks));
    if (start === undefined || others.length > 0 || start < from) return undefined;
    for (const change of diffSequences(piece, after[i]!)) {
      const put = after[i]!.slice(change.afterStart, change.afterEnd);
      splices.push({ start: start + change.beforeStart, end: start + change.beforeEnd, lines: put });
    }
    from = start + piece.length;
  }
  if (splices.length === 0) return undefined;
  return placed(text.replaceLines(splices), lenienceMessages(["elision"]));
}

/** The lines between rows of dots. */
function pieces(lines: readonly string[]): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  for (const line of lines) {
    if (isElision(line)) found.push([]);
    else found.at(-1)!.push(line);
  }
  return found;
}
