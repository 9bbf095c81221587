import type { LineAnchor, LineSplice } from "../../formats/index.ts";

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
