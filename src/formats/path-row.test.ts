import { expect, test } from "vitest";
import { printPathRow, tryFindPathIn, tryReadFenceInfoPath, tryReadPathRow } from "./path-row.ts";

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
  test(`path row: ${row}`, () => expect(tryReadPathRow(row, known)).toBe(path));
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
  test(`behind a fence: ${info}`, () => expect(tryReadFenceInfoPath(info, known)).toBe(path));
}

test("any path can be written as a row", () => {
  for (const path of ["src/a.ts", "a", "b c.md", "# d.md", "**e.ts**"]) {
    expect(tryReadPathRow(printPathRow(path), [])).toBe(path);
  }
});

test("a path among words", () => {
  expect(tryFindPathIn("Let us change `src/a.ts`:", known)).toBe("src/a.ts");
  expect(tryFindPathIn("See src/a.ts.", known)).toBe("src/a.ts");
  expect(tryFindPathIn("from src/a.ts to LICENCE-MIT", known)).toBeUndefined();
  expect(tryFindPathIn("xsrc/a.ts", known)).toBeUndefined();
});
