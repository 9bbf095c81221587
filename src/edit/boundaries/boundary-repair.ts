import type { LineAnchor, LineSplice } from "../../formats/index.ts";
import type { BoundaryCandidate } from "./boundary-candidates.ts";

/** The changes of one file that an answer contains. */
export interface UncertainSplices {
  readonly path: string;
  /** The id of the language. */
  readonly language: string;
  /** The text of the file before the changes. */
  readonly text: string;
  /** The changes in any order; no two touch each other. */
  readonly splices: readonly AnchoredSplice[];
}

/** A change with the lines that the answer quotes at its ends. */
export interface AnchoredSplice extends LineSplice {
  readonly anchors?: readonly LineAnchor[];
}

/** The result of repairing boundaries. */
export interface BoundaryAnswer {
  /** The changes in the given order, with repaired boundaries. */
  readonly splices: readonly LineSplice[];
  readonly repairs: readonly BoundaryRepair[];
  /**
   * Changes with a doubtful boundary that were left as they are, because no alternative is certain
   * enough.
   */
  readonly doubts: readonly UncertainBoundary[];
}

/** A mistaken boundary of an edit, and its correction. Every repair is reported to the person. */
export interface BoundaryRepair {
  readonly path: string;
  /** The change as the answer had it, in lines of the file before the change. */
  readonly before: LineSplice;
  readonly after: LineSplice;
  /** Why the boundary was doubted. */
  readonly evidence: readonly BoundaryEvidence[];
  /** One sentence for people. */
  readonly message: string;
}

/** A change whose boundary may be mistaken. */
export interface UncertainBoundary {
  readonly path: string;
  readonly splice: LineSplice;
  readonly evidence: readonly BoundaryEvidence[];
}

/** A reason to doubt a boundary. */
export type BoundaryEvidence =
  /** The change adds syntax errors to the file. */
  | "parse-failure"
  /** The first or last new line repeats the line beside it. */
  | "echoed-edge"
  /** A line that the answer quotes is not at its number. */
  | "anchor-mismatch"
  /** The change leaves more unmatched brackets in the file. */
  | "bracket-balance";

/**
 * Describes a repair and its reasons in one sentence for people. Lines count from 1, in the file
 * before the change.
 */
export function printBoundaryRepair(
  { splice, startMove, endMove, leftOutFirst, leftOutLast }: BoundaryCandidate,
  evidence: readonly BoundaryEvidence[],
): string {
  const done: string[] = [];
  if (leftOutFirst > 0) done.push(leftOut("first", leftOutFirst, "in front of"));
  if (leftOutLast > 0) done.push(leftOut("last", leftOutLast, "behind"));
  if (startMove !== 0 || endMove !== 0) {
    const before = { start: splice.start - startMove, end: splice.end - endMove };
    done.push(`the change is ${place(splice)}, not ${place(before)}`);
  }
  const sentence = `${done.join("; ")}: ${evidence.map((kind) => reasons[kind]).join(", and ")}.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

const reasons: Readonly<Record<BoundaryEvidence, string>> = {
  "parse-failure": "the file would not parse otherwise",
  "echoed-edge": "lines would stand there twice",
  "anchor-mismatch": "the lines that the answer quotes stand there",
  "bracket-balance": "brackets would lose their partners",
};

function leftOut(which: "first" | "last", count: number, where: string): string {
  return count === 1
    ? `the ${which} new line is left out, which stands ${where} it already`
    : `the ${which} ${count} new lines are left out, which stand ${where} them already`;
}

function place({ start, end }: { readonly start: number; readonly end: number }): string {
  if (start === end) return start === 0 ? "in front of line 1" : `behind line ${start}`;
  return end - start === 1 ? `at line ${end}` : `at lines ${start + 1} to ${end}`;
}
