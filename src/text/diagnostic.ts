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

/**
 * Prints a place for people and for models, with numbers from 1: `src/a.ts:3:5`. `line` and
 * `column` count from 0; what is absent, or an empty path, is left out.
 */
export function printLocation(
  path: string,
  { line, column }: { readonly line?: number | undefined; readonly column?: number | undefined },
): string {
  const numbers = [line, column].flatMap((count) => (count === undefined ? [] : String(count + 1)));
  return [...(path === "" ? [] : [path]), ...numbers].join(":");
}
