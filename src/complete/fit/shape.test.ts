import { afterAll, beforeAll, expect, test } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import { shapeOf } from "./shape.ts";
import { StatementStarts } from "./statement-starts.ts";

const syntax = openSyntax();
beforeAll(async () => {
  for (const id of ["typescript", "python", "ruby", "shellscript", "html", "go", "php"]) await syntax.load(id);
});
afterAll(() => syntax[Symbol.dispose]());

function shapeAt(language: string, text: string, withGrammar: boolean): string {
  const [prefix, suffix] = text.split("|") as [string, string];
  const place = {
    prefix,
    suffix,
    language,
    lineBefore: /[^\r\n]*$/.exec(prefix)![0],
    rest: /^[^\r\n]*/.exec(suffix)![0],
  };
  const starts = new StatementStarts(syntax, place);
  return shapeOf(place, withGrammar ? () => starts.blocks() : undefined);
}

test.each([
  // In the middle of a line, and at its end.
  ["typescript", "f(|);\n", "line"],
  ["typescript", "const a = |\n", "line"],
  ["typescript", "f();|\ng();\n", "line"],
  ["typescript", "|", "statement"],
  ["typescript", "const a = [|\n", "line"],
  // Empty blocks, with the cursor behind the brace or below it.
  ["typescript", "function f() {|\n}\n", "block"],
  ["typescript", "function f() {\n  |\n}\n", "block"],
  ["typescript", "function f() {\r\n  |\r\n}\r\n", "block"],
  ["typescript", "function f() {\n  |", "block"],
  ["typescript", "const a = [\n  |\n];\n", "block"],
  ["typescript", "function f() {|\n  g();\n}\n", "line"],
  ["go", "func f() {\n\t|\n}\n", "block"],
  ["python", "def f():\n    |\n", "block"],
  ["python", "def f():|\n", "block"],
  ["python", "def f():\n    |\n\ndef g():\n    pass\n", "block"],
  ["python", "def f():\n    |\n    return 1\n", "statement"],
  ["typescript", "const a = b ? c :|\n", "line"],
  // The middle of a block, its end, and between declarations.
  ["typescript", "function f() {\n  g();\n  |\n}\n", "statement"],
  ["typescript", "function f() {\n  |\n  g();\n}\n", "statement"],
  ["typescript", "f();\n|\ng();\n", "statement"],
  ["python", "def f():\n    g()\n    |\n", "statement"],
] as const)("shapeAt in %s at %j is %s", (language, text, shape) => {
  expect(shapeAt(language, text, false)).toBe(shape);
  expect(shapeAt(language, text, true)).toBe(shape);
});

test.each([
  ["json", '{\n  "a": 1|\n}\n', "statement"],
  ["json", '{\n  "a": "b"|\n}\n', "statement"],
  ["jsonc", '{\n  "a": [1]|\n}\n', "statement"],
  ["json", '[\n  "a"|\n]\n', "statement"],
  ["json", '{\n  "a"|\n}\n', "line"],
  ["json", '{\n  "a": |\n}\n', "line"],
  ["json", '{\n  "a": 1,|\n}\n', "line"],
  ["json", '{\n  "a": "b|\n}\n', "line"],
  ["typescript", "const a = 1|\n", "line"],
] as const)("row 48: behind a value of JSON a member is wanted: %s %j: %s", (language, text, shape) => {
  expect(shapeAt(language, text, false)).toBe(shape);
});

test.each([
  ["ruby", "def f(a)\n  |\nend\n", "statement", "block"],
  ["ruby", "class A\n  def f(a)\n    |\n  end\n\n  def g\n    1\n  end\nend\n", "statement", "block"],
  ["ruby", "def f(a)\n  g\n  |\nend\n", "statement", "statement"],
  ["shellscript", "if true; then\n  |\nfi\n", "statement", "block"],
  ["shellscript", "f() {\n  |\n}\n", "block", "block"],
  ["html", "<ul>\n  |\n</ul>\n", "statement", "block"],
  ["html", "<ul>\n  <li>a</li>\n  |\n</ul>\n", "statement", "statement"],
] as const)("a tree tells more of %s %j: %s, %s", (language, text, without, withGrammar) => {
  expect(shapeAt(language, text, false)).toBe(without);
  expect(shapeAt(language, text, true)).toBe(withGrammar);
});
