import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import type { GrammarName } from "../languages.ts";
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
  const file = grammarFiles[name];
  const copy = new URL(`../grammars/${file.slice(file.indexOf("/") + 1)}`, import.meta.url);
  try {
    return await readFile(copy);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return await readFile(require.resolve(file));
  }
}

/**
 * The file of each grammar, as package and path within it. The build copies these files beside the
 * compiled code.
 */
export const grammarFiles: Readonly<Record<GrammarName, string>> = {
  typescript: "tree-sitter-typescript/tree-sitter-typescript.wasm",
  tsx: "tree-sitter-typescript/tree-sitter-tsx.wasm",
  javascript: "tree-sitter-javascript/tree-sitter-javascript.wasm",
  python: "tree-sitter-python/tree-sitter-python.wasm",
  go: "tree-sitter-go/tree-sitter-go.wasm",
  rust: "tree-sitter-rust/tree-sitter-rust.wasm",
  java: "tree-sitter-java/tree-sitter-java.wasm",
  c: "tree-sitter-c/tree-sitter-c.wasm",
  cpp: "tree-sitter-cpp/tree-sitter-cpp.wasm",
  c_sharp: "tree-sitter-c-sharp/tree-sitter-c_sharp.wasm",
  ruby: "tree-sitter-ruby/tree-sitter-ruby.wasm",
  php: "tree-sitter-php/tree-sitter-php.wasm",
  json: "tree-sitter-json/tree-sitter-json.wasm",
  bash: "tree-sitter-bash/tree-sitter-bash.wasm",
  html: "tree-sitter-html/tree-sitter-html.wasm",
  css: "tree-sitter-css/tree-sitter-css.wasm",
};
