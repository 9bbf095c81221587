import { type ParseResult, parseSync } from "oxc-parser";
import { nestingBound, type ScriptGoal } from "../../syntax/index.ts";
import type { ScriptTreeParser } from "../script-node.ts";

/**
 * Functions that read the tree are recursive, and the stack has room for some thousand levels. Code
 * that people write stays below 300.
 */
const maxNesting = 1_000;

/**
 * Parses a script with `oxc-parser`, in this process. Offsets are in UTF-16 code units. Returns
 * `undefined` for a text that nests deeper than 1,000 levels or that cannot be parsed.
 */
export const parseScriptTree: ScriptTreeParser = (text, goal) => {
  const result = tryParse(text, goal);
  // When the parser cannot recover from an error, its program is empty.
  if (result === undefined || isEmpty(result)) return undefined;
  return { program: result.program, comments: result.comments };
};

/** The result of the parser; `undefined` for a text that nests too deep. */
export function tryParse(text: string, { kind, source }: ScriptGoal): ParseResult | undefined {
  if (nestingBound(text) > maxNesting) return undefined;
  return parseSync(`text.${kind === "dts" ? "d.ts" : kind}`, text, { lang: kind, sourceType: source });
}

/** Whether the parser could not recover from an error. */
export function isEmpty({ program, errors }: ParseResult): boolean {
  return program.body.length === 0 && errors.length > 0;
}
