import { expect, it } from "vitest";
import { inLines } from "./line-hunks.ts";
import { markedCommit } from "./marked-commit.ts";

const file = `
a.ts
  zero
- one
- two
+ ONE
+ TWO
  three
- five
- six
+ FIVE
`;

it("takes lines that became as many others apart, and leaves the others together", () => {
  const [taken] = markedCommit(file).map(inLines);
  expect(taken!.hunks.map(({ beforeStart, before, after }) => ({ [beforeStart]: [before, after] }))).toEqual([
    { 1: [["one"], ["ONE"]] },
    { 2: [["two"], ["TWO"]] },
    {
      4: [["five", "six"], ["FIVE"]],
    },
  ]);
});
