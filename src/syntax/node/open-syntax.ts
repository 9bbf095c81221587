import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import type { GrammarName } from "../../languages/index.ts";
import { createSyntax, type Syntax } from "../syntax.ts";
import { findErrorsApart } from "./find-errors-apart.ts";
import { parseScript } from "./parse-script.ts";

/**
 * A {@link Syntax} with the grammars that ship with the package and the native script parser.
 * Nothing is loaded before it is needed; the caller disposes it.
 *
 * `givesUp` is for language servers: a text that takes too long has no tree. Default: `false`.
 */
export function openSyntax({ givesUp = false }: { readonly givesUp?: boolean } = {}): Syntax {
  return createSyntax({
    readGrammar,
    parseScript,
    // A text that is given up has no long step.
    ...(!givesUp && { errorsApart: findErrorsApart }),
    thread: { yieldThread: () => setImmediate(), nowMs: () => performance.now(), cpuMs, givesUp },
  });
}

/** The processor time of this process, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const require = createRequire(import.meta.url);

/**
 * The bytes of a grammar's wasm file: the copy beside the compiled code, or, when run from the
 * sources, the grammar's own package. Rejects with Node's error where neither can be read.
 */
export async function readGrammar(name: GrammarName): Promise<Uint8Array> {
  const file = grammarFile(name);
  const copy = new URL(`../grammars/${file.slice(file.indexOf("/") + 1)}`, import.meta.url);
  try {
    return await readFile(copy);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return await readFile(require.resolve(file));
  }
}

/**
 * The file of a grammar, as package and path within it. TypeScript's package has two grammars. The
 * build copies these files beside the compiled code.
 */
export function grammarFile(name: GrammarName): string {
  const ofPackage = name === "tsx" ? "typescript" : name.replaceAll("_", "-");
  return `tree-sitter-${ofPackage}/tree-sitter-${name}.wasm`;
}
