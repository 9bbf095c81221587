import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { smallestEdit } from "./smallest-edit.ts";

describe("smallestEdit", () => {
  test("converts one text into the other", () => {
    assert(
      property(string({ unit: "grapheme" }), string({ unit: "grapheme" }), (before, after) => {
        const edit = smallestEdit(before, after);
        if (edit === undefined) return before === after;
        return before.slice(0, edit.start) + edit.text + before.slice(edit.end) === after;
      }),
    );
  });

  test("keeps equal text at both ends", () => {
    expect(smallestEdit("one two three", "one 2 three")).toEqual({ start: 4, end: 7, text: "2" });
    expect(smallestEdit("aaa", "aa")).toEqual({ start: 2, end: 3, text: "" });
    expect(smallestEdit("same", "same")).toBeUndefined();
  });
});
