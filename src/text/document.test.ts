import { expect, it } from "vitest";
import { applyToDocument } from "./document.ts";
import { Edit } from "./edit.ts";

it("applyToDocument returns a new version and does not change the old one", () => {
  const before = { uri: "file:///a.ts", language: "typescript", version: 3, text: "abc" };
  const after = applyToDocument(before, Edit.replace({ start: 1, end: 2 }, "X"));
  expect(after).toEqual({ ...before, version: 4, text: "aXc" });
  expect(before.text).toBe("abc");
});
