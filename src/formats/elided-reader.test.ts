import { expect, test } from "vitest";
import { elided } from "./elided.ts";
import { printParts } from "./format.laws.ts";
import { readAnswer } from "./reading/answer-reader.ts";

/** `…` is replaced by `// ... existing code ...`. */
const cases: readonly (readonly [name: string, answer: string, expected: string])[] = [
  ["a path above the fence", "src/a.ts\n```ts\nx\n…\n```", "src/a.ts elided `x` `…`"],
  ["a path behind the fence", "```ts src/a.ts\nx\n…\n```", "src/a.ts elided `x` `…`"],
  ["a path as a remark in the code", "```ts\n// src/a.ts\nx\n…\n```", "src/a.ts elided `x` `…`"],
  ["a path among words", "Change `src/a.ts`:\n\n```ts\nx\n…\n```", "normalization path 3; src/a.ts elided `x` `…`"],
  ["no path", "Here:\n```ts\nx\n…\n```", "elided `x` `…`"],
  ["a path with more in front", "```ts /work/src/a.ts\nx\n```", "/work/src/a.ts elided `x`"],
  ["a new file", "b.ts\n```ts\nx\n```", "b.ts create `x`"],
  ["parts of a file that was not shown", "b.ts\n```ts\nx\n…\n```", "b.ts elided `x` `…`"],
  ["several fences", "src/a.ts\n```ts\nx\n```\n\nb.ts\n```ts\ny\n```\n", "src/a.ts elided `x`; b.ts create `y`"],
  [
    "a fence in the code",
    "src/a.ts\n```ts\n/**\n```ts\nx\n```\n*/\n```",
    "src/a.ts elided `/**` ````ts` `x` ````` `*/`",
  ],
  ["a longer fence", "src/a.ts\n````ts\n```\nx\n````", "src/a.ts elided ````` `x`"],
  ["commands beside", "src/a.ts\n```ts\nx\n```\nRun:\n```bash\nnpm test\n```", "src/a.ts elided `x`"],
  ["no fence", "f() {\n  …\n}\n", "normalization fence 1; elided `f() {` `  …` `}`"],

  ["a fence that is not closed", "src/a.ts\n```ts\nx\n…", "refusal cut-off 2"],
  ["a fence that is cut off", "src/a.ts\n```ts\nx\n…\n``", "refusal cut-off 2"],
  ["a fence in a fence", "````\nsrc/a.ts\n```ts\nx\n…\n```\n````", "normalization fence 1; src/a.ts elided `x` `…`"],
  ["two fences in a fence", "````\n```ts\nx\n```\n```ts\ny\n```\n````", "refusal unreadable-row 1"],
  ["a fence that is indented", "src/a.ts\n  ```ts\n  x\n  …\n  ```", "src/a.ts elided `x` `…`"],
  [
    "no fence, words around",
    "Here is it:\n\nf() {\n  …\n}\n\nThat is all.\n",
    "normalization marks 1; normalization fence 3; elided `f() {` `  …` `}`",
  ],
  [
    "no fence, words behind",
    "f() {\n  …\n}\n\nThat is all.\n",
    "normalization marks 5; normalization fence 1; elided `f() {` `  …` `}`",
  ],
  ["code above a fence", "const a = 1;\n```ts\nx\n…\n```", "elided `x` `…`; normalization marks 1"],
  ["code on the row of a fence", "```const a = 1;\nx\n…\n```", "refusal unreadable-row 1; elided `x` `…`"],
  [
    "a fence with an edit of another format",
    "src/a.ts\n```ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```",
    "refusal unreadable-row 2",
  ],
  ["a fence with a diff", "src/a.ts\n```diff\n x\n-a\n+b\n```", "refusal unreadable-row 2"],
  ["nothing to change", "No changes.", "no change"],
  ["nothing but words", "I cannot do that.", "refusal no-edits"],
];

for (const [name, answer, expected] of cases) {
  test(`the elided reader reads ${name}`, () => {
    const reader = elided.read({ paths: ["src/a.ts"] });
    const spell = (text: string) => text.replaceAll("…", "// ... existing code ...");
    expect(printParts([...reader.push(spell(answer)), ...reader.end(false)])).toBe(spell(expected));
  });
}

test("elided code without a fence is refused where several files were shown", () => {
  const { operations, refusals } = readAnswer(elided.read({ paths: ["a.ts", "b.ts"] }), "f() {\n}\n");
  expect(operations).toEqual([]);
  expect(refusals).toMatchObject([{ kind: "no-edits" }]);
});

test("the reader reports the open operation before it is complete", () => {
  const reader = elided.read({ paths: ["src/a.ts"] });
  expect(reader.push("src/a.ts\n```ts\nx\ny")).toEqual([]);
  expect(reader.open).toMatchObject({ kind: "elided", path: "src/a.ts", lines: ["x"] });
  expect(printParts(reader.push("\n```\n"))).toBe("src/a.ts elided `x` `y`");
  expect(reader.open).toBeUndefined();
});

test.each(["sp ace/my file.ts", "**sp ace/my file.ts**", "Here is lib/b.ts"])(
  "row 21: code below %s is not taken for the only file",
  (row) => {
    const { operations, refusals } = readAnswer(
      elided.read({ paths: ["a.ts"] }),
      `${row}\n\`\`\`\n// ...\nx\n\`\`\`\n`,
    );
    expect(operations).toEqual([]);
    expect(refusals).toMatchObject([{ kind: "unknown-file" }]);
  },
);
