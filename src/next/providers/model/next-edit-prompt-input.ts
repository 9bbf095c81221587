import type { PastEdit, PromptDiagnostic, Snippet } from "../../../context/index.ts";
import type { RedactedText } from "../../../model/index.ts";
import type { TextRange } from "../../../text/index.ts";

/**
 * A place in a file, and everything that a model is shown to predict the next edit there. Plain
 * data; offsets count UTF-16 units, lines count from 0.
 */
export interface NextEditPromptInput {
  /** The path relative to the workspace root. */
  readonly path: string;
  /** The language id. */
  readonly language: string;
  /** The whole present text of the file, with its own line endings. */
  readonly text: string;
  readonly cursor: number;
  /** The lines of the editable region, which the model may rewrite, `[start, end)`. */
  readonly window: TextRange;
  /** The lines shown right around the editable region, `[start, end)`; they include it. */
  readonly area: TextRange;
  /**
   * The lines of the excerpt, all that is shown of the file, `[start, end)`; they include the area.
   */
  readonly page: TextRange;
  /** The recent edits, the oldest first. */
  readonly history: readonly RedactedEdit[];
  /** Snippets of recently viewed files, the oldest first. */
  readonly viewed: readonly RedactedSnippet[];
  /** The diagnostics with their secrets redacted. */
  readonly diagnostics: readonly (PromptDiagnostic & { readonly message: RedactedText })[];
}

/** An edit with its secrets redacted. */
export interface RedactedEdit extends PastEdit {
  readonly before: readonly RedactedText[];
  readonly after: readonly RedactedText[];
}

/** A snippet of another file with its secrets redacted. */
export interface RedactedSnippet extends Omit<Snippet, "score"> {
  readonly text: RedactedText;
}
