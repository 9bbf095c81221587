import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ParsedGrammar, parseGrammar } from "../notations/emend-notation.ts";
import { importTreeSitter } from "../notations/tree-sitter.ts";

/** The grammars of the languages as they are written; in a built package they are not there. */
export const languagesFolder: string = fileURLToPath(new URL("../languages/", import.meta.url));

/** What packages are called after whose name is not the language's. */
const packages: Readonly<Record<string, string>> = { csharp: "c-sharp" };

/**
 * Reads the sources of a language's grammar by its name: one of our own, or one that is laid over
 * tree-sitter's.
 */
export function parseLanguage(name: string): ParsedGrammar {
  const imported = treeSitterFiles(name);
  if (imported !== undefined) {
    return importTreeSitter(JSON.parse(readFileSync(imported.grammar, "utf8")), readFileSync(imported.overlay, "utf8"));
  }
  const read = (file: string): string | undefined => {
    const path = join(languagesFolder, file);
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : undefined;
  };
  return parseGrammar(readFileSync(join(languagesFolder, `${name}.grammar`), "utf8"), { read });
}

/** The absolute paths of what an imported grammar is made of; `undefined` for one of our own. */
export function treeSitterFiles(
  name: string,
): { readonly grammar: string; readonly overlay: string; readonly licence: string } | undefined {
  const overlay = join(languagesFolder, "imported", `${name}.grammar`);
  if (!existsSync(overlay)) return undefined;
  const grammar = createRequire(import.meta.url).resolve(`tree-sitter-${packages[name] ?? name}/src/grammar.json`);
  return { grammar, overlay, licence: join(dirname(grammar), "../LICENSE") };
}
