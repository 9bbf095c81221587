import { afterAll, expect, test } from "vitest";
import { openSyntax } from "../../syntax/node/open-syntax.ts";
import { readEdit } from "../../text/edit.laws.ts";
import { Edit } from "../../text/index.ts";
import { type EditFilterOptions, editRefusal } from "./edit-filters.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/**
 * An edit in the notation `a[old|new]b`, and why it is filtered out. All filters are on unless the
 * row has options.
 */
type Case = readonly [name: string, edit: string, refused: string, options?: EditFilterOptions];

const lines = (count: number) => "x\n".repeat(count);
const cases: readonly Case[] = [
  ["a word", "let a = [1|2];", "passes"],
  ["nothing", "let a = [1|1];", "nothing-changes"],
  ["an empty edit", "let a = 1;", "nothing-changes"],
  ["indentation", "{\n[  |    ]a();\n}", "white-space-only"],
  ["a blank line", "a();\n[|\n]b();", "white-space-only"],
  ["blanks at a line's end", "a();[  |]\n", "white-space-only"],
  ["blanks around signs", "f([ x |x])", "white-space-only"],
  ["a line broken", "f(a,[ |\n  ]b)", "white-space-only"],
  ["words joined", "else[ |]if (a)", "passes"],
  ["white space, where it is not filtered", "a();\n[|\n]b();", "passes", { whiteSpace: true }],
  ["white space and a word", "{\n[  a|    b]();\n}", "passes"],
  ["40 lines", `[|${lines(40)}]`, "passes"],
  ["41 lines", `[|${lines(41)}]`, "too-many-lines"],
  ["41 lines deleted", `[${lines(41)}|]`, "too-many-lines"],
  ["two lines where one may be", "[a\nb|c\nd]", "too-many-lines", { maxLines: 1 }],
  ["two places where one line may be", "[a|c]\nb\n[d|e]", "too-many-lines", { maxLines: 1 }],
  ["one word where one line may be", "a [b|c] d", "passes", { maxLines: 1 }],
  ["a tag of an answer", "a[|</EDIT>]", "special-mark"],
  ["a tag of a conflict", "a\n[|=======\n]b", "special-mark"],
  ["a line under a heading", "a\n[|========\n]b", "passes"],
  ["a token around holes", "a[|<fim_middle>b]", "special-mark"],
  ["a marker that the file contains too", 'const end = "</EDIT>";\n[|const ends = "</EDIT>";\n]', "passes"],
  ["half a character", 'a = "[|\ud83d]";', "control-character"],
  ["its other half", 'a = "[|\ude00]";', "control-character"],
  ["half a character of one that the file has", 'a = "😀";\n[|b = "\ud83d";\n]', "control-character"],
  ["a whole one", 'a = "[|😀]";', "passes"],
  ["a half that the file has too", 'a = "\ud83d";\n[|b = "\ud83d";\n]', "passes"],
  ["a zero", 'a = "[|\u0000]";', "control-character"],
  ["an escape sequence", "a(); [|// \u001b(31m]", "control-character"],
  ["one that turns the direction of text", 'a = "[|\u202e]";', "control-character"],
  ["one that the file has too", 'a = "\u001b";\n[|b = "\u001b";\n]', "passes"],
  ["tabs and line endings", "{\r\n[|\ta();\r\n]}\r\n", "passes"],
  ["an import", 'import a from "a";\n[|import b from "b";\n]\na();', "import-only"],
  ["an import gone", 'import a from "a";\n[import b from "b";\n|]\na();', "import-only"],
  ["a name in an import", 'import { a[|, b] } from "a";\n\na();', "import-only"],
  ["an import and a use", 'import { a[|, b] } from "a";\n\na([|b]);', "passes"],
  ["an import, where it is not filtered", '[|import b from "b";\n]a();', "passes", { imports: true }],
  ["the word import in a text", 'const said = "import[|s]";', "passes"],
];
for (const [name, marked, refused, options] of cases) {
  test(`editRefusal filters an edit: ${name}`, async () => {
    const { text, edit } = readEdit(marked);
    const before = (await syntax.parse({ language: "typescript", text }))!;
    const after = (await syntax.parse({ language: "typescript", text: edit.apply(text) }))!;
    try {
      const refusal = editRefusal({ text, edit, trees: { before, after } }, { imports: false, ...options });
      expect(refusal?.kind ?? "passes").toBe(refused);
    } finally {
      before[Symbol.dispose]();
      after[Symbol.dispose]();
    }
  });
}

test("a token between bars is reported as inserted", () => {
  // The notation uses bars itself.
  const refusal = editRefusal({ text: "ab", edit: Edit.insert(1, "<|cursor|>") });
  expect(refusal).toEqual({ kind: "special-mark", mark: "<|cursor|>" });
});

test("an invisible character is reported by its code", () => {
  const refusal = editRefusal({ text: "ab", edit: Edit.insert(1, "\u001b[0m") });
  expect(refusal).toEqual({ kind: "control-character", code: "U+001B" });
});
