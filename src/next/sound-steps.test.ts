import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { openSyntax } from "../syntax/node/open-syntax.ts";
import { readEdit, showEdit } from "../text/edit.laws.ts";
import { Edit } from "../text/index.ts";
import { AddedSyntaxErrors } from "./added-syntax-errors.ts";
import { SoundSteps } from "./sound-steps.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/** The steps that the edits of an answer come to, each as the text with it, and what was dropped behind `-`. */
async function stepsOf(notation: string, mends: boolean, language = "typescript"): Promise<readonly string[]> {
  const { text, edit } = readEdit(notation);
  const steps = new SoundSteps({ path: "src/a.ts", language, text }, new AddedSyntaxErrors(syntax));
  const said: string[] = [];
  const say = (step: Edit, sign = "") => said.push(sign + showEdit(text, step));
  for (const one of edit.edits) {
    const step = await steps.push(one);
    if (step !== undefined) say(step);
  }
  const rest = steps.end({ mends });
  for (;;) {
    const next = await rest.next();
    if (next.done === true) {
      for (const { edit } of next.value) say(edit, "-");
      return said;
    }
    say(next.value);
  }
}

/** Edits of an answer in the notation `a[old|new]b`, and their steps where brackets may be mended; those where they may not, if these are others. */
type Case = readonly [name: string, edits: string, steps: readonly string[], cut?: readonly string[]];

const cases: readonly Case[] = [
  ["each sound alone", "a([1|2]);\nb([3|4]);\n", ["a([1|2]);\nb(3);\n", "a(1);\nb([3|4]);\n"]],
  ["two that only make sense together", "[|if (x) {\n]a();\n[|}\n]b();\n", ["[|if (x) {\n]a();\n[|}\n]b();\n"]],
  [
    "a third between them goes with them",
    "[|if (x) {\n]a();\n[b|c]();\nd();\n[|}\n]e();\n",
    ["[|if (x) {\n]a();\n[b|c]();\nd();\n[|}\n]e();\n"],
  ],
  [
    "one that nothing makes whole is mended, in front of those that waited",
    "[a(1);|a(2;]\nb([3|4]);\n",
    ["[a(1);|a(2);]\nb(3);\n", "a(1);\nb([3|4]);\n"],
    ["a(1);\nb([3|4]);\n", "-[a(1);|a(2;]\nb(3);\n"],
  ],
  ["one that cannot be mended is dropped", "[a(1);|a(1 2);]\nb();\n", ["-[a(1);|a(1 2);]\nb();\n"]],
  [
    "the rest makes a step without it",
    "[a(1);|a(1 2);]\n[|if (x) {\n]b();\n[|}\n]",
    ["a(1);\n[|if (x) {\n]b();\n[|}\n]", "-[a(1);|a(1 2);]\nb();\n"],
  ],
  ["an error that was there is no reason", "a(1 2);\nb([3|4]);\n", ["a(1 2);\nb([3|4]);\n"]],
  ["one that mends an error of the file", "a(1[|,] 2);\n", ["a(1[|,] 2);\n"]],
  [
    "a block is put below",
    "[|if (x) {\n  a();\n]b();\n",
    ["[|if (x) {\n  a();\n}\n]b();\n"],
    ["-[|if (x) {\n  a();\n]b();\n"],
  ],
  [
    "lines that go, all but the closer",
    "function f() {\n  if (a) {\n    b();\n[    c();\n  }\n|]  d();\n}\n",
    ["function f() {\n  if (a) {\n    b();\n[    c();\n  }\n|  }\n]  d();\n}\n"],
    ["-function f() {\n  if (a) {\n    b();\n[    c();\n  }\n|]  d();\n}\n"],
  ],
  [
    "lines that go at the end of a file",
    "function f() {\n  d();\n[  e();\n}\n|]",
    ["function f() {\n  d();\n[  e();\n}\n|}\n]"],
    ["-function f() {\n  d();\n[  e();\n}\n|]"],
  ],
  [
    "one bracket too many",
    "if (x) {\n[|  a();\n}\n]}\n",
    ["if (x) {\n[|  a();\n]}\n"],
    ["-if (x) {\n[|  a();\n}\n]}\n"],
  ],
];
for (const [name, edits, steps, cut = steps] of cases) {
  test(name, async () => {
    expect(await stepsOf(edits, true)).toEqual(steps);
    expect(await stepsOf(edits, false)).toEqual(cut);
  });
}

test("what goes on with an edit is dropped with it, and nothing else", async () => {
  const { text, edit } = readEdit("a()[|  += b;]\n[|log(a);\n]c([1|2]);\n");
  const steps = new SoundSteps({ path: "a.ts", language: "typescript", text }, new AddedSyntaxErrors(syntax));
  const [head, rest, other] = edit.edits;
  for (const one of [{ ...head!, text: "  += ) b;" }, { ...rest!, isRest: true } as const, other!])
    await steps.push(one);
  const end = steps.end({ mends: false });
  expect(await end.next()).toEqual({ done: false, value: Edit.of([other!]) });
  expect((await end.next()).value).toMatchObject([
    { edit: { edits: [{ text: "  += ) b;" }] } },
    { edit: Edit.of([rest!]) },
  ]);
});

test("text of no language has no errors", async () => {
  expect(await stepsOf("[|a ( b\n]", true, "plaintext")).toEqual(["[|a ( b\n]"]);
});

test("what was held is given with the edit that makes it whole, not only at the end", async () => {
  const { text, edit } = readEdit("[|if (x) {\n]a();\n[|}\n]");
  const steps = new SoundSteps({ path: "a.ts", language: "typescript", text }, new AddedSyntaxErrors(syntax));
  expect(await steps.push(edit.edits[0]!)).toBeUndefined();
  expect(await steps.push(edit.edits[1]!)).toEqual(edit);
});

test("no step adds an error to what those before it have made, and nothing is lost", async () => {
  const lines = fc.constantFrom("a();", "if (x) {", "}", "f(1", ");", "let y = [", "];", "b = 2;");
  const drawn = fc.array(fc.tuple(fc.boolean(), lines, lines), { minLength: 1, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(drawn, fc.boolean(), async (rows, mends) => {
      const text = rows.map(([, line]) => `${line}\n`).join("");
      const file = { path: "a.ts", language: "typescript", text };
      const errors = new AddedSyntaxErrors(syntax);
      const steps = new SoundSteps(file, errors);
      let at = 0;
      const pushed: Edit[] = [];
      const given: Edit[] = [];
      for (const [isEdited, line, other] of rows) {
        const edit = { start: at, end: at + line.length, text: other };
        at += line.length + 1;
        if (!isEdited || line === other) continue;
        pushed.push(Edit.of([edit]));
        const step = await steps.push(edit);
        if (step !== undefined) given.push(step);
      }
      const rest = steps.end({ mends });
      let next = await rest.next();
      for (; next.done !== true; next = await rest.next()) given.push(next.value);
      for (let i = 1; i <= given.length; i++) {
        const together = Edit.tryOf(given.slice(0, i).flatMap(({ edits }) => edits))!;
        expect(await errors.of(file, together)).toEqual([]);
      }
      const spans = given.flatMap(({ edits }) => [edits[0]!.start, edits.at(-1)!.end]);
      expect(spans).toEqual(spans.toSorted((a, b) => a - b));
      const places = [...given, ...next.value.map(({ edit }) => edit)].flatMap(({ edits }) =>
        edits.map(({ start }) => start),
      );
      expect(places.sort((a, b) => a - b)).toEqual(pushed.map(({ edits }) => edits[0]!.start));
    }),
  );
});
