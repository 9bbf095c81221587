import type { LineSplice } from "../formats/index.ts";

/** What a change may have been meant to be. */
export interface BoundaryCandidate {
  readonly splice: LineSplice;
  /** How many lines the range's ends move, downwards counted positive; from -2 to 2. */
  readonly startMove: number;
  readonly endMove: number;
  /** How many of the new lines are left out, since they repeat the lines in front of the range, or behind it; up to 2. */
  readonly leftOutFirst: number;
  readonly leftOutLast: number;
  /** The repeated line at each edge, if it does not come twice any more: it is left out, overwritten or passed. */
  readonly resolvedFirst: string | undefined;
  readonly resolvedLast: string | undefined;
}

/** How far an end may move, and how many repeated lines may be left out. */
const reach = 2;

/** Where the ends of a change may go. */
export interface BoundaryRoom {
  /** The lines, from 0, between which a range keeps, since other changes are there. */
  readonly floor: number;
  readonly ceiling: number;
  /** Whether an alternative is worth a thought; every one is unless told. */
  readonly allows?: (candidate: BoundaryCandidate) => boolean;
}

/**
 * Everything that `splice` may have been meant to be, itself first, each with another outcome.
 *
 * What is to be inserted moves as a whole, since whoever writes an insertion names no line that it replaces. Nobody means
 * to change nothing.
 */
export function boundaryCandidates(
  lines: readonly string[],
  splice: LineSplice,
  { floor, ceiling, allows = () => true }: BoundaryRoom,
): BoundaryCandidate[] {
  const { start, end, lines: fresh } = splice;
  const first = echoes((count) => repeats(lines.slice(start - count, start), fresh.slice(0, count), count));
  const last = echoes((count) => repeats(lines.slice(end, end + count), fresh.slice(fresh.length - count), count));
  const candidates: BoundaryCandidate[] = [];
  const outcomes = new Set<string>();
  const add = (candidate: BoundaryCandidate): void => {
    // Asked first: of two ways to one outcome, either may be allowed.
    if (!allows(candidate) || (candidates.length > 0 && isIdle(lines, candidate.splice))) return;
    const outcome = outcomeOf(lines, candidate.splice, splice);
    if (outcomes.has(outcome)) return;
    outcomes.add(outcome);
    candidates.push(candidate);
  };
  for (const [startMove, leftOutFirst] of ends(first)) {
    for (const [endMove, leftOutLast] of ends(last)) {
      const from = start + startMove;
      const to = end + endMove;
      if (from < floor || to > ceiling || from > to || leftOutFirst + leftOutLast > fresh.length) continue;
      if (start === end && startMove !== endMove) continue;
      const kept = fresh.slice(leftOutFirst, fresh.length - leftOutLast);
      const resolved = {
        resolvedFirst: first.some((count) => count <= Math.max(leftOutFirst, -startMove)) ? fresh[0] : undefined,
        resolvedLast: last.some((count) => count <= Math.max(leftOutLast, endMove)) ? fresh.at(-1) : undefined,
      };
      add({
        splice: { start: from, end: to, lines: kept },
        startMove,
        endMove,
        leftOutFirst,
        leftOutLast,
        ...resolved,
      });
    }
  }
  return candidates;
}

function isIdle(lines: readonly string[], { start, end, lines: fresh }: LineSplice): boolean {
  return fresh.length === end - start && fresh.every((line, at) => line === lines[start + at]);
}

/** How an end may be corrected: it moves, or what it repeats is left out. The nearest first. */
function ends(echoed: readonly number[]): (readonly [move: number, leftOut: number])[] {
  const moves = Array.from({ length: reach }, (_, i) => [[i + 1, 0] as const, [-i - 1, 0] as const]).flat();
  return [[0, 0], ...echoed.map((count) => [0, count] as const), ...moves];
}

function echoes(isEcho: (count: number) => boolean): readonly number[] {
  return Array.from({ length: reach }, (_, i) => i + 1).filter(isEcho);
}

function repeats(around: readonly string[], edge: readonly string[], count: number): boolean {
  return around.length === count && edge.length === count && edge.every((line, i) => line.trim() === around[i]!.trim());
}

/** The lines that may differ between two candidates, as one text. */
function outcomeOf(lines: readonly string[], { start, end, lines: fresh }: LineSplice, original: LineSplice): string {
  const before = lines.slice(Math.max(0, original.start - reach), start);
  const after = lines.slice(end, original.end + reach);
  return [...before, ...fresh, ...after].join("\n");
}
