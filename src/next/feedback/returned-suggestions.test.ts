import { expect, test } from "vitest";
import type { NextEditSuggestion } from "../engine/outcome.ts";
import { ReturnedSuggestions } from "./returned-suggestions.ts";

test.each([
  ["usual texts", 10_000, 110, 100],
  ["long texts", 1_500_000, 10, 2],
  ["texts longer than the limit", 9_000_000, 10, 1],
])("row 14: suggestions for %s are remembered within limits", (_, length, count, remembered) => {
  const returned = new ReturnedSuggestions();
  const text = "x".repeat(length);
  const ids = Array.from({ length: count }, (_, n) => `next-${n}`);
  for (const id of ids) returned.keep({ id, text } as NextEditSuggestion, {} as never, {} as never);
  expect(ids.filter((id) => returned.get(id) !== undefined)).toEqual(ids.slice(-remembered));
});
