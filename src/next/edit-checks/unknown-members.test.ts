import { expect, test } from "vitest";
import { readEdit } from "../../text/edit.laws.ts";
import { TextIndex } from "../engine/text-index.ts";
import { unknownMembers } from "./unknown-members.ts";

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
