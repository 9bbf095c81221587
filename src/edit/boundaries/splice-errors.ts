import { languageById, type Syntax, type SyntaxTree, scriptKindOf } from "../../syntax/index.ts";
import { minimalEdit } from "../../text/index.ts";
import { newErrors } from "../repair/new-errors.ts";
import type { CountNewErrors } from "./splice-checker.ts";

/**
 * A {@link CountNewErrors} that keeps the syntax tree of the file, so that changed texts are parsed
 * incrementally.
 */
export type SpliceErrors = CountNewErrors & Disposable;

/** A file before changes. */
export interface FileBefore {
  readonly path: string;
  /** The id of the language. */
  readonly language: string;
  readonly text: string;
}

/** Creates a counter of the syntax errors that a change adds to a file. The caller disposes it. */
export async function openSpliceErrors(syntax: Syntax, { path, language, text }: FileBefore): Promise<SpliceErrors> {
  const tree = isScript(path, language) ? undefined : await syntax.parse({ language, text });
  const before = await syntax.syntaxErrors({ uri: path, language, text }, tree);
  const count = async (changed: string): Promise<number> => {
    const edit = minimalEdit(text, changed, { unit: "line" });
    const treeAfter: SyntaxTree | undefined = tree && (await syntax.reparse(tree, edit));
    if (tree !== undefined && treeAfter === undefined) return 0;
    try {
      const after = await syntax.syntaxErrors({ uri: path, language, text: changed }, treeAfter);
      return after.length === 0 ? 0 : newErrors({ before, edit, after }).length;
    } finally {
      treeAfter?.[Symbol.dispose]();
    }
  };
  return Object.assign(count, { [Symbol.dispose]: () => tree?.[Symbol.dispose]() });
}

/** Whether the file's language has a parser that returns errors without a tree. */
function isScript(path: string, id: string): boolean {
  const language = languageById(id);
  return language !== undefined && scriptKindOf(language, path) !== undefined;
}
