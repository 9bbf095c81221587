import type { NextChoices } from "./open-next.ts";

/** The options of `emend next`. */
export interface NextOptions extends NextChoices {
  /** `git`, the file of a diff, or `-` for standard input. */
  readonly history: string | undefined;
  readonly watch: boolean;
  readonly explain: boolean;
  readonly all: boolean;
  /** Write the suggestion. */
  readonly apply: boolean;
  /** Include the whole chain, such as the rest of a rename. */
  readonly chain: boolean;
  readonly workspace: string | undefined;
}
