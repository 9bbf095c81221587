import { parse } from "jsonc-parser";
import { deepPlaceInJson } from "../text/index.ts";

/**
 * Parses a JSON text with comments and trailing commas. A broken text yields what can be read,
 * without an error; `undefined` where that is nothing, and for a text that nests deeper than
 * `maxJsonNesting` levels. Does not throw.
 */
export function parseJsonWithComments(text: string): unknown {
  return deepPlaceInJson(text) === undefined ? parse(text, [], { allowTrailingComma: true }) : undefined;
}
