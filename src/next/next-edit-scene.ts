import type { PastEdit, Snippet } from "../context/index.ts";
import type { TextRange } from "../text/index.ts";

/** A place in a file, and all that a model is shown to predict the next edit there. Plain data; offsets are UTF-16, lines count from 0. */
export interface NextEditScene {
  /** The file's path from the workspace's root. */
  readonly path: string;
  /** The language's id in the registry. */
  readonly language: string;
  /** The whole file as it is now, with its own line endings. */
  readonly text: string;
  readonly cursor: number;
  /** The lines that the model may write anew, `[start, end)`. */
  readonly window: TextRange;
  /** The lines shown right around it, `[start, end)`: they contain the window. */
  readonly area: TextRange;
  /** The lines of the file that are shown at all, `[start, end)`: they contain the area. */
  readonly page: TextRange;
  /** What was edited lately, the oldest first. */
  readonly history: readonly PastEdit[];
  /** Parts of files looked at lately, the oldest first. */
  readonly viewed: readonly Omit<Snippet, "score">[];
  readonly diagnostics: readonly SceneDiagnostic[];
}

/** What a tool has against a line. */
export interface SceneDiagnostic {
  readonly line: number;
  readonly severity: "error" | "warning";
  readonly message: string;
}
