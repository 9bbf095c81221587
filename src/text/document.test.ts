import { expect, it } from "vitest";
import { applyToDocument } from "./document.ts";
import { Edit } from "./edit.ts";

it("applyToDocument makes a new version and leaves the old one alone", () => {
  const before = { uri: "file:///a.ts", language: "typescript", version: 3, text: "abc" };
  const after = applyToDocument(before, Edit.replace({ start: 1, end: 2 }, "X"));
  expect(after).toEqual({ ...before, version: 4, text: "aXc" });
  expect(before.text).toBe("abc");
});
