import { LRUCache } from "lru-cache";
import type { Edit } from "../text/index.ts";
import { addedSyntaxErrors, type CheckedDocument } from "./edited-errors.ts";
import type { Syntax, SyntaxErrorOptions } from "./syntax.ts";
import type { SyntaxDiagnostic } from "./syntax-diagnostic.ts";

/**
 * The most files whose errors are cached, and the most UTF-16 units of their texts together. Of
 * each file the last two texts are cached.
 */
const maxFiles = 60;
const maxCharacters = 8_000_000;
/** The most texts after an edit whose errors are cached. */
const maxAfter = 3;

/**
 * A cache of syntax errors for the most recent texts. Finding what an edit broke needs the errors
 * of all edited files after each key, and of each text before the edit.
 *
 * Law: it returns what the wrapped `syntaxErrors` returns. A failure is passed on and not cached.
 */
export class SyntaxErrorCache implements Pick<Syntax, "syntaxErrors"> {
  readonly #syntax: Pick<Syntax, "syntaxErrors">;
  /** By language and path. */
  readonly #cached = new LRUCache<string, readonly KnownErrors[]>({
    max: maxFiles,
    maxSize: maxCharacters,
    sizeCalculation: (all) => all.reduce((sum, { text }) => sum + text.length, 1),
  });
  /** Of the last edits: an edit of a model is checked while its answer is read, and once more. */
  readonly #after = new LRUCache<string, KnownAfter>({ max: maxAfter });

  constructor(syntax: Pick<Syntax, "syntaxErrors">) {
    this.#syntax = syntax;
  }

  /**
   * The syntax errors of a document, in the order of its text. Rejects as the wrapped
   * `syntaxErrors` does; a failure is not cached.
   */
  async syntaxErrors(document: CheckedDocument, options?: SyntaxErrorOptions): Promise<SyntaxDiagnostic[]> {
    const { uri, language, text } = document;
    const key = `${language} ${uri}`;
    const cached = this.#cached.get(key) ?? [];
    const found = cached.find((one) => one.text === text);
    const errors = found?.errors ?? this.#syntax.syntaxErrors(document, options);
    this.#cached.set(key, [...cached.filter((one) => one !== found), { text, errors }].slice(-2));
    try {
      return [...(await errors)];
    } catch (error) {
      this.#cached.delete(key);
      throw error;
    }
  }

  /**
   * The errors that an edit of a document adds, in the order of the text; empty where there are
   * none. The errors of the texts after the last three edits are cached too, apart from those of
   * documents. Rejects as {@link syntaxErrors} does.
   */
  added(before: CheckedDocument, edit: Edit): Promise<readonly SyntaxDiagnostic[]> {
    const after = { ...before, text: edit.apply(before.text) };
    const syntaxErrors: Syntax["syntaxErrors"] = (document, options) =>
      document === after ? this.#errorsAfter(document, options) : this.syntaxErrors(document, options);
    return addedSyntaxErrors({ syntaxErrors }, { before, edit, after });
  }

  async #errorsAfter(document: CheckedDocument, options?: SyntaxErrorOptions): Promise<SyntaxDiagnostic[]> {
    const { uri, language, text } = document;
    const key = `${language} ${uri}\n${text}`;
    const known = this.#after.get(key) ?? { uri, errors: this.#syntax.syntaxErrors(document, options) };
    this.#after.set(key, known);
    try {
      return [...(await known.errors)];
    } catch (error) {
      this.#after.delete(key);
      throw error;
    }
  }

  /** Drops the cached errors of a file. */
  forget(path: string): void {
    for (const key of [...this.#cached.keys()]) if (key.endsWith(` ${path}`)) this.#cached.delete(key);
    for (const [key, { uri }] of [...this.#after]) if (uri === path) this.#after.delete(key);
  }
}

interface KnownErrors {
  readonly text: string;
  readonly errors: Promise<readonly SyntaxDiagnostic[]>;
}

type KnownAfter = Pick<KnownErrors, "errors"> & Pick<CheckedDocument, "uri">;
