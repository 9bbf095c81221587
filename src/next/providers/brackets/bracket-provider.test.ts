import { afterAll, expect, test } from "vitest";
import { SyntaxErrorCache } from "../../../syntax/index.ts";
import { openSyntax } from "../../../syntax/node/index.ts";
import { readEdit, showEdit } from "../../../text/edit.laws.ts";
import { contextAfter } from "../../fixtures/context-after.ts";
import { BracketProvider } from "./bracket-provider.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

// The person's edit as `[old|new]`, and the proposal for the text after it in the same notation;
// `undefined` for none.
test.each<[what: string, path: string, edited: string, proposed: string | undefined]>([
  [
    "closes a call that was opened before a function",
    "a.ts",
    "use([|wrap(]() => {\n  go();\n});\n",
    "use(wrap(() => {\n  go();\n}[|)]);\n",
  ],
  ["closes at the nearest end without syntax errors", "a.ts", "f([|g(]a<B, C>(d), e);\n", "f(g(a<B, C>(d)[|)], e);\n"],
  ["closes a call in Python", "a.py", "x = [|list(]map(f,\n  a)\ny = 1\n", "x = list(map(f,\n  a)[|)]\ny = 1\n"],
  [
    "removes the partner of a removed bracket",
    "a.ts",
    "use([wrap(|]() => {\n  go();\n}));\n",
    "use(() => {\n  go();\n}[)|]);\n",
  ],
  ["proposes nothing for a bracket in a string", "a.ts", 'say("a [|(] b");\n', undefined],
  ["proposes nothing without a syntax error", "a.ts", "f([a|b]);\n", undefined],
  ["proposes nothing where no end removes the error", "a.ts", "f([|g(]a b);\n", undefined],
  ["proposes nothing where the operand is missing", "a.ts", "f([|g(]\n);\n", undefined],
])("BracketProvider %s", async (_, path, edited, proposed) => {
  const { text: before, edit } = readEdit(edited);
  const text = edit.apply(before);
  const context = contextAfter(path, before, text);
  const shown: string[] = [];
  for await (const proposal of new BracketProvider(new SyntaxErrorCache(syntax)).propose(context))
    shown.push(showEdit(text, proposal.edit!));
  expect(shown).toEqual(proposed === undefined ? [] : [proposed]);
});
