import { parse } from "jsonc-parser";
import { deepPlaceInJson } from "../text/index.ts";

/**
 * The value of a JSON text with comments and trailing commas. Of a broken text what can be read is
 * in it; `undefined` for a text that nests over `maxJsonNesting` levels deep.
 */
export function parseJsonWithComments(text: string): unknown {
  return deepPlaceInJson(text) === undefined ? parse(text, [], { allowTrailingComma: true }) : undefined;
}
