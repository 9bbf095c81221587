import { expect, test } from "vitest";
import { readJson } from "./read-json.ts";

const levels = 60_000;

test.each([
  ["lists", `{\n"exclude": ${"[".repeat(levels)}${"]".repeat(levels)}}`],
  ["objects", `{\n"exclude": ${'{"a":'.repeat(levels)}1${"}".repeat(levels)}}`],
  ["lists that stay open", `{\n"exclude": ${"[".repeat(levels)}`],
])("row 19: settings with %s that nest too deep are broken at their line", (_, text) => {
  expect(readJson(text, "emend.config.json")).toEqual({
    kind: "broken",
    line: 2,
    detail: "brackets nest over 500 deep",
  });
});
