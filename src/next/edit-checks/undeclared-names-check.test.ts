import { expect, test } from "vitest";
import { parseScriptTree } from "../../codebase/node/index.ts";
import { minimalEdit } from "../../text/index.ts";
import { NameTables } from "../providers/rename/name-tables.ts";
import { UndeclaredNamesCheck } from "./undeclared-names-check.ts";

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
  const file = { path: "m.js", language: "javascript", text: before };
  expect(
    new UndeclaredNamesCheck(new NameTables({ parseScript: parseScriptTree }))
      .of(file, minimalEdit(before, after))
      .join(),
  ).toBe(names);
});

test("returns no names for languages other than JavaScript and TypeScript", () => {
  const file = { path: "m.py", language: "python", text: "a = 1\nprint(a)\n" };
  const edit = minimalEdit(file.text, "print(a)\n");
  expect(new UndeclaredNamesCheck(new NameTables({ parseScript: parseScriptTree })).of(file, edit)).toEqual([]);
});
