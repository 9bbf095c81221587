import { expect, test } from "vitest";
import {
  pathsInRow,
  printPathRow,
  tryFindPathIn,
  tryReadFenceInfoPath,
  tryReadPathAbove,
  tryReadPathRow,
} from "./path-row.ts";

const known = ["src/a.ts", "with blank.md", "LICENCE-MIT"];

const rows: readonly (readonly [row: string, path: string | undefined])[] = [
  ["src/a.ts", "src/a.ts"],
  ["  src/a.ts  ", "src/a.ts"],
  ["b.py", "b.py"],
  ["**b.py**", "b.py"],
  ["**b.py:**", "b.py"],
  ["### `lib/b.py`", "lib/b.py"],
  ["# lib/b.py", "lib/b.py"],
  ["#b.py", "b.py"],
  ["// src/a.ts", "src/a.ts"],
  ["/* b.css */", "b.css"],
  ["<!-- b.html -->", "b.html"],
  ["<path>b.py</path>", "b.py"],
  ["<file_path>b.py</file_path>", "b.py"],
  ["b.py:", "b.py"],
  ["- b.py", "b.py"],
  ["1. `b.py`", "b.py"],
  ["File: b.py", "b.py"],
  ["**File:** b.py", "b.py"],
  ["### **File: `b.py`**", "b.py"],
  ["[b.py](lib/b.py)", "b.py"],
  ["b.py (new file)", "b.py"],
  ["app/(group)/[id]/page.tsx", "app/(group)/[id]/page.tsx"],
  ["C:\\work\\b.py", "C:\\work\\b.py"],
  [".gitignore", ".gitignore"],
  ["docker/Dockerfile", "docker/Dockerfile"],
  ["Makefile", "Makefile"],
  ["with blank.md", "with blank.md"],
  ["**with blank.md**", "with blank.md"],
  ["LICENCE-MIT", "LICENCE-MIT"],
  ["", undefined],
  ["Here is the change:", undefined],
  ["other blank.md", undefined],
  ["Done.", undefined],
  ["Version 1.5", undefined],
  ["1.5", undefined],
  ["https://example.org/a.ts", undefined],
  ["return x;", undefined],
  ["}", undefined],
  ["...", undefined],
];

for (const [row, path] of rows) {
  test(`a path is read from the row: ${row}`, () => expect(tryReadPathRow(row, known)).toBe(path));
}

const infos: readonly (readonly [info: string, path: string | undefined])[] = [
  ["ts", undefined],
  ["c++", undefined],
  ["dockerfile", undefined],
  ["application/json", undefined],
  ["ts src/a.ts", "src/a.ts"],
  ["ts:src/b.ts", "src/b.ts"],
  ["src/b.ts", "src/b.ts"],
  ['ts title="src/b.ts"', "src/b.ts"],
  ["ts {filename=b.ts}", "b.ts"],
  ["diff", undefined],
];

for (const [info, path] of infos) {
  test(`a path is read behind a fence: ${info}`, () => expect(tryReadFenceInfoPath(info, known)).toBe(path));
}

test("printPathRow prints any path as a readable row", () => {
  for (const path of ["src/a.ts", "a", "b c.md", "# d.md", "**e.ts**"]) {
    expect(tryReadPathRow(printPathRow(path), [])).toBe(path);
  }
});

test("tryFindPathIn finds a known path among words", () => {
  expect(tryFindPathIn("Let us change `src/a.ts`:", known)).toBe("src/a.ts");
  expect(tryFindPathIn("See src/a.ts.", known)).toBe("src/a.ts");
  expect(tryFindPathIn("from src/a.ts to LICENCE-MIT", known)).toBeUndefined();
  expect(tryFindPathIn("xsrc/a.ts", known)).toBeUndefined();
});

test.each([
  ["`sp ace/my file.ts`", "path sp ace/my file.ts"],
  ["'sp ace/my file.ts':", "path sp ace/my file.ts"],
  ['"my file.ts"', "path my file.ts"],
  ["File: sp ace/my file.ts", "path sp ace/my file.ts"],
  ["**File:** sp ace/my file.ts", "path sp ace/my file.ts"],
  ["### **Path: `my folder/a.ts`**", "path my folder/a.ts"],
  ["sp ace/my file.ts", "unclear sp ace/my file.ts"],
  ["**sp ace/my file.ts**", "unclear sp ace/my file.ts"],
  ["### sp ace/my file.ts", "unclear sp ace/my file.ts"],
  ["// sp ace/my file.ts", "unclear sp ace/my file.ts"],
  ["my LICENCE-MIT.md", "unclear my LICENCE-MIT.md"],
  ["sp ace/src/a.ts", "unclear sp ace/src/a.ts"],
  ["older src/a.ts", "unclear older src/a.ts"],
  ["Now src/a.ts", "words src/a.ts"],
  ["now src/a.ts:", "words src/a.ts"],
  ["Now a.ts", "words src/a.ts"],
  ["See with blank.md for more", "words with blank.md"],
  ["Change src/b.ts", "unclear Change src/b.ts"],
  ["`npm test a.ts`", undefined],
  ["This is how it works in Node.js:", undefined],
  ["See https://example.org/a.ts", undefined],
  ["It returns a list, e.g.", undefined],
  [`${"# ".repeat(200)}b c.ts`, undefined],
])("row 21: a row above a block: %s", (row, expected) => {
  const found = tryReadPathAbove(row, known);
  expect(found && `${found.kind} ${found.path}`).toBe(expected);
});

test.each([
  ['ts title="sp ace/my file.ts"', "sp ace/my file.ts"],
  ["ts sp ace/my file.ts", "sp ace/my file.ts"],
  ["ts:my file.ts", "my file.ts"],
  ["md with blank.md", "with blank.md"],
  ["ts src/b.ts {1,3}", "src/b.ts"],
])("row 21: a path with blanks behind a fence: %s", (info, path) => {
  expect(tryReadFenceInfoPath(info, known)).toBe(path);
});

test("row 21: a longer path does not match the known one at its end", () => {
  expect(tryFindPathIn("Change b/with blank.md now", ["blank.md", "with blank.md", "b/with blank.md"])).toBe(
    "b/with blank.md",
  );
  expect(pathsInRow("Now my folder/a b.ts")).toEqual([
    "Now my folder/a b.ts",
    "my folder/a b.ts",
    "folder/a b.ts",
    "b.ts",
  ]);
});
