import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EmendError } from "../../text/index.ts";
import { compileGrammar } from "../tables/compile-grammar.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { hasErrors, printGrammarIssue } from "../tables/grammar-issue.ts";
import { packGrammar } from "../tables/pack-grammar.ts";
import { unpackGrammar } from "../tables/unpack-grammar.ts";
import { languagesFolder, parseLanguage, treeSitterFiles } from "./language-sources.ts";

const room = fileURLToPath(new URL("../", import.meta.url));
const cache = fileURLToPath(new URL("../../../node_modules/.cache/emend/grammars/", import.meta.url));

/**
 * The tables of a language, made from its sources, and kept in `node_modules/.cache` for as long as
 * neither these nor the compiler change. Throws `EmendError` with `grammar-broken` where its
 * grammar has errors.
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
  // A concurrent reader finds all of it or nothing.
  const written = `${kept}.${process.pid}`;
  writeFileSync(written, packGrammar(compiled));
  renameSync(written, kept);
  return compiled;
}

function hashOfSources(name: string): string {
  const hash = createHash("sha256");
  const files = [...sourcesIn(room, ".ts"), ...sourcesIn(join(room, "notations"), ".ts")];
  files.push(...sourcesIn(languagesFolder, ".grammar"), ...sourcesIn(join(languagesFolder, "parts"), ".grammar"));
  const imported = treeSitterFiles(name);
  if (imported !== undefined) files.push(imported.grammar, imported.overlay);
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

function sourcesIn(folder: string, ending: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(ending) && !name.endsWith(".test.ts"));
  return names.sort().map((name) => join(folder, name));
}
