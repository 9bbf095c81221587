import { expect, test } from "vitest";
import { changedPaths, printParts, testFormat } from "./format.laws.ts";
import { fileLines } from "./placing/line-table.ts";
import { readAnswer } from "./reading/answer-reader.ts";
import { tryReadEditInCode } from "./reading/edit-in-code.ts";
import { tryReadWrapped } from "./reading/wrapped-code.ts";
import { whole } from "./whole.ts";

testFormat(whole, {
  marks: ["No changes.", "# docs/b c.md", "**src/a.ts**", "````", "~~~", "<path>d</path>"],
  cannotExpress: ({ before, after, path, pathBefore = path }) =>
    after === undefined ||
    (before !== undefined && path !== pathBefore) ||
    tryReadEditInCode({ lines: fileLines(after), info: "", path }) !== undefined ||
    tryReadWrapped(fileLines(after), changedPaths) !== undefined,
});

/** Answers with ` / ` between their rows. */
const cases: readonly (readonly [name: string, answer: string, expected: string])[] = [
  ["a file", "# src/a.ts /  / ```ts / a / b / ```", "src/a.ts whole `a` `b`"],
  ["the only file", "```ts / a / ```", "whole `a`"],
  ["an empty file", "src/a.ts / ``` / ```", "src/a.ts whole"],
  ["two files", "src/a.ts / ``` / a / ``` /  / `lib/b.ts`: / ``` / b / ```", "src/a.ts whole `a`; lib/b.ts whole `b`"],
  ["a path in the fence", "```ts src/a.ts / a / ```", "src/a.ts whole `a`"],
  ["words around", "Here is src/a.ts now: / src/a.ts / ``` / a / ``` / That is all.", "src/a.ts whole `a`"],
  [
    "a fence in the code",
    "src/a.md / ```md / a / ```sh / b / ``` / c / ```",
    "src/a.md whole `a` ````sh` `b` ````` `c`",
  ],
  [
    "a bare fence in the code",
    "src/a.md / ``` / a / ``` / b / ``` / c / ```",
    "src/a.md whole `a` ````` `b` ````` `c`",
  ],
  [
    "a path above a fence in the code",
    "src/a.md / ````md / b.ts / ```ts / b / ``` / ```` / src/b.ts / ``` / c / ```",
    "src/a.md whole `b.ts` ````ts` `b` `````; src/b.ts whole `c`",
  ],
  ["a longer fence closes", "src/a.ts / ``` / a / ````", "src/a.ts whole `a`"],
  ["nothing to change", "No changes.", "no change"],
  [
    "files, and nothing to change",
    "No changes. / src/a.ts / ``` / a / ```",
    "src/a.ts whole `a`; refusal unreadable-row 1",
  ],
  ["a block that is not closed", "src/a.ts / ``` / a", "refusal cut-off 1"],
  [
    "a file, and a block that is not closed",
    "src/a.ts / ``` / a / ``` / b.ts / ``` / b",
    "src/a.ts whole `a`; refusal cut-off 5",
  ],
  ["commands behind a file", "src/a.ts / ``` / a / ``` / Then run / ```sh / b / ```", "src/a.ts whole `a`"],
  [
    "a block without a path",
    "src/a.ts / ``` / a / ``` / And / ```js / b / ```",
    "src/a.ts whole `a`; refusal unknown-file 6",
  ],
  ["two blocks without paths", "``` / a / ``` / ```js / b / ```", "refusal unknown-file 1; refusal unknown-file 4"],
  [
    "a fence in code that is no longer one",
    "src/a.ts / ``` / a / ``` / b / ``` / c",
    "refusal unreadable-row 1; normalization marks 5",
  ],
  [
    "a fence in code that is closed",
    "src/a.ts / ``` / a / ```sh / b / ``` / c / ```",
    "src/a.ts whole `a` ````sh` `b` ````` `c`",
  ],
  [
    "a fence below another path in the code",
    "src/a.ts / ```` / # lib/b.ts / ``` / a / ``` / ````",
    "refusal unreadable-row 1",
  ],
  [
    "a fence below the same path in the code",
    "src/a.ts / ```` / # src/a.ts / ``` / a / ``` / ````",
    "normalization fence 1; src/a.ts whole `a`",
  ],
  ["a fence in code and none around", "a.md / ``` / ```sh / b / ```", "refusal cut-off 1"],
  [
    "a block with an edit",
    "src/a.ts / ``` / <<<<<<< SEARCH / a / ======= / b / >>>>>>> REPLACE / ```",
    "refusal unreadable-row 1",
  ],
  ["a block with a diff", "```diff / -a / +b / ```", "refusal unreadable-row 1"],
  ["a patch file", "a.patch / ```diff / -a / +b / ```", "a.patch whole `-a` `+b`"],
  ["commands alone", "Run / ```sh / npm test / ```", "refusal no-edits"],
  ["words alone", "I cannot.", "refusal no-edits"],
];

for (const [name, answer, expected] of cases) {
  test(`the reader of whole files reads ${name}`, () => {
    const reader = whole.read({ paths: ["src/a.ts"] });
    expect(printParts([...reader.push(answer.replaceAll(" / ", "\n")), ...reader.end(false)])).toBe(expected);
  });
}

test("a cut-off answer after a fence in the code is refused", () => {
  const reader = whole.read({ paths: ["src/a.md"] });
  expect(printParts([...reader.push("```\na\n```\n"), ...reader.end(true)])).toBe("refusal cut-off 1");
});

test.each(["sp ace/my file.ts", "### sp ace/my file.ts", "Here is lib/b.ts"])(
  "row 21: a text below %s is not taken for the only file",
  (row) => {
    const { operations, refusals } = readAnswer(whole.read({ paths: ["a.ts"] }), `${row}\n\`\`\`\nx\n\`\`\`\n`);
    expect(operations).toEqual([]);
    expect(refusals).toMatchObject([{ kind: "unknown-file" }]);
  },
);
