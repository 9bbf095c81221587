import { expect, test } from "vitest";
import { withoutRepeatedContext } from "./repeated-lines.ts";

// The block is `c/d` in `a/}/b/c/d/e/}/f`.
const cases: readonly (readonly [written: string, meant: readonly string[]])[] = [
  ["c/D", []],
  ["b/c/D", ["c/D"]],
  ["}/b/c/D", ["c/D"]],
  ["c/D/e", ["c/D"]],
  ["b/c/D/e/}", ["c/D", "c/D/e/}", "b/c/D"]],
  ["b", []],
  ["}/c/D", []],
];

for (const [written, meant] of cases) {
  test(`written as ${written}`, () => {
    const lines = "a/}/b/c/d/e/}/f".split("/");
    const found = withoutRepeatedContext(written.split("/"), lines, { start: 3, end: 5 });
    expect(found.map((rest) => rest.join("/"))).toEqual(meant);
  });
}

test("words of any script are evidence of a repetition", () => {
  const found = withoutRepeatedContext(["終わり", "c"], ["終わり", "b", "d"], { start: 1, end: 2 });
  expect(found).toEqual([["c"]]);
});
