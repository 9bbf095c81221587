import fc from "fast-check";
import { expect, test } from "vitest";
import { languageById } from "../languages/index.ts";
import { layoutErrors } from "./layout-errors.ts";

const python = languageById("python")!;

/** The errors of a text, each as its line from 1 and its message. */
function errorsOf(text: string): readonly string[] {
  return layoutErrors(text, python).map(({ code, message, start }) => {
    const line = text.slice(0, start).split(/\r\n|\n/).length;
    return `${line} ${code}: ${message}`;
  });
}

test.each<[string, string]>([
  ["nothing", ""],
  ["statements one after the other", "a = 1\nb = 2\n"],
  ["blocks in blocks, and out of two at once", "def f():\n    if a:\n        b()\nc()\n"],
  ["a block on its header's line", "if a: b()\nc()\n"],
  ["blocks of other steps", "if a:\n  b()\nelse:\n        c()\n"],
  ["tabs, which reach to every eighth column", "if a:\n\tb()\n        c()\n"],
  ["blank lines and remarks at any depth", "def f():\n\n# remark\n        # remark\n    a()\n  # remark\n    b()\n"],
  ["a header with a remark", "if a:  # why:\n    b()\n"],
  ["brackets that go on", "a = f(\n        b,\nc,\n    d)\ne()\n"],
  ["a header over several lines", "def f(\n    a: int,\n) -> None:\n    pass\n"],
  ["a slice and an annotation", "a = b[1:\n  2]\nc: int = 1\n"],
  ["a literal over several lines", 'a = """\n      deep:\nb\n  """\nc()\n'],
  ["a literal that ends with a colon", "a = 'b:'\nc()\n"],
  ["a formatted literal over several lines", 'def f():\n    return f"""\n{a:\n>10}:\n"""\n'],
  ["a line that goes on behind a backslash", "if a and \\\nb:\n    c()\n"],
  ["line endings of Windows", "if a:\r\n    b()\r\nc()\r\n"],
])("%s: nothing is wrong", (_, text) => {
  expect(errorsOf(text)).toEqual([]);
});

test.each<[string, string, readonly string[]]>([
  ["a line too deep", "a()\n    b()\nc()\n", ["2 unexpected: Unexpected indentation"]],
  ["two lines too deep are one mistake", "a()\n  b()\n  c()\nd()\n", ["2 unexpected: Unexpected indentation"]],
  ["a header without a block", "def f():\nb()\n", ["1 missing: Missing an indented block"]],
  ["a header at the end", "if a:\n    while b:", ["2 missing: Missing an indented block"]],
  ["only a remark in a block", "if a:\n    # b()\nc()\n", ["1 missing: Missing an indented block"]],
  ["back to no block", "if a:\n        b()\n    c()\n", ["3 unexpected: Indented like none of the blocks around"]],
  [
    "a body that lost its indentation",
    "class A:\n    def f(self):\n        a()\nreturn b\n\n    def g(self):\n        pass\n",
    ["6 unexpected: Unexpected indentation"],
  ],
])("layout errors of Python: %s", (_, text, errors) => {
  expect(errorsOf(text)).toEqual(errors);
});

test("lines in an unclosed bracket have no layout errors", () => {
  expect(errorsOf("a = f(\n    b()\nc()\n")).toEqual([]);
});

test("layoutErrors accepts any text and reports at most one error of a kind for a line", () => {
  const piece = fc.constantFrom(
    "a",
    " ",
    "    ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    ":",
    "if a:",
    "#",
    "(",
    ")",
    '"""',
    "'",
    "\\",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const errors = errorsOf(pieces.join(""));
      expect(new Set(errors).size).toBe(errors.length);
    }),
  );
});
