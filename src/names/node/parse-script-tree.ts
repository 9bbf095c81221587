import { parseSync } from "oxc-parser";
import { nestingBound } from "../../syntax/index.ts";
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
export const parseScriptTree: ScriptTreeParser = (text, { kind, source }) => {
  if (nestingBound(text) > maxNesting) return undefined;
  const result = parseSync(`text.${kind === "dts" ? "d.ts" : kind}`, text, { lang: kind, sourceType: source });
  const { program, comments } = result;
  // When the parser cannot recover from an error, its program is empty.
  return program.body.length === 0 && result.errors.length > 0 ? undefined : { program, comments };
};
