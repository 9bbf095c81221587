import type { Ask, LineSplice, PlacedAsk } from "../formats/index.ts";

/**
 * The asks of earlier answers that still hold beside those of a new one.
 *
 * An answer that mends another says only what was wrong. Where it writes an edit once more, or one that covers an earlier
 * edit wholly, the new one takes its place; an insertion that stands at the same line and is another one stays.
 */
export function keepAsks(earlier: readonly PlacedAsk[], later: readonly PlacedAsk[]): readonly Ask[] {
  return earlier.filter((mine) => !later.some((theirs) => supersedes(theirs, mine))).map(({ ask }) => ask);
}

function supersedes(later: PlacedAsk, earlier: PlacedAsk): boolean {
  if (sayOf(later.ask) === sayOf(earlier.ask)) return true;
  if (later.path !== earlier.path) return false;
  const mine: readonly LineSplice[] = earlier.splices;
  // Files are made, moved and removed as a whole.
  if (mine.length === 0) return later.splices.length === 0 && later.ask.kind === earlier.ask.kind;
  return mine.every((splice) => later.splices.some((other) => covers(other, splice)));
}

function covers(later: LineSplice, earlier: LineSplice): boolean {
  const isInsertion = earlier.start === earlier.end;
  if (isInsertion) return later.start < earlier.start && earlier.end < later.end;
  return later.start <= earlier.start && earlier.end <= later.end;
}

/** What an ask says, wherever in an answer it stands. */
function sayOf(ask: Ask): string {
  const { row: _row, ...said } = ask;
  return JSON.stringify(said);
}
