import type { NextChoices } from "./open-next.ts";

/** What may be said on the command line of `emend next`. */
export interface NextOptions extends NextChoices {
  /** `git`, the file of a diff, or `-` for standard input. */
  readonly history: string | undefined;
  readonly watch: boolean;
  readonly explain: boolean;
  readonly all: boolean;
  /** Write what is suggested. */
  readonly apply: boolean;
  /** All that is one thing with it, such as the rest of a rename. */
  readonly chain: boolean;
  readonly workspace: string | undefined;
}
