import type { CodeStyle } from "./code-style.ts";

/** Prints code as a formatter does. */
export interface CodeFormatter {
  /** Whether it knows a language, by its id. */
  knows(language: string): boolean;
  /** Whole statements in a style; `undefined` where they cannot be read. */
  format(code: string, language: string, style: CodeStyle): Promise<string | undefined>;
}
