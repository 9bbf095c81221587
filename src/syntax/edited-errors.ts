import { LRUCache } from "lru-cache";
import { languageById, scriptKindOf } from "../languages/index.ts";
import { Edit } from "../text/index.ts";
import { LastTree } from "./last-tree.ts";
import type { Syntax } from "./syntax.ts";
import type { SyntaxDiagnostic } from "./syntax-diagnostic.ts";
import type { SyntaxTree } from "./tree.ts";

/** A document whose syntax errors are requested. */
export type CheckedDocument = Parameters<Syntax["syntaxErrors"]>[0];

/** The syntax errors of a text before and after an edit. */
interface ErrorsAround {
  readonly before: readonly SyntaxDiagnostic[];
  readonly edit: Edit;
  readonly after: readonly SyntaxDiagnostic[];
}

/**
 * Returns the errors that the edit adds, in text order.
 *
 * An error that existed before is matched by its mapped position. Of the others, those that touch
 * new text are new. Elsewhere a parser may report an old error in another way after a change in
 * front of it, so there only as many errors count as new as the text has more than before.
 */
function newSyntaxErrors({ before, edit, after }: ErrorsAround): readonly SyntaxDiagnostic[] {
  if (after.length === 0) return after;
  // Text inserted exactly at an error, such as one at the end of the file, may end up before or
  // after it.
  const known = new Set(
    before.flatMap(({ start }) => [edit.mapOffset(start, "before"), edit.mapOffset(start, "after")]),
  );
  const inserted = edit.rangesAfter();
  const touchesEdit = (issue: SyntaxDiagnostic) =>
    inserted.some(({ start, end }) => issue.start <= end && start <= issue.end);
  const unknown = after.filter(({ start }) => !known.has(start));
  let more = Math.max(0, after.length - before.length);
  return unknown.filter((issue) => {
    const isNew = touchesEdit(issue) || more > 0;
    if (isNew) more--;
    return isNew;
  });
}

/**
 * Finds the syntax errors that an edit of a document adds, in text order, with ranges of the text
 * after it; all of its errors where the document is new (`before` is `undefined`), and none where
 * its language cannot be parsed. Rejects as {@link Syntax.syntaxErrors} does.
 */
export async function addedSyntaxErrors(
  syntax: Pick<Syntax, "syntaxErrors">,
  { before, edit, after }: EditedDocument,
): Promise<readonly SyntaxDiagnostic[]> {
  using last = new LastTree();
  const errors = await syntax.syntaxErrors(after, { last });
  if (errors.length === 0 || before === undefined) return errors;
  return newSyntaxErrors({ before: await syntax.syntaxErrors(before, { last }), edit, after: errors });
}

/** A document before and after an edit. */
export interface EditedDocument {
  /** `undefined` where the document is new. */
  readonly before: CheckedDocument | undefined;
  readonly edit: Edit;
  readonly after: CheckedDocument;
}

/** Why the syntax of a file is not checked. Sizes are in UTF-16 units. */
export type UncheckedSyntax =
  /** Its text takes too long to parse, or nests too deeply. */
  | { readonly kind: "too-slow" }
  /** It has errors already, and is longer than such a text may be. */
  | { readonly kind: "broken-and-long"; readonly characters: number; readonly limit: number };

/** One line on why the syntax is not checked, for people. */
export function describeUncheckedSyntax(unchecked: UncheckedSyntax): string {
  if (unchecked.kind === "too-slow") return "its syntax is not checked: the text takes too long to parse";
  const [characters, limit] = [unchecked.characters, unchecked.limit].map((count) => count.toLocaleString("en"));
  return `its syntax is not checked: the text has errors and ${characters} characters, more than ${limit}`;
}

/** A longer text, in UTF-16 units, in which something is wrong already is not checked. */
const maxBrokenCharacters = 200_000;

/** The most edits of a text whose errors are cached. */
const maxEdits = 200;

/**
 * The syntax errors of one document with different edits, all of its present text.
 *
 * The document is parsed once, and then only around each edit; the errors of recent edits are
 * cached. Nothing is found where {@link unchecked} is set. The caller disposes of it, or of the
 * syntax.
 */
export class EditedSyntaxErrors implements Disposable {
  readonly #syntax: Syntax;
  readonly #document: CheckedDocument;
  /** `undefined` for scripts, whose parser needs no tree. */
  readonly #tree: SyntaxTree | undefined;
  /** By the JSON of the edit. */
  readonly #known = new LRUCache<string, readonly SyntaxDiagnostic[]>({ max: maxEdits });
  #unchecked: UncheckedSyntax | undefined;

  private constructor(syntax: Syntax, document: CheckedDocument, tree: SyntaxTree | undefined) {
    this.#syntax = syntax;
    this.#document = document;
    this.#tree = tree;
  }

  /** Parses the document. Rejects as {@link Syntax.load} does. */
  static async open(syntax: Syntax, document: CheckedDocument): Promise<EditedSyntaxErrors> {
    const { uri, language: id, text } = document;
    const language = languageById(id);
    const isScript = language !== undefined && scriptKindOf(language, uri) !== undefined;
    const tree = isScript ? undefined : await syntax.parse({ language: id, text });
    const opened = new EditedSyntaxErrors(syntax, document, tree);
    const characters = text.length;
    if (tree === undefined && !isScript && language?.grammar !== undefined) opened.#unchecked = { kind: "too-slow" };
    // A long text that is broken would be parsed from nothing each time.
    else if (tree?.hasError === true && characters > maxBrokenCharacters)
      opened.#unchecked = { kind: "broken-and-long", characters, limit: maxBrokenCharacters };
    return opened;
  }

  /** Why there are no errors of the edits so far; `undefined` where they were checked. */
  get unchecked(): UncheckedSyntax | undefined {
    return this.#unchecked;
  }

  /** The errors of the document after an edit, in text order. Rejects as `syntaxErrors` does. */
  async after(edit: Edit): Promise<readonly SyntaxDiagnostic[]> {
    const key = JSON.stringify(edit.edits);
    const found = this.#known.get(key) ?? (await this.#find(edit));
    this.#known.set(key, found);
    return found;
  }

  /** The errors that an edit of the document adds, in text order. Rejects as {@link after} does. */
  async addedBy(edit: Edit): Promise<readonly SyntaxDiagnostic[]> {
    const after = await this.after(edit);
    return after.length === 0 ? after : newSyntaxErrors({ before: await this.after(Edit.empty), edit, after });
  }

  async #find(edit: Edit): Promise<readonly SyntaxDiagnostic[]> {
    if (this.#unchecked !== undefined) return [];
    const document = { ...this.#document, text: edit.apply(this.#document.text) };
    if (this.#tree === undefined || edit.isEmpty) return this.#syntax.syntaxErrors(document, { tree: this.#tree });
    const tree = await this.#syntax.reparse(this.#tree, edit);
    if (tree === undefined) {
      this.#unchecked = { kind: "too-slow" };
      return [];
    }
    try {
      return await this.#syntax.syntaxErrors(document, { tree });
    } finally {
      tree[Symbol.dispose]();
    }
  }

  [Symbol.dispose](): void {
    this.#tree?.[Symbol.dispose]();
  }
}
