import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { GrammarName } from "../languages.ts";
import { grammarFiles } from "./grammar-files.ts";

const require = createRequire(import.meta.url);

/**
 * The bytes of a grammar's wasm file: the copy beside the compiled code, or, when run from the
 * sources, the grammar's own package.
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
