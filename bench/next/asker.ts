import type { NextEditOrigin } from "../../src/next/index.ts";
import type { Edit, TextRange } from "../../src/text/index.ts";

/** What is suggested at one state of a commit. */
export interface Suggested {
  readonly origin: NextEditOrigin;
  readonly path: string;
  /** Absent where the place is only to be looked at. */
  readonly edit?: Edit;
  readonly place: TextRange;
  readonly reason: string;
  readonly likelihood: number;
  /** Reports that it was taken, before its edit is reported as a change. */
  accept(): void;
  reject(): void;
}

/**
 * What suggests next edits while one commit is gone through. The texts of the workspace are sent
 * first.
 */
export interface Asker {
  /** Tells that a person edited a file. */
  changed(path: string, before: string, edit: Edit): void;
  renamed(path: string, newPath: string): void;
  /** Asks once for the next edit, with the cursor in a file. */
  ask(path: string, offset: number): Promise<Suggested | undefined>;
}
