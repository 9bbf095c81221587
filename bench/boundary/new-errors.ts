import { languageById, type Syntax, scriptKindOf } from "../../src/syntax/index.ts";
import { minimalEdit } from "../../src/text/index.ts";

/** How many syntax errors texts have that a file did not have; the file's tree is kept, and parsed again from there. */
export type NewErrors = ((text: string) => Promise<number>) & Disposable;

/** Opens a {@link NewErrors} for the file at `path`. Whoever opens it disposes it. */
export async function newErrorsOf(
  syntax: Syntax,
  { path, language: id, before }: { readonly path: string; readonly language: string; readonly before: string },
): Promise<NewErrors> {
  const language = languageById(id);
  const isScript = language !== undefined && scriptKindOf(language, path) !== undefined;
  const tree = isScript ? undefined : await syntax.parse({ language: id, text: before });
  const known = (await syntax.syntaxErrors({ uri: path, language: id, text: before }, tree)).length;
  const count = async (text: string) => {
    const after = tree && syntax.reparse(tree, minimalEdit(before, text, { unit: "line" }));
    try {
      const errors = await syntax.syntaxErrors({ uri: path, language: id, text }, after);
      return Math.max(0, errors.length - known);
    } finally {
      after?.[Symbol.dispose]();
    }
  };
  return Object.assign(count, { [Symbol.dispose]: () => tree?.[Symbol.dispose]() });
}
