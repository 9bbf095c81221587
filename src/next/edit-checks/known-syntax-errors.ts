import type { Syntax, SyntaxIssue } from "../../syntax/index.ts";

/** The document whose errors are requested. */
type CheckedDocument = Parameters<Syntax["syntaxErrors"]>[0];

/**
 * The most files whose errors are cached, and the most UTF-16 units of their texts together. Of
 * each file the last two texts are cached.
 */
const maxFiles = 60;
const maxCharacters = 8_000_000;

/**
 * A cache of syntax errors for the most recent texts. Finding what an edit broke needs the errors
 * of all edited files after each key, and of each text before the edit.
 *
 * Law: it returns what the wrapped `syntaxErrors` returns. A failure is passed on and not cached.
 */
export class KnownSyntaxErrors implements Pick<Syntax, "syntaxErrors"> {
  readonly #syntax: Pick<Syntax, "syntaxErrors">;
  /** By language and path; the most recently used is the last. */
  readonly #cached = new Map<string, readonly KnownErrors[]>();

  constructor(syntax: Pick<Syntax, "syntaxErrors">) {
    this.#syntax = syntax;
  }

  /**
   * The syntax errors of a document, in the order of its text. Rejects as the wrapped
   * `syntaxErrors` does; a failure is not cached.
   */
  async syntaxErrors(document: CheckedDocument): Promise<SyntaxIssue[]> {
    const { uri, language, text } = document;
    const key = `${language} ${uri}`;
    const cached = this.#cached.get(key) ?? [];
    const found = cached.find((one) => one.text === text);
    const errors = found?.errors ?? this.#syntax.syntaxErrors(document);
    this.#cached.delete(key);
    this.#cached.set(key, [...cached.filter((one) => one !== found), { text, errors }].slice(-2));
    this.#forget();
    try {
      return [...(await errors)];
    } catch (error) {
      this.#cached.delete(key);
      throw error;
    }
  }

  /** Drops the cached errors of a file. */
  forget(path: string): void {
    for (const key of this.#cached.keys()) if (key.endsWith(` ${path}`)) this.#cached.delete(key);
  }

  #forget(): void {
    let characters = 0;
    for (const [count, [key, cached]] of [...this.#cached].reverse().entries()) {
      for (const { text } of cached) characters += text.length;
      if (count > 0 && (count >= maxFiles || characters > maxCharacters)) this.#cached.delete(key);
    }
  }
}

interface KnownErrors {
  readonly text: string;
  readonly errors: Promise<readonly SyntaxIssue[]>;
}
