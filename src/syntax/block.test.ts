import { afterAll, describe, expect, test } from "vitest";
import { blockAt, enclosingBlocks, printBlock } from "./block.ts";
import { blocksOf } from "./blocks.ts";
import { closing } from "./node/fixtures/closing.ts";
import { openSyntax } from "./node/open-syntax.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/** The blocks around `|`, outermost first, each as its construct and its name. */
async function around(language: string, marked: string): Promise<string> {
  const offset = marked.indexOf("|");
  const text = marked.replace("|", "");
  const blocks = blocksOf(closing((await syntax.parse({ language, text }))!));
  const path = enclosingBlocks(blocks, offset);
  expect(blockAt(blocks, offset)).toBe(path.at(-1));
  return path.map(({ what, name }) => (name === undefined ? what : `${what} ${name}`)).join(" > ");
}

describe("enclosingBlocks", () => {
  const cases: readonly (readonly [language: string, marked: string, expected: string])[] = [
    ["typescript", "|", ""],
    ["typescript", "f();\n|\n\ng();", ""],
    ["typescript", "f();|g();", "expression"],
    ["typescript", "class A { m() { | } }", "class A > method m"],
    ["typescript", "class A { m() { if (x) { y(|); } } }", "class A > method m > if > expression"],
    ["typescript", "// ab|out\nfunction f() {}", "function f"],
    ["typescript", "// apa|rt\n\nfunction f() {}", ""],
    ["typescript", "f(); // be|hind\nfunction f() {}", ""],
    ["typescript", "const a = 1, b = [|];", "variable a"],
    ["typescript", "test.each([1])('adds %d', () => { run(|); });", "test adds %d > expression"],
    ["typescript", "declare module 'x' { export function f(|): void; }", "namespace x > function f"],
    ["typescript", "export default class { constructor(|) {} }", "class > constructor constructor"],
    ["typescript", "const x = { on: () => { re|turn; } };", "variable x > method on > return"],
    ["python", "class A:\n  def f(self):\n    return |1\n", "class A > method f > return"],
    ["python", "if x:\n  y\nelif z:\n  |w = 1\n", "if > variable w"],
    ["go", "package a\ntype (\n  A struct { x| int }\n  B interface{}\n)", "type > class A > field x"],
    ["go", "package a\nfunc f() { x := g(); | }", "function f"],
    ["rust", "impl A { fn f() { if x { |1 } else { 2 } } }", "implementation A > method f > if > expression"],
    ["cpp", "namespace a { class B { B() { | } }; }", "namespace a > class B > constructor B"],
    ["c", "int (*handlers[3])(void) = { | };", "function handlers"],
    ["java", "class A { int x = |1; }", "class A > field x"],
    ["ruby", "describe 'it' do\n  it 'works' do\n    |x\n  end\nend", "test it > test works > expression"],
    ["shellscript", "f() {\n  exit |1\n}", "function f > jump"],
    ["json", '{"a": {"b": |1}}', "property a > property b"],
    ["html", "<ul><li>|</li></ul>", "element ul > element li"],
    ["css", "@media print { a { color: |red } }", "rule @media print > rule a > field color"],
  ];
  for (const [language, marked, expected] of cases) {
    test(`${language}: ${JSON.stringify(marked)}`, async () => expect(await around(language, marked)).toBe(expected));
  }
});

test("printBlock prints a block in one line", async () => {
  const tree = closing((await syntax.parse({ language: "go", text: "package a\nfunc F() {}" }))!);
  expect(blocksOf(tree).map(printBlock)).toEqual(["declaration namespace a [0, 9)", "declaration function F [10, 21)"]);
});
