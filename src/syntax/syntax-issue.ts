import type { TextRange } from "../text/range.ts";

/** A place where a text does not follow its language's syntax. Plain data. */
export interface SyntaxIssue {
  /**
   * Something that fits nowhere, something that should be there and is not, or a rule broken by
   * what does parse.
   */
  readonly kind: "unexpected" | "missing" | "invalid";
  /**
   * UTF-16, half-open. Empty where something is missing, and at the end of a text that stops too
   * early.
   */
  readonly range: TextRange;
  /** One sentence for people. Parsers change their wording, so compare kinds and ranges instead. */
  readonly message: string;
}

/** Prints an error in one line, as tests and logs show it: `[3, 7) unexpected: …`. */
export function printSyntaxIssue({ kind, range, message }: SyntaxIssue): string {
  return `[${range.start}, ${range.end}) ${kind}: ${message}`;
}
