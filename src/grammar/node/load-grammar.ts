import { readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { EmendError } from "../../text/index.ts";
import { grammarOfLanguage, languageGrammars } from "../languages/language-grammars.ts";
import { notationOf, readGrammar } from "../notations/read-grammar.ts";
import type { SliceOptions } from "../reading/work-slices.ts";
import { compileGrammar } from "../tables/compile-grammar.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import type { GrammarIssue } from "../tables/grammar-issue.ts";
import { type GrammarSource, readGrammarSource } from "../tables/grammar-source.ts";
import { unpackGrammar } from "../tables/pack-grammar.ts";

const built = new URL("../languages/", import.meta.url);
const loaded = new Map<string, Promise<CompiledGrammar>>();

/**
 * Loads a shipped grammar by its name, such as `typescript`; see `languageGrammars`. Each is loaded
 * once; after a failure, the next call tries again.
 *
 * A built package contains its tables; from source it is compiled, which takes some seconds the
 * first time. Rejects with `EmendError` `no-grammar` for an unknown name, and with the errors of
 * `unpackGrammar`, of the compiler (`grammar-broken`) and of the file system.
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
 * where none is shipped. Rejects as {@link loadGrammar} does, except for `no-grammar`.
 */
export async function grammarFor(language: string): Promise<CompiledGrammar | undefined> {
  const grammar = grammarOfLanguage(language);
  return grammar === undefined ? undefined : loadGrammar(grammar.name);
}

/**
 * Loads the source of a shipped grammar; it is not cached. Rejects with `EmendError` `no-grammar`
 * for an unknown name, `grammar-broken` where the source has errors, and errors of the file system.
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

/** A grammar that was read from a file. */
export interface GrammarFile {
  /** The compiled grammar, unless an issue is an error. */
  readonly compiled?: CompiledGrammar;
  /** The source; a packed grammar has none. */
  readonly source?: GrammarSource;
  readonly issues: readonly GrammarIssue[];
  /**
   * The texts that issues refer to: the file's own by `""`, included ones by the name they are
   * included by.
   */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Reads and compiles the grammar in a file. The extension determines the notation: `.grammar`,
 * `.ebnf`, `.gbnf`, `.lark`, `.json` (tree-sitter's), or `.bin` for a packed grammar.
 *
 * Throws `EmendError` `grammar-notation` for another extension, `grammar-not-utf-8`, the errors of
 * `unpackGrammar`, and errors of the file system.
 */
export function loadGrammarFile(file: string): GrammarFile {
  const texts = new Map<string, string>();
  const bytes = readFileSync(file);
  if (/\.bin$/i.test(file)) return { compiled: unpackGrammar(bytes), issues: [], texts };
  const notation = notationOf(file);
  if (notation === undefined) {
    const message = `${file} does not tell its notation. Give a file that ends in .grammar, .ebnf, .gbnf, .lark, .json or .bin.`;
    throw new EmendError("grammar-notation", message);
  }
  const text = decode(bytes, file);
  texts.set("", text);
  const read = (included: string): string | undefined => {
    const path = join(dirname(file), included);
    // Reading a pipe would block.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    const content = decode(readFileSync(path), path);
    texts.set(included, content);
    return content;
  };
  const name = basename(file).replace(/\.[^.]*$/, "");
  const { grammar: source, issues } = readGrammar(text, { notation, name, read });
  if (source === undefined) return { issues, texts };
  const { compiled, issues: more } = compileGrammar(source);
  return { source, ...(compiled && { compiled }), issues: [...issues, ...more], texts };
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new EmendError("grammar-not-utf-8", `${file} is not UTF-8. Save it as UTF-8.`);
  }
}

/** Slices on Node's main thread, with timers, signals and I/O between them. */
export const threadSlices: Pick<SliceOptions, "yieldThread" | "now"> = {
  yieldThread: () => setImmediate(),
  now: () => performance.now(),
};
