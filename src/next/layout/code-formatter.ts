import type { CodeStyle } from "./code-style.ts";

/** Formats code. */
export interface CodeFormatter {
  /** Whether it formats a language, by its id. */
  knows(language: string): boolean;
  /** Formats whole statements in a style; `undefined` where they cannot be parsed. */
  format(code: string, language: string, style: CodeStyle): Promise<string | undefined>;
}
