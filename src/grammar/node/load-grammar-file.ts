import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { EmendError } from "../../text/index.ts";
import { notationOf, readGrammar } from "../notations/read-grammar.ts";
import { compileGrammar } from "../tables/compile-grammar.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import type { GrammarIssue } from "../tables/grammar-issue.ts";
import type { GrammarSource } from "../tables/grammar-source.ts";
import { unpackGrammar } from "../tables/pack-grammar.ts";

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
