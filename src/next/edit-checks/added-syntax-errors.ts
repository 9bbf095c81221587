import { LRUCache } from "lru-cache";
import { newErrors } from "../../edit/index.ts";
import type { Syntax, SyntaxIssue } from "../../syntax/index.ts";
import type { Edit } from "../../text/index.ts";

/** A file's path, language and text before an edit. */
export interface FileText {
  readonly path: string;
  /** The language id. */
  readonly language: string;
  readonly text: string;
}

/**
 * Computes the syntax errors that edits add. The errors of the most recent texts without an edit
 * are cached.
 */
export class AddedSyntaxErrors {
  readonly #syntax: Pick<Syntax, "syntaxErrors">;
  /** By path. */
  readonly #before = new LRUCache<string, KnownErrors>({ max: maxFiles });

  constructor(syntax: Pick<Syntax, "syntaxErrors">) {
    this.#syntax = syntax;
  }

  /**
   * Returns the errors that an edit of a file adds, in the order of the text; empty where there are
   * none.
   */
  async of(file: FileText, edit: Edit): Promise<readonly SyntaxIssue[]> {
    const { path, language, text } = file;
    const after = await this.#syntax.syntaxErrors({ uri: path, language, text: edit.apply(text) });
    if (after.length === 0) return after;
    return newErrors({ before: await this.#errorsBefore(file), edit, after });
  }

  /** Whether a file has syntax errors without an edit, as while it is being typed. */
  async isBroken(file: FileText): Promise<boolean> {
    return (await this.#errorsBefore(file)).length > 0;
  }

  #errorsBefore({ path, language, text }: FileText): Promise<readonly SyntaxIssue[]> {
    const cached = this.#before.get(path);
    if (cached?.text === text) return cached.errors;
    const errors = this.#syntax.syntaxErrors({ uri: path, language, text });
    this.#before.set(path, { text, errors });
    return errors;
  }
}

/** The most files whose errors are cached. */
const maxFiles = 8;

interface KnownErrors {
  readonly text: string;
  readonly errors: Promise<readonly SyntaxIssue[]>;
}
