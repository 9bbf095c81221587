import { afterAll, expect, test } from "vitest";
import { languageOf } from "../languages/index.ts";
import { readEdit } from "../text/edit.laws.ts";
import { Edit } from "../text/index.ts";
import { describeUncheckedSyntax, EditedSyntaxErrors } from "./edited-errors.ts";
import { closing } from "./node/fixtures/closing.ts";
import { openSyntax } from "./node/index.ts";
import type { Syntax } from "./syntax.ts";
import type { SyntaxTree } from "./tree.ts";

const syntax = openSyntax();
afterAll(() => {
  expect(syntax.openTrees).toBe(0);
  syntax[Symbol.dispose]();
});

/** A syntax whose trees are these; `undefined` for a text that takes too long. */
function scriptedSyntax(tree: { readonly hasError: boolean } | undefined, reparsed?: object): Syntax {
  const dispose = { [Symbol.dispose]: () => undefined };
  return {
    parse: async () => tree && ({ ...tree, ...dispose } as unknown as SyntaxTree),
    reparse: async () => reparsed && { ...reparsed, ...dispose },
    syntaxErrors: async () => [],
  } as unknown as Syntax;
}

const tooSlow = "its syntax is not checked: the text takes too long to parse";

test.each([
  ["a text that takes too long", scriptedSyntax(undefined), "python", 10, tooSlow],
  ["a text that takes too long once something is inserted", scriptedSyntax({ hasError: false }), "python", 10, tooSlow],
  [
    "a long text with errors",
    scriptedSyntax({ hasError: true }, {}),
    "python",
    200_001,
    "its syntax is not checked: the text has errors and 200,001 characters, more than 200,000",
  ],
  ["a short text with errors", scriptedSyntax({ hasError: true }, {}), "python", 10, undefined],
  ["a long text without errors", scriptedSyntax({ hasError: false }, {}), "python", 200_001, undefined],
  ["a language without a parser", scriptedSyntax(undefined), "plaintext", 10, undefined],
  ["a script, whose parser reports what it cannot read", scriptedSyntax(undefined), "typescript", 10, undefined],
])(
  "row 14: errors of an edited text: the reason why the syntax of %s is not checked",
  async (_, syntax, language, length, reason) => {
    const errors = await EditedSyntaxErrors.open(syntax, { uri: "a", language, text: "a".repeat(length) });
    expect(await errors.addedBy(Edit.insert(length, "b"))).toEqual([]);
    expect(errors.unchecked && describeUncheckedSyntax(errors.unchecked)).toBe(reason);
  },
);

test.each<[what: string, path: string, edited: string, added: number]>([
  ["an inserted bracket that is not closed", "a.ts", "f(a);\n[|g(]\n", 1],
  ["a replaced closer", "a.py", "x = (1[)|.]\n", 1],
  ["two replacements that belong together", "a.py", "x = [(|{]1[)|}]\n", 0],
  ["an older error elsewhere", "a.py", "x = (1\ny = [2|3]\n", 0],
  ["a deleted line behind an error", "a.ts", "f(;\n[g();\n|]h();\n", 0],
])("errors of an edited text equal those of the text parsed from scratch: %s", async (_, uri, edited, added) => {
  const { text, edit } = readEdit(edited);
  const document = { uri, language: languageOf(uri).id, text };
  const errors = closing(await EditedSyntaxErrors.open(syntax, document));
  for (const one of [edit, Edit.empty, edit]) {
    expect(await errors.after(one)).toEqual(await syntax.syntaxErrors({ ...document, text: one.apply(text) }));
  }
  expect(await errors.addedBy(edit)).toHaveLength(added);
});

test("a long text with errors is not checked, and no edit of it adds an error", async () => {
  const text = `x = (\n${"y = 1\n".repeat(40_000)}`;
  const errors = closing(await EditedSyntaxErrors.open(syntax, { uri: "a.py", language: "python", text }));
  expect(await errors.addedBy(Edit.insert(text.length, "z = )"))).toEqual([]);
  expect(errors.unchecked).toEqual({ kind: "broken-and-long", characters: text.length, limit: 200_000 });
});
