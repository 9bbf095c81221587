import { expect, test } from "vitest";
import { tryNearestName } from "./nearest-name.ts";

const names = ["maxLines", "multiLine", "comments", "enabled", "model", "models"];

test.each([
  ["maxlines", "maxLines"],
  ["max-lines", "maxLines"],
  ["maxLnes", "maxLines"],
  ["maxLinse", "maxLines"],
  ["multiline", "multiLine"],
  ["modle", "model"],
  ["enable", "enabled"],
  ["comment", "comments"],
  ["x", undefined],
  ["", undefined],
  ["temperature", undefined],
  ["maximumNumberOfLines", undefined],
])("%s was meant to be %s", (written, meant) => {
  expect(tryNearestName(written, names)).toBe(meant);
});
