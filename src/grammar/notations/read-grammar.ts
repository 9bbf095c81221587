import { deepPlaceInJson, errorMessage } from "../../text/index.ts";
import { parseEbnf } from "./ebnf.ts";
import { type ParsedGrammar, type ParseGrammarOptions, parseGrammar } from "./emend-notation.ts";
import { parseGbnf } from "./gbnf.ts";
import { maxNesting } from "./grammar-json.ts";
import { parseLark } from "./lark.ts";
import { issueOf } from "./text-cursor.ts";
import { importTreeSitter } from "./tree-sitter.ts";

/** The notations of grammars; `emend` is that of `docs/grammar-notation.md`. */
export type GrammarNotation = "emend" | "ebnf" | "gbnf" | "lark" | "tree-sitter";

/** Options of {@link readGrammar}. */
export interface ReadGrammarOptions extends ParseGrammarOptions {
  readonly notation: GrammarNotation;
  /** The grammar's name, where the notation has no declaration for it. */
  readonly name: string;
}

/**
 * The notation of a grammar file by its extension, in either case: `.grammar`, `.ebnf`, `.gbnf`,
 * `.lark` or `.json` (tree-sitter's); `undefined` for any other one.
 */
export function notationOf(file: string): GrammarNotation | undefined {
  const ending = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase();
  return ending === undefined ? undefined : endings[ending];
}

const endings: Readonly<Record<string, GrammarNotation>> = {
  grammar: "emend",
  ebnf: "ebnf",
  gbnf: "gbnf",
  lark: "lark",
  json: "tree-sitter",
};

/**
 * Parses a grammar in the given notation. Never throws for a faulty text: its errors are issues of
 * the result. Throws what `options.read` throws.
 */
export function readGrammar(text: string, { notation, name, ...options }: ReadGrammarOptions): ParsedGrammar {
  switch (notation) {
    case "emend":
      return parseGrammar(text, options);
    case "ebnf":
      return parseEbnf(text, name);
    case "gbnf":
      return parseGbnf(text, name);
    case "lark":
      return parseLark(text, name);
    case "tree-sitter":
      return readTreeSitter(text);
  }
}

function readTreeSitter(text: string): ParsedGrammar {
  const deep = deepPlaceInJson(text, maxNesting);
  if (deep !== undefined) {
    const message = `Name a part as a rule of its own: the grammar nests over ${maxNesting} deep.`;
    return { issues: [{ ...issueOf(text, { message, offset: deep }), code: "too-deep" }] };
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const message = `Give tree-sitter's grammar.json, which is JSON; this is not: ${errorMessage(error)}.`;
    return { issues: [{ code: "not-json", severity: "error", message }] };
  }
  return importTreeSitter(json);
}
