import type { Syntax, SyntaxIssue } from "../syntax/index.ts";

/** What is asked about. */
type Asked = Parameters<Syntax["syntaxErrors"]>[0];

/** The most files of which errors are kept, and how many UTF-16 units of text these may have together; of each file its last two texts. */
const maxFiles = 60;
const maxCharacters = 8_000_000;

/**
 * What is wrong in texts, read once for each of the texts looked at last: whoever asks what an edit broke asks about all that was edited, key after key, and about each text
 * as it was before.
 *
 * Law: it answers as whoever reads the texts. A text that cannot be read now may be read later: that is not kept.
 */
export class KnownSyntaxErrors implements Pick<Syntax, "syntaxErrors"> {
  readonly #syntax: Pick<Syntax, "syntaxErrors">;
  /** By path and language; the one asked last is the last. */
  readonly #known = new Map<string, readonly KnownErrors[]>();

  constructor(syntax: Pick<Syntax, "syntaxErrors">) {
    this.#syntax = syntax;
  }

  async syntaxErrors(document: Asked): Promise<SyntaxIssue[]> {
    const { uri, language, text } = document;
    const key = `${language} ${uri}`;
    const known = this.#known.get(key) ?? [];
    const found = known.find((one) => one.text === text);
    const errors = found?.errors ?? this.#syntax.syntaxErrors(document);
    this.#known.delete(key);
    this.#known.set(key, [...known.filter((one) => one !== found), { text, errors }].slice(-2));
    this.#forget();
    try {
      return [...(await errors)];
    } catch (error) {
      this.#known.delete(key);
      throw error;
    }
  }

  #forget(): void {
    let characters = 0;
    for (const [count, [key, known]] of [...this.#known].reverse().entries()) {
      for (const { text } of known) characters += text.length;
      if (count > 0 && (count >= maxFiles || characters > maxCharacters)) this.#known.delete(key);
    }
  }
}

interface KnownErrors {
  readonly text: string;
  readonly errors: Promise<readonly SyntaxIssue[]>;
}
