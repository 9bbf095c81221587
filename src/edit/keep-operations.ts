import type { EditOperation, LineSplice, ResolvedOperation } from "../formats/index.ts";

/**
 * Returns the operations of earlier answers that still hold beside those of a new answer.
 *
 * An answer that corrects another one contains only the corrections. An earlier operation is
 * dropped where the new answer repeats it or covers all of its lines. A different insertion at the
 * same line does not replace the earlier one.
 */
export function keepOperations(
  earlier: readonly ResolvedOperation[],
  later: readonly ResolvedOperation[],
): readonly EditOperation[] {
  return earlier
    .filter((mine) => !later.some((theirs) => supersedes(theirs, mine)))
    .map(({ ask: operation }) => operation);
}

function supersedes(later: ResolvedOperation, earlier: ResolvedOperation): boolean {
  if (keyOf(later.ask) === keyOf(earlier.ask)) return true;
  if (later.path !== earlier.path) return false;
  const mine: readonly LineSplice[] = earlier.splices;
  // Operations without splices create, move or delete whole files.
  if (mine.length === 0) return later.splices.length === 0 && later.ask.kind === earlier.ask.kind;
  return mine.every((splice) => later.splices.some((other) => covers(other, splice)));
}

function covers(later: LineSplice, earlier: LineSplice): boolean {
  const isInsertion = earlier.start === earlier.end;
  if (isInsertion) return later.start < earlier.start && earlier.end < later.end;
  return later.start <= earlier.start && earlier.end <= later.end;
}

/** The content of an operation without its row in the answer, as a key. */
function keyOf(operation: EditOperation): string {
  const { row: _row, ...content } = operation;
  return JSON.stringify(content);
}
