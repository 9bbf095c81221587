import { newErrors } from "../edit/index.ts";
import type { Syntax, SyntaxIssue } from "../syntax/index.ts";
import type { Edit } from "../text/index.ts";

/** A file before an edit. */
export interface FileText {
  readonly path: string;
  /** The id of the language. */
  readonly language: string;
  readonly text: string;
}

/** Says which syntax errors edits add. What is wrong without them is asked once for each of the texts looked at last. */
export class AddedSyntaxErrors {
  readonly #syntax: Pick<Syntax, "syntaxErrors">;
  /** By path and text; the one asked last is the last. */
  readonly #before = new Map<string, { readonly text: string; readonly errors: Promise<readonly SyntaxIssue[]> }>();

  constructor(syntax: Pick<Syntax, "syntaxErrors">) {
    this.#syntax = syntax;
  }

  /** The errors that an edit of a file adds, in the order of the text. */
  async of(file: FileText, edit: Edit): Promise<readonly SyntaxIssue[]> {
    const { path, language, text } = file;
    const after = await this.#syntax.syntaxErrors({ uri: path, language, text: edit.apply(text) });
    if (after.length === 0) return after;
    return newErrors({ before: await this.#errorsBefore(file), edit, after });
  }

  /** Whether something is wrong in a file as it is, as in one that is being typed. */
  async isBroken(file: FileText): Promise<boolean> {
    return (await this.#errorsBefore(file)).length > 0;
  }

  #errorsBefore({ path, language, text }: FileText): Promise<readonly SyntaxIssue[]> {
    const known = this.#before.get(path);
    const errors = known?.text === text ? known.errors : this.#syntax.syntaxErrors({ uri: path, language, text });
    this.#before.delete(path);
    this.#before.set(path, { text, errors });
    for (const oldest of [...this.#before.keys()].slice(0, -maxFiles)) this.#before.delete(oldest);
    return errors;
  }
}

/** The most files whose errors are kept. */
const maxFiles = 8;
