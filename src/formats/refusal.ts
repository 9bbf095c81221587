/**
 * Why an answer, or a part of it, is not applied. Nothing of an answer is dropped without a
 * refusal, a normalization or a warning.
 */
export interface Refusal {
  readonly kind: RefusalKind;
  /**
   * One or two sentences for people and models: what is wrong, and what would be correct. Rows and
   * lines count from 1.
   */
  readonly message: string;
  /** The row of the answer, from 0; `undefined` for the answer as a whole. */
  readonly row: number | undefined;
  /** The file concerned, if any. */
  readonly path: string | undefined;
  /** The most similar lines of the file, best first; at most three stretches. */
  readonly nearest?: readonly NearestLines[];
}

/** Consecutive lines of a file. */
export interface NearestLines {
  /** The index of the first line, from 0. */
  readonly start: number;
  readonly lines: readonly string[];
}

/** The kinds of {@link Refusal}. */
export type RefusalKind =
  /** The answer contains nothing that its format can read as an edit. */
  | "no-edits"
  /** The answer ends before it is complete. */
  | "cut-off"
  /** The connection to the model broke in the middle of the answer. */
  | "broken-connection"
  /** The model refused to answer. */
  | "declined"
  /** A row that has no meaning in its place. */
  | "unreadable-row"
  /** The answer names no file where several are possible, or one that was not shown. */
  | "unknown-file"
  /** A path that leads out of the root, or that is invalid. */
  | "unsafe-path"
  /** The target of a create or a move exists already. */
  | "already-exists"
  /** A line number beyond the file, or a range that ends before it begins. */
  | "no-such-line"
  /** The line at the number is not the one that the answer quotes, and that is not found nearby. */
  | "anchor-mismatch"
  /** The lines or the text to replace are not in the file. */
  | "not-found"
  /** The lines or the text to replace occur more than once. */
  | "ambiguous"
  /** The text to replace is missing, but its replacement is in the file. */
  | "already-applied"
  /** Two operations change the same lines. */
  | "overlap"
  /** Code was left out where it is needed, with dots, a comment or nothing in its place. */
  | "elided-code"
  /** The new text has a control character that the file does not contain. */
  | "control-character"
  /** The operation leaves the file as it is. */
  | "no-change";

/**
 * A deviation from the format that was tolerated while reading or resolving. Always reported to the
 * person.
 */
export interface Normalization {
  readonly kind: NormalizationKind;
  /** One sentence for people. */
  readonly message: string;
  readonly row: number | undefined;
  readonly path: string | undefined;
}

/** The kinds of {@link Normalization}. */
export type NormalizationKind =
  /** White space at the ends of lines, or between words, differs. */
  | "white-space"
  /** All lines are indented by the same amount more or less. */
  | "indentation"
  /** Blank lines are missing or superfluous. */
  | "blank-lines"
  /** Curly quotes, dashes, unusual blanks, composed or decomposed letters. */
  | "typography"
  /** Character references such as `&lt;`, or literal `\n` and `\t`. */
  | "escapes"
  /** Line numbers or marks of the display that were copied into the code. */
  | "display-prefix"
  /** A superfluous or missing fence. */
  | "fence"
  /** Marks of the format that are misspelt, missing or doubled. */
  | "marks"
  /** Some lines are left out with dots. */
  | "elision"
  /** Lines that the answer omits between others are deleted, as the format's rules demand. */
  | "left-out"
  /**
   * The lines to replace occur more than once, and the first are taken, as the format's rules
   * demand.
   */
  | "repeated"
  /** The place is not at the given line number. */
  | "moved"
  /** A path that was completed or corrected. */
  | "path";
