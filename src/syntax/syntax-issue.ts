import type { TextRange } from "../text/index.ts";

/** A syntax error. Plain data. */
export interface SyntaxIssue {
  /**
   * Something unexpected, something missing, or a violated rule in a text that does parse.
   * `misplaced` is the rule where `return`, `yield`, `await`, `break` and `continue` may stand: no
   * text behind one of them puts it right.
   */
  readonly kind: "unexpected" | "missing" | "invalid" | "misplaced";
  /** UTF-16, half-open. Empty where something is missing, and at the end of an incomplete text. */
  readonly range: TextRange;
  /**
   * A sentence for people. Its wording depends on the parser, so compare kinds and ranges instead.
   */
  readonly message: string;
}

/** Prints an error in one line for tests and logs: `[3, 7) unexpected: …`. */
export function printSyntaxIssue({ kind, range, message }: SyntaxIssue): string {
  return `[${range.start}, ${range.end}) ${kind}: ${message}`;
}
