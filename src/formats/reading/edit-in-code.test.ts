import { expect, test } from "vitest";
import { searchBlockRow, tryReadEditInCode } from "./edit-in-code.ts";

const block = "<<<<<<< SEARCH / a / ======= / b / >>>>>>> REPLACE";

/** Code with ` / ` between its lines, after the info string of its fence. */
const cases: readonly (readonly [name: string, info: string, code: string, expected: string | undefined])[] = [
  ["a search/replace block", "ts", block, "search-replace"],
  ["one below a path", "ts", ` / // src/a.ts / ${block}`, "search-replace"],
  ["one in Cline's dialect", "", "------- SEARCH / a / ======= / +++++++ REPLACE", "search-replace"],
  ["a patch", "", "*** Begin Patch / *** Delete File: a / *** End Patch", "v4a"],
  ["a diff", "ts", "--- a/src/a.ts / +++ b/src/a.ts / @@ -1 +1 @@ / -a / +b", "udiff"],
  ["a hunk", "", "@@ -1 +1 @@ / -a / +b", "udiff"],
  ["rows of a diff", "diff", " a / -b / +c", "udiff"],
  ["a range", "", "@@ 3 a / b / @@ end", "range"],

  ["code", "ts", "const a = 1;", undefined],
  ["a block in code", "ts", `const text = \` / ${block} / \`;`, undefined],
  ["a mark alone", "", "<<<<<<< SEARCH / a", undefined],
  ["marks of a conflict", "", "<<<<<<< HEAD / a / ======= / b / >>>>>>> main", undefined],
  ["code in a fence for diffs", "diff", "a / -b", undefined],
  ["code that looks like rows of a diff", "md", "- a / - b", undefined],
  ["nothing", "diff", "", undefined],
];

for (const [name, info, code, expected] of cases) {
  test(`an edit in a code block is read: ${name}`, () => {
    expect(tryReadEditInCode({ lines: code.split(" / "), info, path: "src/a.ts" })).toBe(expected);
    expect(tryReadEditInCode({ lines: code.split(" / "), info, path: "src/a.patch" })).toBeUndefined();
  });
}

const file = ["one();", "two();"];

test.each([
  ["a block of the file", "one(); / <<<<<<< SEARCH /   two(); / ======= / six(); / >>>>>>> REPLACE", 1],
  [
    "the second one of two",
    "<<<<<<< SEARCH / ten(); / ======= / >>>>>>> REPLACE / <<<<<<< SEARCH / two(); / ======= / >>>>>>> REPLACE",
    4,
  ],
  ["a block of something else", "one(); / <<<<<<< SEARCH / ten(); / ======= / six(); / >>>>>>> REPLACE", undefined],
  ["a block without an end", "<<<<<<< SEARCH / two(); / ======= / six();", undefined],
  ["no block", "one(); / six();", undefined],
])("among code: %s", (_, code, expected) => {
  expect(searchBlockRow(code.split(" / "), file)).toBe(expected);
  expect(searchBlockRow(code.split(" / "), [...file, "<<<<<<< SEARCH"])).toBeUndefined();
});
