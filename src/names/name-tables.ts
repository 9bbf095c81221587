import { languageById, plainTree, type Syntax, scriptKindOf } from "../syntax/index.ts";
import { byteOrderMark } from "../text/index.ts";
import { namesInFile } from "./components/component-code.ts";
import type { ComponentParsers } from "./components/component-parsers.ts";
import { withStores } from "./components/svelte-code.ts";
import type { NameTable } from "./name-table.ts";
import { scriptNames } from "./script-names.ts";
import { type ScriptTreeParser, tryScriptTree } from "./script-node.ts";
import { tryTreeNames } from "./tree-names.ts";

/** The most texts whose names are cached, and the most UTF-16 units of them together. */
const maxTables = 200;
const maxCharacters = 8_000_000;

/** The length, in UTF-16 units, up to which a text is read synchronously: about 50 milliseconds. */
const maxCharactersHere = 60_000;

/** The most texts that wait to be read. */
const maxLeftOut = 4;

/** The dependencies of {@link NameTables}. */
export interface NameTablesParts {
  readonly parseScript: ScriptTreeParser;
  /** Parses scripts that have syntax errors. Without it they have no names. */
  readonly parseBroken?: ScriptTreeParser;
  /** Parses languages other than scripts whose grammars are loaded. Its owner disposes of it. */
  readonly syntax?: Pick<Syntax, "tryParse">;
  /** The parsers of component files. Without them components are not read. */
  readonly components?: ComponentParsers;
  /**
   * Reads a long text in another thread or process; resolves to `undefined` where it cannot be
   * read. Without it long texts are read synchronously.
   */
  apart?(question: NameQuestion): Promise<NameTable | undefined>;
}

/** A text whose names are requested. */
export interface NameQuestion {
  readonly path: string;
  /** The language id. */
  readonly language: string;
  readonly text: string;
}

/** A cache of the names of texts, bounded by count and size. */
export class NameTables {
  readonly #parts: NameTablesParts;
  /** By path, because language and module kind depend on it; the least recently used first. */
  readonly #known = new Map<string, { readonly text: string; readonly table: NameTable | undefined }[]>();
  #characters = 0;
  #count = 0;
  /** Texts that were requested and are not read yet, the oldest first. */
  #leftOut: readonly NameQuestion[] = [];
  #pumping: Promise<void> | undefined;

  constructor(parts: NameTablesParts) {
    this.#parts = parts;
  }

  /**
   * Returns the names of a text; `undefined` where its language is not supported, the text has too
   * many errors, or it is not read yet because it is long or its parser is not loaded (see
   * {@link readLeftOut}).
   */
  of(path: string, languageId: string, text: string): NameTable | undefined {
    const known = this.#known.get(path) ?? [];
    const found = known.find((one) => one.text === text);
    if (found !== undefined) {
      this.#known.delete(path);
      this.#known.set(path, [...known.filter((one) => one !== found), found]);
      return found.table;
    }
    const question = { path, language: languageId, text };
    if (this.#isReadApart(question) || this.#needsParser(languageId)) {
      this.#leaveOut(question);
      return undefined;
    }
    const table = readNames(this.#parts, question);
    this.#keep(path, text, table);
    return table;
  }

  /** Whether texts that were requested and left out are not read yet. */
  get isBehind(): boolean {
    return this.#leftOut.length > 0;
  }

  /**
   * Reads the texts that were requested and left out, and waits for `until` at most. Resolves
   * to `nothing` when there are none, to `done` when all are read, and to `late` when `until`
   * settled first; reading then continues.
   */
  async readLeftOut(until: Promise<unknown>): Promise<"nothing" | "done" | "late"> {
    if (!this.isBehind) return "nothing";
    await Promise.race([this.#pump(), until]);
    return this.isBehind ? "late" : "done";
  }

  /** Removes a file from the cache. */
  forget(path: string): void {
    this.#leftOut = this.#leftOut.filter((one) => one.path !== path);
    for (const { text } of this.#known.get(path) ?? []) {
      this.#characters -= text.length;
      this.#count -= 1;
    }
    this.#known.delete(path);
  }

  /**
   * Like {@link of}, but without the cache, for a text that may never be in the workspace;
   * `undefined` also for a long text.
   */
  once(path: string, language: string, text: string): NameTable | undefined {
    const question = { path, language, text };
    return this.#isReadApart(question) ? undefined : readNames(this.#parts, question);
  }

  /** Loads what texts of a language are read with, so that they need not be left out. */
  async load(languageId: string): Promise<void> {
    await this.#parts.components?.load(languageId);
  }

  #isReadApart({ text }: NameQuestion): boolean {
    return this.#parts.apart !== undefined && text.length > maxCharactersHere;
  }

  #needsParser(languageId: string): boolean {
    return languageById(languageId)?.isComponent === true && this.#parts.components?.isLoaded(languageId) === false;
  }

  #leaveOut(question: NameQuestion): void {
    const isQueued = this.#leftOut.some(({ path, text }) => path === question.path && text === question.text);
    // While a file is typed in, its intermediate texts are not requested again.
    if (!isQueued) this.#leftOut = [...this.#leftOut, question].slice(-maxLeftOut);
  }

