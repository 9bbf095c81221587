import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { languages } from "../../languages/index.ts";
import { EmendError } from "../../text/index.ts";
import { type ParsedGrammar, parseGrammar } from "../notations/emend-notation.ts";
import { importTreeSitter } from "../notations/tree-sitter.ts";
import { compileGrammar } from "../tables/compile-grammar.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { hasErrors, printGrammarIssue } from "../tables/grammar-issue.ts";
import { packGrammar, unpackGrammar } from "../tables/pack-grammar.ts";

/** The folder of the grammar sources; it does not exist in a built package. */
export const languagesFolder: string = fileURLToPath(new URL("../languages/", import.meta.url));

/**
 * Parses the sources of a shipped grammar by its name: one of our own, or one laid over
 * tree-sitter's. Faults of the grammar are issues of the result. Throws the error of the file
 * system for a name without sources, and Node's error where the package of tree-sitter's grammar is
 * missing.
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

/**
 * The absolute paths of the sources of an imported grammar; `undefined` for one of our own and for
 * an unknown name. Throws Node's error where the package of tree-sitter's grammar is missing.
 */
export function treeSitterFiles(
  name: string,
): { readonly grammar: string; readonly overlay: string; readonly licence: string } | undefined {
  const overlay = join(languagesFolder, "imported", `${name}.grammar`);
  if (!existsSync(overlay)) return undefined;
  const parser = languages.find(({ fills }) => fills?.name === name)?.grammar ?? name;
  const grammar = createRequire(import.meta.url).resolve(`tree-sitter-${parser.replaceAll("_", "-")}/src/grammar.json`);
  return { grammar, overlay, licence: join(dirname(grammar), "../LICENSE") };
}

const grammarFolder = fileURLToPath(new URL("../", import.meta.url));
const cache = fileURLToPath(new URL("../../../node_modules/.cache/emend/grammars/", import.meta.url));

/**
 * Compiles a shipped grammar, with a cache in `node_modules/.cache` that is valid as long as its
 * sources and the compiler do not change; writes to it. Throws `EmendError` `grammar-broken` where
 * the grammar has errors, and as {@link parseLanguage} does.
 */
export function compileLanguage(name: string): CompiledGrammar {
  const kept = join(cache, `${name}-${hashOfSources(name)}.bin`);
  if (existsSync(kept)) return unpackGrammar(readFileSync(kept));
  const { grammar, issues } = parseLanguage(name);
  const { compiled, issues: more = [] } = grammar === undefined ? {} : compileGrammar(grammar);
  if (compiled === undefined) {
    const errors = [...issues, ...more].filter((issue) => hasErrors([issue])).map((issue) => printGrammarIssue(issue));
    throw new EmendError("grammar-broken", `The grammar ${name} does not compile: ${errors.join(" ")}`);
  }
  mkdirSync(cache, { recursive: true });
  // Renaming is atomic: a concurrent reader finds the whole file or none.
  const written = `${kept}.${process.pid}`;
  writeFileSync(written, packGrammar(compiled));
  renameSync(written, kept);
  return compiled;
}

/** The absolute paths of the sources that decide how a grammar is read, compiled and packed. */
export function compilerFiles(): string[] {
  return ["notations", "lexing", "tables"].flatMap((folder) => sourcesIn(join(grammarFolder, folder), ".ts"));
}

function hashOfSources(name: string): string {
  const hash = createHash("sha256");
  const files = [
    ...compilerFiles(),
    ...sourcesIn(languagesFolder, ".grammar"),
    ...sourcesIn(join(languagesFolder, "parts"), ".grammar"),
  ];
  const imported = treeSitterFiles(name);
  if (imported !== undefined) files.push(imported.grammar, imported.overlay);
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

function sourcesIn(folder: string, ending: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(ending) && !name.endsWith(".test.ts"));
  return names.sort().map((name) => join(folder, name));
}
