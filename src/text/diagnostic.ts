import type { TextRange } from "./text-edit.ts";

/**
 * What a parser, a type checker or a linter reports about a range of a text. Plain data; offsets
 * count UTF-16 units. The range is empty where something is missing.
 *
 * The tool's wording may change with its version and with names nearby, so compare codes and ranges
 * instead of messages.
 */
export interface Diagnostic<Code extends string = string> extends TextRange {
  /** The tool's name of the rule, such as `2345`; empty where it has none. */
  readonly code: Code;
  /** A sentence for people. */
  readonly message: string;
  /** Default: `error`. */
  readonly severity?: "error" | "warning" | "info" | "hint";
}
