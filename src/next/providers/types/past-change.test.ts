import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { openSyntax } from "../../../syntax/node/index.ts";
import { Edit } from "../../../text/index.ts";
import { isBrokenBy, lineHunks } from "./past-change.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/** Returns each hunk as `[lines before > lines after]`. */
function hunks(before: string, after: string): string {
  return lineHunks(before, after)
    .map(({ lines, after: written }) => `[${before.slice(lines.start, lines.end)} > ${written}]`.replaceAll("\n", "¶"))
    .join(" ");
}

test.each([
  ["adjacent changed lines are one hunk", "a\nb\nc\n", "x\ny\nc\n", "[a¶b¶ > x¶y¶]"],
  ["an unchanged line separates hunks", "a\nb\nc\n", "x\nb\ny\n", "[a¶ > x¶] [c¶ > y¶]"],
  ["inserted lines are a hunk", "a\nb\n", "a\nx\nb\n", "[ > x¶]"],
  ["equal texts have no hunks", "a\n", "a\n", ""],
])("hunks of a past change: %s", (_, before, after, expected) => {
  expect(hunks(before, after)).toBe(expected);
});

test("law: all hunks together give the text after, and each gives its lines", () => {
  const text = fc
    .array(fc.constantFrom("a", "b b", "c d e", "", "\r"), { maxLength: 8 })
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const found = lineHunks(before, after);
      expect(Edit.of(found.flatMap(({ edit }) => edit.edits)).apply(before)).toBe(after);
      for (const { edit, lines, after: written } of found)
        expect(edit.apply(before)).toBe(before.slice(0, lines.start) + written + before.slice(lines.end));
    }),
  );
});

test.each([
  ["a file without errors", "f(a);\n", "f(b);\n", false],
  ["a bracket opened", "f(a);\n", "f(b;\n", true],
  ["an older error elsewhere", "f(;\ng(a);\n", "f(;\ng(b);\n", false],
  ["an error fixed and another one added", "f(;\ng(a);\n", "f();\ng(;\n", true],
])("unfinished code is recognized by added syntax errors: %s", async (_, before, after, expected) => {
  const files = { languageOf: () => "typescript" };
  expect(await isBrokenBy(new Map([["a.ts", { before, after }]]), { files, syntax })).toBe(expected);
});
