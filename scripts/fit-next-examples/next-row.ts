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
  /** What was answered before in the commit to what is like it, in the order of `trustNames`. */
  readonly answers: readonly number[];
  /** By the names in the head of its file of rows. */
  readonly features: readonly number[];
}
