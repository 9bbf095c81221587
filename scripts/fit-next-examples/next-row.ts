/** A proposal of a recorded moment, in numbers, and whether it was what came. */
export interface NextRow {
  readonly origin: "example" | "name";
  readonly repo: string;
  readonly commit: string;
  /** Which of the commit's moments. */
  readonly step: number;
  /** Its place among the moment's proposals of its source, from 0. */
  readonly rank: number;
  readonly isExact: boolean;
  /** How likely it was held to be when it was collected, and whether it was shown then. */
  readonly likelihood: number;
  readonly isShown: boolean;
  readonly isShownExact: boolean;
  /** How many suggestions of its chain, and of its source, were taken and rejected before in the commit. */
  readonly answers: readonly [chainTaken: number, chainRejected: number, sourceTaken: number, sourceRejected: number];
  /** By the names that the file of rows begins with. */
  readonly features: readonly number[];
}
