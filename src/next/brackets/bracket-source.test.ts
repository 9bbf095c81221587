import { afterAll, expect, test } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import { readEdit, showEdit } from "../../text/edit.laws.ts";
import { momentAfter } from "../fixtures/moment-after.ts";
import { BracketSource } from "./bracket-source.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/** What a person did, as `[old|new]`, and what is proposed for the text after it, in the same notation; `undefined` for nothing. */
test.each<[what: string, path: string, edited: string, proposed: string | undefined]>([
  [
    "what was opened in front of a function is closed behind it",
    "a.ts",
    "use([|wrap(]() => {\n  go();\n});\n",
    "use(wrap(() => {\n  go();\n}[|)]);\n",
  ],
  ["the nearest end that a parser takes", "a.ts", "f([|g(]a<B, C>(d), e);\n", "f(g(a<B, C>(d)[|)], e);\n"],
  ["in Python too", "a.py", "x = [|list(]map(f,\n  a)\ny = 1\n", "x = list(map(f,\n  a)[|)]\ny = 1\n"],
  [
    "the partner of what went goes too",
    "a.ts",
    "use([wrap(|]() => {\n  go();\n}));\n",
    "use(() => {\n  go();\n}[)|]);\n",
  ],
  ["in a string nothing is open", "a.ts", 'say("a [|(] b");\n', undefined],
  ["nothing where the parser has nothing to say", "a.ts", "f([a|b]);\n", undefined],
  ["nothing where no end makes it whole", "a.ts", "f([|g(]a b);\n", undefined],
  ["nothing around what is not there yet", "a.ts", "f([|g(]\n);\n", undefined],
])("%s", async (_, path, edited, proposed) => {
  const { text: before, edit } = readEdit(edited);
  const text = edit.apply(before);
  const moment = momentAfter(path, before, text);
  const shown: string[] = [];
  for await (const proposal of new BracketSource(syntax).propose(moment)) shown.push(showEdit(text, proposal.edit!));
  expect(shown).toEqual(proposed === undefined ? [] : [proposed]);
});
