import { expect, test } from "vitest";
import { NameTables } from "../../names/name-tables.ts";
import { parseScriptTree } from "../../names/node/index.ts";
import { readEdit } from "../../text/edit.laws.ts";
import { minimalEdit } from "../../text/index.ts";
import { TextIndex } from "../engine/text-index.ts";
import { UndeclaredNamesCheck, unknownMembers } from "./undeclared-names-check.ts";

/** `BEFORE => AFTER`, and the names that become undeclared. */
test.each([
  ["a declaration that is deleted", "const a = 1; use(a); => use(a);", "a"],
  ["its keyword alone", "for (var i = 0; i < 9; i++) {} => for (i = 0; i < 9; i++) {}", "i"],
  ["a parameter", "function f(a, b) { return a + b; } => function f(a) { return a + b; }", "b"],
  ["an import", 'import { a, b } from "m"; a(b); => import { a } from "m"; a(b);', "b"],
  ["a declaration with its uses", "const a = 1; use(a); => use(1);", ""],
  ["a declaration of two", "var a = 1; var a = 2; use(a); => var a = 2; use(a);", ""],
  ["what is declared around it", "let a; { let a = 1; use(a); } => let a; { use(a); }", ""],
  ["a name that was undeclared before", "use(a); => use(a, 1);", ""],
  ["one that gets another name, which its uses get next", "const a = 1; use(a); => const b = 1; use(a);", ""],
  ["a name in the inserted text", "const a = 1; => const b = c;", ""],
  ["no more of a broken text", "const a = 1; use(a); => const (; use(a);", ""],
])("undeclared names after an edit: %s", (_, change, names) => {
  const [before = "", after = ""] = change.split(" => ");
  const file = { uri: "m.js", language: "javascript", text: before };
  expect(
    new UndeclaredNamesCheck(new NameTables({ parseScript: parseScriptTree }))
      .of(file, minimalEdit(before, after))
      .join(),
  ).toBe(names);
});

test("the undeclared-name check returns no names for languages other than JavaScript and TypeScript", () => {
  const file = { uri: "m.py", language: "python", text: "a = 1\nprint(a)\n" };
  const edit = minimalEdit(file.text, "print(a)\n");
  expect(new UndeclaredNamesCheck(new NameTables({ parseScript: parseScriptTree })).of(file, edit)).toEqual([]);
});

const python = "def __init__(self, amount):\n    self.count = amount\n";

/** A text with an edit as `[old|new]`, the text of another file, and the unknown members. */
test.each<[what: string, edited: string, other: string, unknown: readonly string[]]>([
  ["a parameter's new name", `${python}x = self.[count|amount]\n`, "", ["amount"]],
  ["in TypeScript", "f(amount: number) {}\nthis.[count|amount] += 1;\n", "", ["amount"]],
  ["a member that occurs elsewhere in the file", "a.amount;\nb.[count|amount];\n", "", []],
  ["a member that occurs in another file", "b.[count|amount];\n", "c->amount = 1;\n", []],
  ["what is declared as a field", "b.[count|amount];\n", "class A {\n  private amount = 0;\n}\n", []],
  ["what is declared as a method", "b.[count|amount]();\n", "  def amount(self):\n", []],
  ["a key of an object", "b.[count|amount];\n", 'const b = { "amount": 1 };\n', []],
  ["a name that occurs elsewhere only as a plain word", "b.[count|amount];\n", "f(amount, 1);\n", ["amount"]],
  ["a member that the edit declares", "class A { [count|amount] = 0; f() { this.[count|amount]; } }\n", "", []],
  ["a member that replaces no other one", "a[|.amount];\n", "", []],
  ["a word that is no member", "f([count|amount]);\n", "", []],
  ["a number", "a = 1.[5|6];\n", "", []],
])("unknown members after an edit: %s", (_, edited, other, unknown) => {
  const { text, edit } = readEdit(edited);
  const files = new TextIndex();
  files.update("a.py", text);
  files.update("b.py", other);
  expect(unknownMembers(text, edit, files)).toEqual(unknown);
});
