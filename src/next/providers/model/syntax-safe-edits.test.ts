import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { SyntaxErrorCache } from "../../../syntax/index.ts";
import { openSyntax } from "../../../syntax/node/open-syntax.ts";
import { readEdit, showEdit } from "../../../text/edit.laws.ts";
import { Edit } from "../../../text/index.ts";
import { SyntaxSafeEdits } from "./syntax-safe-edits.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/** Returns the steps of an answer's edits, each as the text with it; dropped edits have a `-`. */
async function stepsOf(
  notation: string,
  repairsBrackets: boolean,
  language = "typescript",
): Promise<readonly string[]> {
  const { text, edit } = readEdit(notation);
  const steps = new SyntaxSafeEdits({ uri: "src/a.ts", language, text }, new SyntaxErrorCache(syntax));
  const shown: string[] = [];
  const show = (step: Edit, sign = "") => shown.push(sign + showEdit(text, step));
  for (const one of edit.edits) {
    const step = await steps.push(one);
    if (step !== undefined) show(step);
  }
  const rest = steps.end({ repairsBrackets });
  for (;;) {
    const next = await rest.next();
    if (next.done === true) {
      for (const { edit } of next.value) show(edit, "-");
      return shown;
    }
    show(next.value);
  }
}

/**
 * Edits of an answer in the notation `a[old|new]b`, their steps with bracket repairs, and those
 * without where they differ.
 */
type Case = readonly [name: string, edits: string, steps: readonly string[], cut?: readonly string[]];

const cases: readonly Case[] = [
  [
    "edits that are valid alone are steps of their own",
    "a([1|2]);\nb([3|4]);\n",
    ["a([1|2]);\nb(3);\n", "a(1);\nb([3|4]);\n"],
  ],
  [
    "two edits that are valid only together are one step",
    "[|if (x) {\n]a();\n[|}\n]b();\n",
    ["[|if (x) {\n]a();\n[|}\n]b();\n"],
  ],
  [
    "an edit between two that belong together is part of their step",
    "[|if (x) {\n]a();\n[b|c]();\nd();\n[|}\n]e();\n",
    ["[|if (x) {\n]a();\n[b|c]();\nd();\n[|}\n]e();\n"],
  ],
  [
    "an edit that no other completes is repaired, and comes before the edits that waited",
    "[a(1);|a(2;]\nb([3|4]);\n",
    ["[a(1);|a(2);]\nb(3);\n", "a(1);\nb([3|4]);\n"],
    ["a(1);\nb([3|4]);\n", "-[a(1);|a(2;]\nb(3);\n"],
  ],
  ["an edit that cannot be repaired is dropped", "[a(1);|a(1 2);]\nb();\n", ["-[a(1);|a(1 2);]\nb();\n"]],
  [
    "the other edits are steps when one is dropped",
    "[a(1);|a(1 2);]\n[|if (x) {\n]b();\n[|}\n]",
    ["a(1);\n[|if (x) {\n]b();\n[|}\n]", "-[a(1);|a(1 2);]\nb();\n"],
  ],
  ["an error that the file had before does not hold an edit", "a(1 2);\nb([3|4]);\n", ["a(1 2);\nb([3|4]);\n"]],
  ["an edit that fixes an error of the file is a step", "a(1[|,] 2);\n", ["a(1[|,] 2);\n"]],
  [
    "an open block is closed below",
    "[|if (x) {\n  a();\n]b();\n",
    ["[|if (x) {\n  a();\n}\n]b();\n"],
    ["-[|if (x) {\n  a();\n]b();\n"],
  ],
  [
    "removed lines keep the closing bracket that is needed",
    "function f() {\n  if (a) {\n    b();\n[    c();\n  }\n|]  d();\n}\n",
    ["function f() {\n  if (a) {\n    b();\n[    c();\n  }\n|  }\n]  d();\n}\n"],
    ["-function f() {\n  if (a) {\n    b();\n[    c();\n  }\n|]  d();\n}\n"],
  ],
  [
    "removed lines at the end of a file keep the closing bracket that is needed",
    "function f() {\n  d();\n[  e();\n}\n|]",
    ["function f() {\n  d();\n[  e();\n}\n|}\n]"],
    ["-function f() {\n  d();\n[  e();\n}\n|]"],
  ],
  [
    "an extra bracket is removed",
    "if (x) {\n[|  a();\n}\n]}\n",
    ["if (x) {\n[|  a();\n]}\n"],
    ["-if (x) {\n[|  a();\n}\n]}\n"],
  ],
];
for (const [name, edits, steps, cut = steps] of cases) {
  test(`edits are split into steps that keep the syntax: ${name}`, async () => {
    expect(await stepsOf(edits, true)).toEqual(steps);
    expect(await stepsOf(edits, false)).toEqual(cut);
  });
}

test("the rest of a dropped edit is dropped with it, and no other edit", async () => {
  const { text, edit } = readEdit("a()[|  += b;]\n[|log(a);\n]c([1|2]);\n");
  const steps = new SyntaxSafeEdits({ uri: "a.ts", language: "typescript", text }, new SyntaxErrorCache(syntax));
  const [head, rest, other] = edit.edits;
  for (const one of [{ ...head!, text: "  += ) b;" }, { ...rest!, isRest: true } as const, other!])
    await steps.push(one);
  const end = steps.end({ repairsBrackets: false });
  expect(await end.next()).toEqual({ done: false, value: Edit.of([other!]) });
  expect((await end.next()).value).toMatchObject([
    { edit: { edits: [{ text: "  += ) b;" }] } },
    { edit: Edit.of([rest!]) },
  ]);
});

test("edits of plain text are never held", async () => {
  expect(await stepsOf("[|a ( b\n]", true, "plaintext")).toEqual(["[|a ( b\n]"]);
});

test("a held edit is part of the step of the edit that completes it, before the answer ends", async () => {
  const { text, edit } = readEdit("[|if (x) {\n]a();\n[|}\n]");
  const steps = new SyntaxSafeEdits({ uri: "a.ts", language: "typescript", text }, new SyntaxErrorCache(syntax));
  expect(await steps.push(edit.edits[0]!)).toBeUndefined();
  expect(await steps.push(edit.edits[1]!)).toEqual(edit);
});

test("law: no step adds a syntax error to the text after the steps before, and no edit is lost", async () => {
  const lines = fc.constantFrom("a();", "if (x) {", "}", "f(1", ");", "let y = [", "];", "b = 2;");
  const drawn = fc.array(fc.tuple(fc.boolean(), lines, lines), { minLength: 1, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(drawn, fc.boolean(), async (rows, repairsBrackets) => {
      const text = rows.map(([, line]) => `${line}\n`).join("");
      const file = { uri: "a.ts", language: "typescript", text };
      const errors = new SyntaxErrorCache(syntax);
      const steps = new SyntaxSafeEdits(file, errors);
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
      const rest = steps.end({ repairsBrackets });
      let next = await rest.next();
      for (; next.done !== true; next = await rest.next()) given.push(next.value);
      for (let i = 1; i <= given.length; i++) {
        const together = Edit.tryOf(given.slice(0, i).flatMap(({ edits }) => edits))!;
        expect(await errors.added(file, together)).toEqual([]);
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
