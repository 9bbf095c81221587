/** Why an answer, or a part of it, is not taken. Nothing of an answer is dropped without one of these. */
export interface Refusal {
  readonly kind: RefusalKind;
  /** One or two sentences for people and models: what is wrong, and what would be right. Rows and lines count from 1. */
  readonly message: string;
  /** The row of the answer, from 0; `undefined` where the answer as a whole is meant. */
  readonly row: number | undefined;
  /** The file in question, where there is one. */
  readonly path: string | undefined;
  /** Lines of the file that are most like what was looked for, best first; at most three stretches. */
  readonly nearest?: readonly NearestLines[];
}

/** Lines of a file, as they are. */
export interface NearestLines {
  /** The first of the lines, from 0. */
  readonly start: number;
  readonly lines: readonly string[];
}

/** The kinds of {@link Refusal}, each in one line. */
export type RefusalKind =
  /** The answer holds nothing that its format could read as an edit. */
  | "no-edits"
  /** The answer ends before it is done. */
  | "cut-off"
  /** The model, or whoever runs it, would not answer. */
  | "declined"
  /** A row that means nothing in its place. */
  | "unreadable-row"
  /** The answer names no file where several could be meant, or one that was not shown. */
  | "unknown-file"
  /** A path that leads out of the root, or to nowhere. */
  | "unsafe-path"
  /** A file to create, or to move to, is there already. */
  | "already-exists"
  /** A line number beyond the file, or a range that ends before it begins. */
  | "no-such-line"
  /** The text at the line number is another than the answer says, and is not to be found near it. */
  | "witness-disagrees"
  /** The lines or the text to replace are not in the file. */
  | "not-found"
  /** They are there more than once. */
  | "ambiguous"
  /** They are not there, but what should replace them is. */
  | "already-applied"
  /** Two edits want the same lines. */
  | "overlap"
  /** Code was left out where code is needed, with dots, a remark or nothing at all in its place. */
  | "elided-code"
  /** The edits leave the file as it is. */
  | "no-change";

/** Something that was not written as the format wants it, and was understood nevertheless. Always told to the person. */
export interface Lenience {
  readonly kind: LenienceKind;
  /** One sentence for people. */
  readonly message: string;
  readonly row: number | undefined;
  readonly path: string | undefined;
}

/** The kinds of {@link Lenience}, each in one line. */
export type LenienceKind =
  /** Blanks at the ends of lines, or between words, differ. */
  | "white-space"
  /** All lines are indented by so much more or less. */
  | "indentation"
  /** Blank lines are missing or too many. */
  | "blank-lines"
  /** Curly quotes, dashes, odd blanks, composed or decomposed letters. */
  | "typography"
  /** Character references such as `&lt;`, or `\n` and `\t` written out. */
  | "escapes"
  /** Line numbers or marks of the display that were copied into the code. */
  | "display-prefix"
  /** A fence around what needs none, or a missing one. */
  | "fence"
  /** Marks of the format that are misspelt, missing or doubled. */
  | "marks"
  /** Some lines are left out with dots. */
  | "elision"
  /** Lines that the answer does not have between others go, as the format's rules say. */
  | "left-out"
  /** The lines to replace are there more than once, and the first are taken, as the format's rules say. */
  | "repeated"
  /** The place is elsewhere than the line number says. */
  | "moved"
  /** A path that was completed or corrected. */
  | "path";
