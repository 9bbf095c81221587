import { languageById, type Syntax, type SyntaxIssue, scriptKindOf } from "../../syntax/index.ts";
import { Edit } from "../../text/index.ts";

/** A place in a file that is not there yet. */
export interface InsertionPlace {
  readonly path: string;
  /** The id of the language. */
  readonly language: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** The syntax errors of a file with a text inserted at a place. The caller disposes of it. */
export type InsertionErrors = ((inserted: string) => Promise<readonly SyntaxIssue[]>) & Disposable;

/** A longer text, in UTF-16 units, in which something is wrong already is not checked. */
const maxBrokenCharacters = 200_000;

/**
 * Answers, for any text inserted at the place, what is then wrong with the file's syntax.
 *
 * Trees are parsed once and then only around the insertion, and each text once. The one that is
 * kept open is closed with the answer, or with `syntax`.
 */
export async function errorsWith(
  syntax: Syntax,
  { path, language: id, prefix, suffix }: InsertionPlace,
): Promise<InsertionErrors> {
  const language = languageById(id);
  const isScript = language !== undefined && scriptKindOf(language, path) !== undefined;
  const tree = isScript ? undefined : await syntax.parse({ language: id, text: prefix + suffix });
  // A text that takes too long has no result, and a long text that is broken would be parsed from
  // nothing each time.
  const isBroken = tree?.hasError === true && prefix.length + suffix.length > maxBrokenCharacters;
  const isTooLong = isBroken || (tree === undefined && !isScript && language?.grammar !== undefined);
  const known = new Map<string, readonly SyntaxIssue[]>();
  const find = async (inserted: string) => {
    const document = { uri: path, language: id, text: prefix + inserted + suffix };
    if (isTooLong) return [];
    if (tree === undefined || inserted === "") return syntax.syntaxErrors(document, tree);
    const after = await syntax.reparse(tree, Edit.insert(prefix.length, inserted));
    if (after === undefined) return [];
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
