import { expect, it } from "vitest";
import { withoutCopies } from "./without-copies.ts";

const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `const line${from + i} = 1;\n`).join("");

/** A file with these texts before and after. */
const file = (path: string, before: string | undefined, after: string | undefined) => ({ path, before, after });

it.each([
  ["the same under another folder", file("b/x.ts", lines(30), lines(31)), "copy"],
  ["other imports", file("b/x.ts", `import a from "./a.ts";\n${lines(30)}`, lines(31)), "copy"],
  ["another name", file("b/y.ts", lines(30), lines(31)), "own"],
  ["another change", file("b/x.ts", lines(30), lines(40, 5)), "own"],
  ["a like file", file("b/x.ts", lines(30, 3), lines(31, 3)), "own"],
  ["a file that comes", file("b/x.ts", undefined, lines(31)), "own"],
])("withoutCopies compares two files: %s", (_, other, kind) => {
  const one = file("a/x.ts", lines(30), lines(31));
  expect(withoutCopies([one, other])).toEqual(kind === "copy" ? [other] : [one, other]);
});
