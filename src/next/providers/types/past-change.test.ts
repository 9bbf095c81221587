import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { EditHistory, type PastEdit } from "../../../context/index.ts";
import { openSyntax } from "../../../syntax/node/index.ts";
import { detectLineEnding, Edit } from "../../../text/index.ts";
import { isBrokenBy, lineHunks, textBefore } from "./past-change.ts";

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

const ending = fc.constantFrom("\n", "\r\n");
const edits = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.array(fc.constantFrom("a", "b", " ", "\n"), { maxLength: 4 })), {
  maxLength: 6,
});

test("taking back all edits of a history restores the text before", () => {
  let known = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "b", "")), ending, edits, (lines, newline, changes) => {
      const first = lines.join(newline);
      const history = new EditHistory();
      let text = first;
      for (const [from, length, fresh] of changes) {
        const offsets = [...text].flatMap((unit, at) => (unit === "\n" && text[at - 1] === "\r" ? [] : [at]));
        const start = offsets[from % Math.max(1, offsets.length)] ?? 0;
        const end = [...offsets, text.length].find((at) => at >= start + (length % 5)) ?? text.length;
        const edit = Edit.replace({ start, end }, fresh.join("").replaceAll("\n", newline));
        history.record("m.ts", text, edit, 0);
        text = edit.apply(text);
      }
      const back = textBefore("m.ts", text, history.entries(0));
      // Where an edit removed all line endings, the original ones are unknown.
      const isKnown = first.includes(newline) === text.includes(newline);
      known += isKnown ? 1 : 0;
      const comparable = (one: string) => (isKnown ? one : one.split(/\r?\n/));
      expect(comparable(back)).toEqual(comparable(first));
    }),
  );
  expect(known).toBeGreaterThan(30);
});

test("edits of other files do not change a text", () => {
  const history = new EditHistory();
  history.record("m.ts", "a\n", Edit.insert(0, "b"), 0);
  expect(textBefore("n.ts", "ba\n", history.entries(0))).toBe("ba\n");
});

/** A naive version of {@link textBefore}: all lines one by one, from the last edit to the first. */
function naiveTextBefore(text: string, edits: readonly PastEdit[]): string {
  if (edits.length === 0) return text;
  const usual = detectLineEnding(text) === "\r\n" ? "\r\n" : "\n";
  const content = text.split("\n");
  const lines = content.map((line, i) => {
    if (line.endsWith("\r")) return { content: line.slice(0, -1), ending: "\r\n" };
    return { content: line, ending: i < content.length - 1 ? "\n" : usual };
  });
  for (const { lines: range, before } of edits.toReversed())
    lines.splice(range.start, range.end - range.start, ...before.map((line) => ({ content: line, ending: usual })));
  return lines.map(({ content: line, ending }, i) => (i < lines.length - 1 ? line + ending : line)).join("");
}

test("law: the text before equals that of a naive version line by line", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "b", "\r"), maxLength: 3 });
  const gap = fc.record({ skip: fc.nat(3), count: fc.nat(2), before: fc.array(fc.constantFrom("x", "", "yy")) });
  fc.assert(
    fc.property(fc.array(line), ending, fc.array(gap, { maxLength: 4 }), (lines, newline, gaps) => {
      const text = lines.join(newline);
      const count = text.split("\n").length;
      // A history joins edits that touch.
      let at = -1;
      const edits = gaps.flatMap(({ skip, count: length, before }): PastEdit[] => {
        const start = at + 1 + skip;
        if (start > count) return [];
        at = Math.min(count, start + length);
        return [{ path: "m.ts", lines: { start, end: at }, before, after: [], atMs: 0 }];
      });
      expect(textBefore("m.ts", text, edits.toReversed())).toBe(naiveTextBefore(text, edits));
    }),
  );
});
