import { expect, test } from "vitest";
import { printLocation } from "./diagnostic.ts";

test.each([
  ["a.ts", {}, "a.ts"],
  ["a.ts", { line: 0 }, "a.ts:1"],
  ["a.ts", { line: 2, column: 4 }, "a.ts:3:5"],
  ["a.ts", { line: undefined, column: undefined }, "a.ts"],
  ["", { line: 2, column: 4 }, "3:5"],
  ["", {}, ""],
])("printLocation prints %j with %j as %s", (path, at, printed) => {
  expect(printLocation(path, at)).toBe(printed);
});
