import { expect, test } from "vitest";
import { readEdit } from "../../text/edit.laws.ts";
import { Lines } from "../../text/index.ts";
import { mayNeedLayout } from "./may-need-layout.ts";

const wide = "x".repeat(78);

test.each<[name: string, marked: string, may: boolean]>([
  ["a statement that fits", "call([a|bcd]);", false],
  ["one that becomes shorter", "call([abcd|b]);", false],
  ["one that becomes too long", `call(${wide}[|, a]);`, true],
  ["one that does with two replacements", `[a|bc]${wide}[a|bc]`, true],
  ["lines that come", "a;[|\nb;]", true],
  ["an argument on its own line that becomes shorter", "call(\n  [abcd|b],\n  c\n);", true],
  ["one that goes", "call(\n  a,\n[  b,\n|]  c\n);", true],
  ["a part of a chain", "a\n  .b()\n  .c([abcd|b]);", true],
  ["an imported name", "import {\n  [abcd|b],\n} from 'c';", true],
  ["a property", "a = {\n  b: [abcd|b],\n};", false],
  ["a statement in a block", "if (a) {\n  b([abcd|b]);\n}", false],
  ["a statement that goes", "if (a) {\n[  b();\n|]  c();\n}", false],
])("mayNeedLayout: %s", (_, marked, may) => {
  const { text, edit } = readEdit(marked);
  expect(mayNeedLayout(Lines.of(text), edit.edits)).toBe(may);
});
