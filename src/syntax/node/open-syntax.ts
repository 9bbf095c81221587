import { createSyntax, type Syntax } from "../syntax.ts";
import { parseScript } from "./parse-script.ts";
import { readGrammar } from "./read-grammar.ts";

/** A {@link Syntax} with the grammars that ship with the package and the native script parser. */
export function openSyntax(): Syntax {
  return createSyntax({ readGrammar, parseScript });
}
