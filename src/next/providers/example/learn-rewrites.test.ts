import { expect, test } from "vitest";
import { EditHistory } from "../../../context/index.ts";
import { minimalEdit } from "../../../text/index.ts";
import { examplesOf } from "./learn-rewrites.ts";

/** Returns the keys of the examples in one edit. */
function keysOf(before: string, after: string): string[] {
  const history = new EditHistory();
  history.record("a.js", before, minimalEdit(before, after), 0);
  return examplesOf(history.entries(0)[0]!, [], []).map(({ key }) => key);
}

const wide = (front: string, back: string, word: string) => `${front}open(${word});${back}`;
const filler = "f(a,1);".repeat(20_000);

test.each([
  ["after a long stretch", filler, ""],
  ["before a long stretch", "", filler],
  ["between two long stretches", filler, filler],
])("row 14: an edit on a wide line, %s, gives an example", (_, front, back) => {
  const keys = keysOf(wide(front, back, "userTable"), wide(front, back, "memberTable"));
  expect(keys.length).toBeGreaterThan(0);
  expect(
    keys.some((key) => keysOf("open(userTable);", "open(memberTable);").includes(key) || key.includes("memberTable")),
  ).toBe(true);
});
