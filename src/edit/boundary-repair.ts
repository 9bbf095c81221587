import type { LineSplice, Witness } from "../formats/index.ts";

/** Changes of one file, as an answer has them. */
export interface DoubtedSplices {
  readonly path: string;
  /** The id of the language. */
  readonly language: string;
  /** The file before the changes. */
  readonly text: string;
  /** In any order; none touches another one. */
  readonly splices: readonly WitnessedSplice[];
}

/** A change, and what the answer says about lines at its ends. */
export interface WitnessedSplice extends LineSplice {
  readonly witnesses?: readonly Witness[];
}

/** What became of the changes. */
export interface BoundaryAnswer {
  /** The changes, in the order they were given, with their boundaries as they now are. */
  readonly splices: readonly LineSplice[];
  readonly repairs: readonly BoundaryRepair[];
  /** Changes whose boundary is doubted and was left alone, since nothing else is surely right. */
  readonly doubts: readonly BoundaryDoubt[];
}

/** An edit whose boundary was mistaken, and what was made of it. Always told to the person. */
export interface BoundaryRepair {
  readonly path: string;
  /** As the answer had it, in lines of the file before the change. */
  readonly before: LineSplice;
  readonly after: LineSplice;
  /** Why the boundary was doubted. */
  readonly evidence: readonly BoundaryEvidence[];
  /** One sentence for people. */
  readonly message: string;
}

/** An edit whose boundary may be mistaken. */
export interface BoundaryDoubt {
  readonly path: string;
  readonly splice: LineSplice;
  readonly evidence: readonly BoundaryEvidence[];
}

/** The reasons to doubt a boundary. */
export type BoundaryEvidence =
  /** The file parsed before and would not any more. */
  | "parse-failure"
  /** The first or last new line repeats the line beside it. */
  | "echoed-edge"
  /** The opening words that the answer quotes stand elsewhere. */
  | "witness-disagrees"
  /** The new lines open or close other brackets than the old ones. */
  | "bracket-balance";
