import type { HunkRow } from "./placing/hunk-rows.ts";
import type { EditTexts } from "./reading/parse-model-json.ts";

/**
 * One edit operation as an answer writes it, before it is resolved to a location in a file.
 *
 * Lines are without their line endings. Line numbers count from 0, in the text that the model was
 * shown.
 */
export type EditOperation =
  | LineRangeEdit
  | BlockEdit
  | StringEdit
  | WholeFileEdit
  | ElidedEdit
  | CreateFile
  | RemoveFile
  | MoveFile;

export interface OperationOrigin {
  /** The row of the answer in which the operation begins, from 0. */
  readonly row: number;
  /** The file, as the answer spells it; `undefined` where it names none. */
  readonly path: string | undefined;
}

/**
 * Replaces the lines from `start` up to `end`; inserts before line `start` where both are equal.
 */
export interface LineRangeEdit extends OperationOrigin {
  readonly kind: "lines";
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  /**
   * The beginnings of lines near the place, as quoted by the answer, which reveal a wrong number.
   */
  readonly anchors: readonly LineAnchor[];
  /**
   * Whether each new line that is not empty begins with a blank that may be the gap after a line
   * number. The replaced text decides whether it is code.
   */
  readonly mayHaveBlankAhead?: boolean;
  /**
   * Whether the file ends with a line ending if the operation reaches its end. By default, a new
   * file does and an existing one stays as it is.
   */
  readonly finalNewline?: boolean;
}

/** The quoted beginning of a line, without its indentation; empty for a blank line. */
export interface LineAnchor {
  readonly line: number;
  readonly opening: string;
}

/**
 * Replaces lines by their content. Without lines to search, it appends to the file or creates it.
 */
export interface BlockEdit extends OperationOrigin {
  readonly kind: "block";
  readonly search: readonly string[];
  readonly replace: readonly string[];
  /** The line, from 0, near which the block is, according to the answer. */
  readonly near?: number;
  /** Lines that precede the block, in order, such as the heads of its class and method. */
  readonly headings?: readonly string[];
  /** Whether the block is at the end of the file. */
  readonly isAtEnd?: boolean;
  /**
   * Other readings of the block, and the message of the refusal where not exactly one reading is in
   * the file.
   */
  readonly otherReadings?: {
    readonly others: readonly Pick<BlockEdit, "search" | "replace">[];
    readonly message: string;
  };
  /** The rows of the diff from which `search` and `replace` are taken, see `findHunk`. */
  readonly rows?: readonly HunkRow[];
  /**
   * Whether each new line that is not empty begins with a blank that may be the gap after a line
   * number. The replaced text decides whether it is code.
   */
  readonly mayHaveBlankAhead?: boolean;
  /** Whether every such block is replaced; by default there must be exactly one. */
  readonly isEvery?: boolean;
  /**
   * Whether the file ends with a line ending if the operation reaches its end. By default, a new
   * file does and an existing one stays as it is.
   */
  readonly finalNewline?: boolean;
}

/** Replaces a string by its content, line endings included, wherever in a line it begins. */
export interface StringEdit extends OperationOrigin {
  readonly kind: "string";
  readonly search: string;
  readonly replace: string;
  /**
   * Both texts as spelled in the JSON, where they contain escapes: the backslashes may belong to
   * the code.
   */
  readonly spelled?: EditTexts;
  /** Whether every occurrence is replaced; by default there must be exactly one. */
  readonly isEvery?: boolean;
}

/** The complete new text of a file, which may exist or not. */
export interface WholeFileEdit extends OperationOrigin {
  readonly kind: "whole";
  readonly lines: readonly string[];
  /**
   * Whether the file ends with a line ending if the operation reaches its end. By default, a new
   * file does and an existing one stays as it is.
   */
  readonly finalNewline?: boolean;
}

/**
 * The new text of a file or of a part of it, in which rows such as `// ... existing code ...`
 * represent unchanged lines.
 */
export interface ElidedEdit extends OperationOrigin {
  readonly kind: "elided";
  readonly lines: readonly string[];
}

/** Creates a file. */
export interface CreateFile extends OperationOrigin {
  readonly kind: "create";
  readonly lines: readonly string[];
  /**
   * Whether the file ends with a line ending if the operation reaches its end. By default, a new
   * file does and an existing one stays as it is.
   */
  readonly finalNewline?: boolean;
}

/** Deletes a file. */
export interface RemoveFile extends OperationOrigin {
  readonly kind: "remove";
}

/** Moves a file; other operations may refer to it by its old or its new path. */
export interface MoveFile extends OperationOrigin {
  readonly kind: "move";
  readonly to: string;
}
