import { languageById, type Syntax, type SyntaxIssue, scriptKindOf } from "../syntax/index.ts";
import { Edit } from "../text/index.ts";

/** A place in a file that is not there yet. */
export interface InsertionPlace {
  readonly path: string;
  /** The id of the language. */
  readonly language: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** What is wrong with a file's syntax with a text inserted at a place. Whoever opens it disposes it. */
export type InsertionErrors = ((inserted: string) => Promise<readonly SyntaxIssue[]>) & Disposable;

/**
 * Answers, for any text inserted at the place, what is then wrong with the file's syntax.
 *
 * Trees are parsed once and then only around the insertion, and each text once. The one that is kept open is closed with the answer, or with
 * `syntax`.
 */
export async function errorsWith(
  syntax: Syntax,
  { path, language: id, prefix, suffix }: InsertionPlace,
): Promise<InsertionErrors> {
  const language = languageById(id);
  const isScript = language !== undefined && scriptKindOf(language, path) !== undefined;
  const tree = isScript ? undefined : await syntax.parse({ language: id, text: prefix + suffix });
  const known = new Map<string, readonly SyntaxIssue[]>();
  const find = async (inserted: string) => {
    const document = { uri: path, language: id, text: prefix + inserted + suffix };
    if (tree === undefined || inserted === "") return syntax.syntaxErrors(document, tree);
    const after = syntax.reparse(tree, Edit.insert(prefix.length, inserted));
    try {
      return await syntax.syntaxErrors(document, after);
    } finally {
      after[Symbol.dispose]();
    }
  };
  const errors = async (inserted: string) => {
    const found = known.get(inserted) ?? (await find(inserted));
    known.set(inserted, found);
    return found;
  };
  return Object.assign(errors, { [Symbol.dispose]: () => tree?.[Symbol.dispose]() });
}
