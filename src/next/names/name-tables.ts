import { type ScriptTreeParser, tryScriptTree } from "../../codebase/index.ts";
import { languageById, type Syntax, scriptKindOf } from "../../syntax/index.ts";
import { plainTree } from "../../syntax/plain-tree.ts";
import { byteOrderMark } from "../../text/index.ts";
import { componentScripts, isComponentLanguage } from "./component-scripts.ts";
import type { NameTable } from "./name-table.ts";
import { scriptNames } from "./script-names.ts";
import { tryTreeNames } from "./tree-names.ts";

/** How many texts' names are remembered, and how many UTF-16 units of text these may be together. */
const maxTables = 200;
const maxCharacters = 8_000_000;

/** What {@link NameTables} reads texts with. */
export interface NameTablesParts {
  readonly parseScript: ScriptTreeParser;
  /** Reads other languages than scripts, where their grammars are loaded; it stays its owner's. */
  readonly syntax?: Pick<Syntax, "tryParse">;
}

/** The names of texts, read once and remembered while they are of use. Memory is bounded. */
export class NameTables {
  readonly #parts: NameTablesParts;
  /** By path, as languages and module goals go by it; the longest not asked for first. */
  readonly #known = new Map<string, { readonly text: string; readonly table: NameTable | undefined }[]>();
  #characters = 0;
  #count = 0;

  constructor(parts: NameTablesParts) {
    this.#parts = parts;
  }

  /** The names of a text; `undefined` where its language cannot be read, or the text is too broken. */
  of(path: string, languageId: string, text: string): NameTable | undefined {
    const known = this.#known.get(path) ?? [];
    const found = known.find((one) => one.text === text);
    this.#known.delete(path);
    if (found !== undefined) {
      this.#known.set(path, [...known.filter((one) => one !== found), found]);
      return found.table;
    }
    const table = this.#read(path, languageId, text);
    // The text as it was and as it is are asked for in turn; what was between is not asked for again.
    const kept = [...known.slice(-1), { text, table }];
    this.#known.set(path, kept);
    this.#count += kept.length - known.length;
    this.#characters += text.length - (known.length > 1 ? known[0]!.text.length : 0);
    this.#forget();
    return table;
  }

  /** The same for a text that may never be there, and is not remembered. */
  once(path: string, languageId: string, text: string): NameTable | undefined {
    return this.#read(path, languageId, text);
  }

  #read(path: string, languageId: string, text: string): NameTable | undefined {
    const language = languageById(languageId);
    const kind = language && scriptKindOf(language, path);
    // A mark would hide a `#!` line from the parser; a blank keeps the offsets.
    const bare = text.startsWith(byteOrderMark) ? ` ${text.slice(1)}` : text;
    if (kind === undefined && !isComponentLanguage(languageId)) return this.#readTree(languageId, text);
    const readings = kind === undefined ? componentScripts(languageId, bare) : [{ text: bare, kind }];
    for (const reading of readings) {
      const tree = tryScriptTree(this.#parts.parseScript, { path, ...reading });
      if (tree !== undefined) return scriptNames(tree);
    }
    return undefined;
  }

  #readTree(language: string, text: string): NameTable | undefined {
    const tree = this.#parts.syntax?.tryParse({ language, text });
    if (tree === undefined) return undefined;
    try {
      return tryTreeNames(language, text, plainTree(tree));
    } finally {
      tree[Symbol.dispose]();
    }
  }

  #forget(): void {
    for (const [path, known] of this.#known) {
      if (this.#count <= maxTables && this.#characters <= maxCharacters) return;
      if (this.#known.size === 1) return;
      this.#known.delete(path);
      this.#count -= known.length;
      for (const { text } of known) this.#characters -= text.length;
    }
  }
}
