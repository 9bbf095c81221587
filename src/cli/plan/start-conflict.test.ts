import { describe, expect, test } from "vitest";
import { startConflict } from "./go-on-plan.ts";

/** The text of a row of lines: `a b` is two lines. */
function text(row: string): string {
  return row
    .split(" ")
    .map((line) => `${line}\n`)
    .join("");
}

describe("the first line, from 1, with an edit of what a plan started from", () => {
  test.each([
    ["a change elsewhere", "a.1 b.1 c.1", "a.2 b.1 c.1", "a.2 b.1 c.3", undefined],
    ["a line after the change", "a.1 b.1", "a.2 b.1", "a.2 new b.1", undefined],
    ["an added line is kept", "a.1", "a.1 b.1", "a.1 b.1 c.1", undefined],
    ["the line is reverted", "a.1 b.1", "a.1 b.2", "a.1 b.1", 2],
    ["one of two lines is reverted", "a.1 b.1 c.1", "a.2 b.1 c.2", "a.2 b.1 c.1", 3],
    ["a reverted line moves", "a.1 b.1", "a.1 b.2", "new a.1 b.1", 3],
    ["an added line is removed", "a.1 c.1", "a.1 b.1 c.1", "a.1 c.1", 2],
    ["a removed line is back", "a.1 b.1 c.1", "a.1 c.1", "a.1 b.1 c.1", 2],
    ["a word of two is reverted", "f(a)", "f(a,b,c)", "f(a,b)", 1],
    ["repeated words are removed", "f(a:n,a:n)", "f(a:n,a:n,a:n)", "f(a:n,a:n)", 1],
    ["the changed word gets another value", "a.1 b.1", "a.1 b.2", "a.1 b.3", 2],
  ])("%s", (_, start, before, after, line) => {
    const found = startConflict({ start: text(start), before: text(before), after: text(after), open: [] });
    expect(found).toBe(line === undefined ? undefined : line - 1);
  });

  test.each([
    ["a further edit is expected", "a.1 b.1", "a.1 b.2", "a.1 b.3", undefined],
    ["a revert is not", "a.1 b.1", "a.1 b.2", "a.1 b.1", 2],
    ["a removed line is not", "a.1 c.1", "a.1 b.1 c.1", "a.1 c.1", 2],
  ])("in the block of an open step, %s", (_, start, before, after, line) => {
    const open = [{ start: 0, end: text(before).length }];
    const found = startConflict({ start: text(start), before: text(before), after: text(after), open });
    expect(found).toBe(line === undefined ? undefined : line - 1);
  });
});
