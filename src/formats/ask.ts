/**
 * One change that an answer asks for, as the answer writes it: nobody has looked at the file yet.
 *
 * Lines are without their line endings. Line numbers count from 0 and speak of the text that the model was shown.
 */
export type Ask = LinesAsk | BlockAsk | StringAsk | WholeAsk | ElidedAsk | CreateAsk | RemoveAsk | MoveAsk;

interface AskOrigin {
  /** The row of the answer in which the ask begins, from 0. */
  readonly row: number;
  /** The file, as the answer spells it; `undefined` where it names none. */
  readonly path: string | undefined;
}

/** Puts lines in the place of those from `start` up to `end`; in front of line `start` where both are the same. */
export interface LinesAsk extends AskOrigin {
  readonly kind: "lines";
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  /** What the answer says about lines near the place, so that a wrong number is noticed. */
  readonly witnesses: readonly Witness[];
  /**
   * Whether each new line but empty ones begins with a blank that may stand for the gap behind a line number: what was
   * replaced shows whether it is code.
   */
  readonly mayHaveBlankAhead?: boolean;
  /**
   * Whether the file is to end with a line ending after it, where the ask reaches the file's end. Unless told, a new file
   * does and another one stays as it is.
   */
  readonly finalNewline?: boolean;
}

/** How a line is said to begin, without its indentation; empty for a blank line. */
export interface Witness {
  readonly line: number;
  readonly opening: string;
}

/** Puts lines in the place of lines that read so. Without lines to look for: at the file's end, or in a new file. */
export interface BlockAsk extends AskOrigin {
  readonly kind: "block";
  readonly search: readonly string[];
  readonly replace: readonly string[];
  /** The line near which the answer says the block is. */
  readonly near?: number;
  /** Lines to be found one after the other in front of the block, such as the heads of a class and its method. */
  readonly headings?: readonly string[];
  /** The block is at the end of the file. */
  readonly isAtEnd?: boolean;
  /**
   * Whether each new line but empty ones begins with a blank that may stand for the gap behind a line number: what was
   * replaced shows whether it is code.
   */
  readonly mayHaveBlankAhead?: boolean;
  /** Every such block is meant; one and only one unless told. */
  readonly isEvery?: boolean;
  /**
   * Whether the file is to end with a line ending after it, where the ask reaches the file's end. Unless told, a new file
   * does and another one stays as it is.
   */
  readonly finalNewline?: boolean;
}

/** Puts text in the place of text that reads so, line endings included, wherever on a line it begins. */
export interface StringAsk extends AskOrigin {
  readonly kind: "string";
  readonly search: string;
  readonly replace: string;
  /** Every such text is meant; one and only one unless told. */
  readonly isEvery?: boolean;
}

/** The whole new text of a file that may be there or not. */
export interface WholeAsk extends AskOrigin {
  readonly kind: "whole";
  readonly lines: readonly string[];
  /**
   * Whether the file is to end with a line ending after it, where the ask reaches the file's end. Unless told, a new file
   * does and another one stays as it is.
   */
  readonly finalNewline?: boolean;
}

/** The new text of a file or of a part of it, where rows such as `// ... existing code ...` stand for what stays. */
export interface ElidedAsk extends AskOrigin {
  readonly kind: "elided";
  readonly lines: readonly string[];
}

/** A file that is not there yet. */
export interface CreateAsk extends AskOrigin {
  readonly kind: "create";
  readonly lines: readonly string[];
  /**
   * Whether the file is to end with a line ending after it, where the ask reaches the file's end. Unless told, a new file
   * does and another one stays as it is.
   */
  readonly finalNewline?: boolean;
}

/** A file that is to go. */
export interface RemoveAsk extends AskOrigin {
  readonly kind: "remove";
}

/** A file that is to be elsewhere; asks that name its old or its new path speak of it. */
export interface MoveAsk extends AskOrigin {
  readonly kind: "move";
  readonly to: string;
}
