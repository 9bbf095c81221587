import { readFile } from "node:fs/promises";
import { EmendError } from "../../text/index.ts";
import { grammarOfLanguage, languageGrammars } from "../languages/language-grammars.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { type GrammarSource, readGrammarSource } from "../tables/grammar-source.ts";
import { unpackGrammar } from "../tables/pack-grammar.ts";

const built = new URL("../languages/", import.meta.url);
const loaded = new Map<string, Promise<CompiledGrammar>>();

/**
 * Loads a shipped grammar by its name, such as `typescript`; see `languageGrammars`. Each is loaded
 * once.
 *
 * A built package contains its tables; from source it is compiled, which takes some seconds the
 * first time. Rejects with `EmendError` `no-grammar` for an unknown name.
 */
export function loadGrammar(name: string): Promise<CompiledGrammar> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const loading = load(name);
  loaded.set(name, loading);
  // A later call tries again.
  loading.catch(() => loaded.delete(name));
  return loading;
}

/**
 * Loads the grammar of a language by its id in the registry, such as `typescriptreact`; `undefined`
 * where none is shipped.
 */
export async function grammarFor(language: string): Promise<CompiledGrammar | undefined> {
  const grammar = grammarOfLanguage(language);
  return grammar === undefined ? undefined : loadGrammar(grammar.name);
}

/**
 * Loads the source of a shipped grammar. Rejects with `EmendError` `no-grammar` for an unknown
 * name.
 */
export async function loadGrammarSource(name: string): Promise<GrammarSource> {
  checkName(name);
  const text = await tryRead(`${name}.source.json`);
  if (text !== undefined) return readGrammarSource(new TextDecoder().decode(text));
  const { parseLanguage } = await import("./language-sources.ts");
  const { grammar, issues } = parseLanguage(name);
  if (grammar !== undefined) return grammar;
  throw new EmendError("grammar-broken", `The grammar ${name} cannot be read: ${issues[0]?.message ?? ""}`);
}

async function load(name: string): Promise<CompiledGrammar> {
  checkName(name);
  const bytes = await tryRead(`${name}.bin`);
  if (bytes !== undefined) return unpackGrammar(bytes);
  const { compileLanguage } = await import("./language-sources.ts");
  return compileLanguage(name);
}

function checkName(name: string): void {
  if (languageGrammars.some((grammar) => grammar.name === name)) return;
  const names = languageGrammars.map((grammar) => grammar.name).join(", ");
  throw new EmendError("no-grammar", `No grammar is called ${name}. There are ${names}.`);
}

async function tryRead(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(new URL(file, built));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
