import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutByteOrderMark } from "../../text/index.ts";
import { keepForm } from "./keep-line-endings.ts";

describe("keepForm", () => {
  test.each([
    ["a\nb\n", "a\nc\n", "a\nc\n"],
    ["a\r\nb\r\n", "a\nc\nd\n", "a\r\nc\r\nd\r\n"],
    ["a\r\nb\r\n", "a\r\nc\r\n", "a\r\nc\r\n"],
    ["a\rb\r", "a\nc", "a\rc"],
    ["one line", "two\nlines", "two\nlines"],
    ["", "a\r\nb\r\n", "a\r\nb\r\n"],
    // Lines that stay keep their own ends; new ones have the usual end.
    ["a\r\nb\nc\r\n", "a\nb\nx\nc\n", "a\r\nb\nx\r\nc\r\n"],
    ["\uFEFFa\n", "b\n", "\uFEFFb\n"],
    ["\uFEFFa\r\n", "\uFEFFb\n", "\uFEFFb\r\n"],
    ["a\n", "\uFEFFb\n", "b\n"],
    ["\uFEFFa\n", "", "\uFEFF"],
  ])("%j with the text %j -> %j", (before, after, expected) => expect(keepForm(before, after)).toBe(expected));

  test("keeps the file when its text is saved from an editor with one line ending", () => {
    const line = fc.tuple(fc.stringMatching(/^[ab]{0,2}$/), fc.constantFrom("\n", "\r\n"));
    const file = fc.tuple(fc.constantFrom("", "\uFEFF"), fc.array(line), fc.constantFrom("", "end"));
    fc.assert(
      fc.property(file, fc.constantFrom("\n", "\r\n"), ([mark, lines, last], ending) => {
        const before = mark + lines.map((parts) => parts.join("")).join("") + last;
        const shown = withoutByteOrderMark(before).replaceAll(/\r?\n/g, ending);
        expect(keepForm(before, shown)).toBe(before);
      }),
    );
  });
});
