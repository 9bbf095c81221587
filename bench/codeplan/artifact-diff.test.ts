import { expect, onTestFinished, test } from "vitest";
import { ArtifactDiff, type DiffManner } from "./artifact-diff.ts";

const before = "using A;\nclass B\n{\n  int c;\n}\n";

const cases: readonly (readonly [manner: DiffManner, after: string, diff: string])[] = [
  ["plain", before, ""],
  ["plain", before.replace("int c", "int  c"), "@@ -1,5 +1,5 @@\n using A;\n class B\n {\n-  int c;\n+  int  c;\n }\n"],
  ["without-blanks-and-signs", before.replace("int c", "int  c"), ""],
  ["without-blanks-and-signs", before.replace("int c", "long c"), " using A; class B { int c; long c; }"],
  ["without-blanks-and-usings", before.replace("using A", "using Z"), ""],
  ["without-blanks-and-usings", before.replaceAll("\n", "\r\n"), ""],
];

test.each(cases)("ArtifactDiff compares %s with %j: %j", (manner, after, diff) => {
  const differ = new ArtifactDiff(".cs", manner);
  onTestFinished(() => differ[Symbol.dispose]());
  expect(differ.between(before, after)).toBe(diff);
});
