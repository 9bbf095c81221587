import { setImmediate } from "node:timers/promises";
import { createSyntax, type Syntax } from "../syntax.ts";
import { parseScript } from "./parse-script.ts";
import { readGrammar } from "./read-grammar.ts";

/**
 * A {@link Syntax} with the grammars that ship with the package and the native script parser.
 *
 * `givesUp` is for language servers: a text that takes too long has no tree. Default: `false`.
 */
export function openSyntax({ givesUp = false }: { readonly givesUp?: boolean } = {}): Syntax {
  return createSyntax({
    readGrammar,
    parseScript,
    thread: { yieldThread: () => setImmediate(), nowMs: () => performance.now(), givesUp },
  });
}
