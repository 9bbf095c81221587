import type { LineSplice } from "../../formats/index.ts";

/** An alternative that a change may have been meant to be. */
export interface BoundaryCandidate {
  readonly splice: LineSplice;
  /** How many lines the ends of the range move, downwards positive; from -2 to 2. */
  readonly startMove: number;
  readonly endMove: number;
  /**
   * How many new lines are left out because they repeat the lines in front of the range, or after
   * it; from 0 to 2.
   */
  readonly leftOutFirst: number;
  readonly leftOutLast: number;
  /**
   * The repeated line at each edge, if the candidate removes the repetition: by leaving the line
   * out, overwriting it or moving past it.
   */
  readonly resolvedFirst: string | undefined;
  readonly resolvedLast: string | undefined;
}

/** The most lines that an end may move, and the most repeated lines that may be left out. */
const reach = 2;

/** The limits for the ends of a change. */
export interface BoundaryRoom {
  /** Line indexes from 0 that the range stays between, because other changes begin there. */
  readonly floor: number;
  readonly ceiling: number;
  /** Filters candidates; all are allowed by default. */
  readonly allows?: (candidate: BoundaryCandidate) => boolean;
}

/**
 * Lists everything that `splice` may have been meant to be: itself first, unless `allows` rejects
 * it, then alternatives with different outcomes.
 *
 * An insertion moves as a whole, since it names no line that it replaces. Alternatives that change
 * nothing are left out.
 */
export function boundaryCandidates(
  lines: readonly string[],
  splice: LineSplice,
  { floor, ceiling, allows = () => true }: BoundaryRoom,
): BoundaryCandidate[] {
  const { start, end, lines: fresh } = splice;
  const first = repeatedCounts((count) => repeats(lines.slice(start - count, start), fresh.slice(0, count), count));
  const last = repeatedCounts((count) =>
    repeats(lines.slice(end, end + count), fresh.slice(fresh.length - count), count),
  );
  const candidates: BoundaryCandidate[] = [];
  const outcomes = new Set<string>();
  const add = (candidate: BoundaryCandidate): void => {
    // Filter before removing duplicates: of two candidates with one outcome, only one may be
    // allowed.
    if (!allows(candidate) || (candidates.length > 0 && hasNoEffect(lines, candidate.splice))) return;
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

function hasNoEffect(lines: readonly string[], { start, end, lines: fresh }: LineSplice): boolean {
  return fresh.length === end - start && fresh.every((line, at) => line === lines[start + at]);
}

/** The corrections of one end, nearest first: none, leaving out repeated lines, or moving. */
function ends(repeated: readonly number[]): (readonly [move: number, leftOut: number])[] {
  const moves = Array.from({ length: reach }, (_, i) => [[i + 1, 0] as const, [-i - 1, 0] as const]).flat();
  return [[0, 0], ...repeated.map((count) => [0, count] as const), ...moves];
}

function repeatedCounts(isRepeated: (count: number) => boolean): readonly number[] {
  return Array.from({ length: reach }, (_, i) => i + 1).filter(isRepeated);
}

function repeats(around: readonly string[], edge: readonly string[], count: number): boolean {
  return around.length === count && edge.length === count && edge.every((line, i) => line.trim() === around[i]!.trim());
}

/** The lines in which two candidates can differ, as one text. */
function outcomeOf(lines: readonly string[], { start, end, lines: fresh }: LineSplice, original: LineSplice): string {
  const before = lines.slice(Math.max(0, original.start - reach), start);
  const after = lines.slice(end, original.end + reach);
  return [...before, ...fresh, ...after].join("\n");
}
