import type { TextRange } from "../text/index.ts";

/** Lines of another file that may help. */
export interface Snippet {
  /** The file's path from the workspace's root. */
  readonly path: string;
  /** Which lines of it, `[start, end)` from 0. */
  readonly lines: TextRange;
  readonly text: string;
  /** Above 0; greater is better. Only scores that one search gave can be compared. */
  readonly score: number;
}

/** A file that is open in the editor, with its text there. */
export interface OpenFile {
  /** The file's path from the workspace's root. */
  readonly path: string;
  /** The language's id in the registry. */
  readonly language: string;
  readonly text: string;
}