  /** Reads the left-out texts one after the other, those included that are added meanwhile. */
  #pump(): Promise<void> {
    this.#pumping ??= this.#readAll().finally(() => {
      this.#pumping = undefined;
    });
    return this.#pumping;
  }

  async #readAll(): Promise<void> {
    for (let next = this.#leftOut[0]; next !== undefined; next = this.#leftOut[0]) {
      const question = next;
      const table = await this.#read(question);
      // The document may have been closed meanwhile.
      if (!this.#leftOut.includes(question)) continue;
      this.#leftOut = this.#leftOut.filter((one) => one !== question);
      this.#keep(question.path, question.text, table);
    }
  }

  async #read(question: NameQuestion): Promise<NameTable | undefined> {
    if (this.#isReadApart(question)) return this.#parts.apart!(question);
    // Without the parser, the text has no names.
    await this.load(question.language).catch(() => undefined);
    return readNames(this.#parts, question);
  }

  #keep(path: string, text: string, table: NameTable | undefined): void {
    const known = this.#known.get(path) ?? [];
    this.#known.delete(path);
    // The text before the edits and the present one are requested in turn; intermediate texts are
    // not requested again.
    const kept = [...known.slice(-1), { text, table }];
    this.#known.set(path, kept);
    this.#count += kept.length - known.length;
    this.#characters += text.length - (known.length > 1 ? known[0]!.text.length : 0);
    this.#forget();
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

/**
 * Returns the names of a text, read synchronously; `undefined` where its language is not supported
 * or its parser is not loaded, or the text has too many errors.
 */
export function readNames(
  parts: Pick<NameTablesParts, "parseScript" | "parseBroken" | "syntax" | "components">,
  { path, language: languageId, text }: NameQuestion,
): NameTable | undefined {
  const { parseScript, parseBroken, syntax } = parts;
  const language = languageById(languageId);
  const kind = language && scriptKindOf(language, path);
  // A byte order mark would hide a `#!` line from the parser; a blank keeps the offsets.
  const bare = text.startsWith(byteOrderMark) ? ` ${text.slice(1)}` : text;
  if (language?.isComponent === true) return componentNames(parts, { path, language: languageId, text: bare });
  if (kind === undefined) {
    const tree = syntax?.tryParse({ language: languageId, text });
    if (tree === undefined) return undefined;
    try {
      return tryTreeNames(languageId, text, plainTree(tree));
    } finally {
      tree[Symbol.dispose]();
    }
  }
  const script = { path, text: bare, kind };
  const tree = tryScriptTree(parseScript, script) ?? (parseBroken && tryScriptTree(parseBroken, script));
  return tree && scriptNames(tree);
}

/**
 * Returns the names of a component. Expressions of the template that cannot be parsed are left out,
 * and then the whole template.
 */
function componentNames(
  { parseScript, parseBroken, components }: Pick<NameTablesParts, "parseScript" | "parseBroken" | "components">,
  { path, language, text }: NameQuestion,
): NameTable | undefined {
  const canParse = (code: string) => parseScript(code, { kind: "ts", source: "module" }) !== undefined;
  const withoutTemplate = { canParse: () => false };
  const rounds = [
    ...[{}, { canParse }, withoutTemplate].map((options) => ({ options, parse: parseScript })),
    ...(parseBroken === undefined ? [] : [{ options: withoutTemplate, parse: parseBroken }]),
  ];
  for (const { options, parse } of rounds) {
    const code = components?.tryCode(language, text, options);
    const tree = code && tryScriptTree(parse, { path, ...code });
    if (tree === undefined) continue;
    const table = namesInFile(scriptNames(tree), code!);
    return languageById(language)?.quirks.stores === true ? withStores(table) : table;
  }
  return undefined;
}
