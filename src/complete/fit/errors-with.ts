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

/** Why the syntax of a file is not checked. Sizes are in UTF-16 units. */
export type UncheckedSyntax =
  /** Its text takes too long to parse, or nests too deeply. */
  | { readonly kind: "too-slow" }
  /** It has errors already, and is longer than such a text may be. */
  | { readonly kind: "broken-and-long"; readonly characters: number; readonly limit: number };

/** The syntax errors of a file with a text inserted at a place. The caller disposes of it. */
export interface InsertionErrors extends Disposable {
  (inserted: string): Promise<readonly SyntaxIssue[]>;
  /** Why there are no errors of the texts so far; `undefined` where they were checked. */
  readonly unchecked: UncheckedSyntax | undefined;
}

/** One line on why the syntax is not checked, for people. */
export function describeUncheckedSyntax(unchecked: UncheckedSyntax): string {
  if (unchecked.kind === "too-slow") return "its syntax is not checked: the text takes too long to parse";
  const [characters, limit] = [unchecked.characters, unchecked.limit].map((count) => count.toLocaleString("en"));
  return `its syntax is not checked: the text has errors and ${characters} characters, more than ${limit}`;
}

/** A longer text, in UTF-16 units, in which something is wrong already is not checked. */
const maxBrokenCharacters = 200_000;

/**
 * Returns a function that finds the syntax errors of the file with a text inserted at the place, in
 * the order of the text. It returns an empty list where its `unchecked` is set: the text takes too
 * long to parse, or has errors and more than 200,000 UTF-16 units.
 *
 * The file is parsed once, and then only around the insertion; the errors of each text are cached.
 * The tree that is kept open is closed when the caller disposes of the function, or with `syntax`.
 */
export async function errorsWith(
  syntax: Syntax,
  { path, language: id, prefix, suffix }: InsertionPlace,
): Promise<InsertionErrors> {
  const language = languageById(id);
  const isScript = language !== undefined && scriptKindOf(language, path) !== undefined;
  const tree = isScript ? undefined : await syntax.parse({ language: id, text: prefix + suffix });
  // A long text that is broken would be parsed from nothing each time.
  const characters = prefix.length + suffix.length;
  let unchecked: UncheckedSyntax | undefined;
  if (tree === undefined && !isScript && language?.grammar !== undefined) unchecked = { kind: "too-slow" };
  else if (tree?.hasError === true && characters > maxBrokenCharacters)
    unchecked = { kind: "broken-and-long", characters, limit: maxBrokenCharacters };
  const known = new Map<string, readonly SyntaxIssue[]>();
  const find = async (inserted: string) => {
    const document = { uri: path, language: id, text: prefix + inserted + suffix };
    if (unchecked !== undefined) return [];
    if (tree === undefined || inserted === "") return syntax.syntaxErrors(document, tree);
    const after = await syntax.reparse(tree, Edit.insert(prefix.length, inserted));
    if (after === undefined) {
      unchecked = { kind: "too-slow" };
      return [];
    }
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
  const dispose = () => tree?.[Symbol.dispose]();
  return Object.defineProperty(Object.assign(errors, { [Symbol.dispose]: dispose }), "unchecked", {
    get: () => unchecked,
  }) as InsertionErrors;
}
