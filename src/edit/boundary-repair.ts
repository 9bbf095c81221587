import type { LineSplice } from "../formats/index.ts";

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
