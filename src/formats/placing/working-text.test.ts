import fc from "fast-check";
import { expect, test } from "vitest";
import { anyEdit, anyText, law } from "../../text/edit.laws.ts";
import { Edit } from "../../text/index.ts";
import { type EndedLine, LineTable } from "./line-table.ts";
import type { LineSplice } from "./placement.ts";
import { WorkingText } from "./working-text.ts";

test("snapshot numbers stay valid after any insertion", () => {
  const text = new WorkingText("a\nb\nc\nd\n");
  expect(text.tryReplaceShown({ start: 1, end: 1, lines: ["x", "y"] })).toBe(true);
  expect(text.tryReplaceShown({ start: 2, end: 3, lines: [] })).toBe(true);
  expect(text.tryReplaceShown({ start: 3, end: 4, lines: ["D"] })).toBe(true);
  expect(text.text).toBe("a\nx\ny\nb\nD\n");
  expect([0, 1, 2, 3, 4].map((line) => text.numberNow(line))).toEqual([0, 3, 4, 4, 5]);
});

test("replaced lines and lines around an insertion cannot be replaced again", () => {
  const text = new WorkingText("a\nb\nc\nd\n");
  expect(text.tryReplaceShown({ start: 1, end: 3, lines: ["x"] })).toBe(true);
  expect(text.tryReplaceShown({ start: 2, end: 2, lines: ["y"] })).toBe(false);
  expect(text.tryReplaceShown({ start: 0, end: 2, lines: ["y"] })).toBe(false);
  expect(text.tryReplaceShown({ start: 1, end: 1, lines: ["front"] })).toBe(true);
  expect(text.tryReplaceShown({ start: 3, end: 3, lines: ["back"] })).toBe(true);
  expect(text.tryReplaceShown({ start: 0, end: 4, lines: [] })).toBe(false);
  expect(text.text).toBe("a\nfront\nx\nback\nd\n");
});

// A line is followed by `n`, `r`, `c` or nothing for its ending: `\n`, `\r\n`, `\r`.
const endings: readonly (readonly [before: string, splice: LineSplice, after: string])[] = [
  ["a\r\nb\r\n", { start: 1, end: 2, lines: ["x", "y"] }, "a\r\nx\r\ny\r\n"],
  ["a\r\nb\nc\r\n", { start: 1, end: 2, lines: ["x", "y"] }, "a\r\nx\ny\nc\r\n"],
  ["a\r\nb\nc\r\n", { start: 0, end: 3, lines: ["new", "a", "b", "c"] }, "new\r\na\r\nb\nc\r\n"],
  ["a\r\nb\nc\n", { start: 1, end: 1, lines: ["x"] }, "a\r\nx\r\nb\nc\n"],
  ["a\r\nb", { start: 1, end: 2, lines: ["x", "y"] }, "a\r\nx\r\ny"],
  ["a", { start: 1, end: 1, lines: ["x"] }, "a\nx"],
  ["a\rb\r", { start: 1, end: 1, lines: ["x"] }, "a\rx\rb\r"],
  ["a\rb\nc\n", { start: 0, end: 1, lines: ["x"] }, "x\nc\n"],
  ["\ufeffa\nb\n", { start: 0, end: 1, lines: ["x"] }, "\ufeffx\nb\n"],
  ["\ufeffa\n", { start: 0, end: 1, lines: [] }, "\ufeff"],
  ["a\nb", { start: 0, end: 2, lines: [] }, ""],
  ["a\n\nb", { start: 2, end: 3, lines: [] }, "a\n"],
  ["", { start: 0, end: 0, lines: ["x"] }, "x\n"],
];

for (const [before, splice, after] of endings) {
  test(`WorkingText keeps the line endings of ${JSON.stringify(before)} with the splice ${JSON.stringify(splice)}`, () => {
    for (const kind of ["shown", "now"]) {
      const text = new WorkingText(before);
      if (kind === "shown") text.tryReplaceShown(splice);
      else text.replaceLines([splice]);
      expect(text.text).toBe(after);
      expect(text.lines.map((line) => line.text + line.ending).join("")).toBe(after.replace("\ufeff", ""));
    }
  });
}

law(
  "replaceTexts gives the text of an equal edit",
  [
    anyText.chain((text) =>
      anyEdit(text.replaceAll("\r", "")).map((edit) => ({ text: text.replaceAll("\r", ""), edit })),
    ),
  ],
  ({ text, edit }) => {
    const plain = Edit.of(edit.edits.map((one) => ({ ...one, text: one.text.replaceAll("\r", "") })));
    const working = new WorkingText(text);
    working.replaceTexts(
      plain.edits.filter((one, i, all) => one.start < one.end && one.start > (all[i - 1]?.end ?? -1)),
    );
    const kept = Edit.of(
      plain.edits.filter((one, i, all) => one.start < one.end && one.start > (all[i - 1]?.end ?? -1)),
    );
    expect(working.text).toBe(kept.apply(text));
  },
);

const joined = (lines: readonly EndedLine[]) => lines.map((line) => line.text + line.ending).join("");
const anyLines = fc.array(fc.constantFrom("a", "b", "", "x\ry"), { maxLength: 4 });
const anySteps = fc.array(
  fc.record({ kind: fc.constantFrom("shown", "now", "text"), at: fc.nat(12), length: fc.nat(4), lines: anyLines }),
  { maxLength: 6 },
);

law(
  "lines and text agree after any steps, and untouched lines keep their bytes",
  [anyText, anySteps],
  (text, steps) => {
    const working = new WorkingText(text);
    const touched = new Set<number>();
    for (const { kind, at, length, lines } of steps) {
      const count = kind === "shown" ? working.snapshot.count : working.lines.length;
      const start = at % (count + 1);
      const end = Math.min(count, start + length);
      let after: string | undefined;
      if (kind === "shown") {
        if (working.tryReplaceShown({ start, end, lines })) for (let i = start; i < end; i++) touched.add(i);
      } else if (kind === "now") {
        for (const splice of working.replaceLines([{ start, end, lines }])) {
          for (let i = splice.start; i < splice.end; i++) touched.add(i);
        }
      } else if (![working.text, ...lines].some((one) => one.includes("\r")) && at < working.text.length) {
        const one = { start: at, end: Math.min(working.text.length, at + 1 + length), text: lines.join("\n") };
        if (one.start > 0 || !text.startsWith("\ufeff")) {
          after = Edit.of([one]).apply(working.text);
          working.replaceTexts([one]);
        }
      }
      expect(working.text).toBe(after ?? working.text);
      const content = working.text.startsWith("\ufeff") ? working.text.slice(1) : working.text;
      expect(joined(working.lines)).toBe(content);
      const lineEnds = working.lines.map((_, line) => {
        return working.text.length - content.length + joined(working.lines.slice(0, line + 1)).length;
      });
      const offsets = Array.from({ length: working.text.length }, (_, offset) => offset);
      const lineOf = (offset: number) => lineEnds.findIndex((end) => offset < end);
      expect(working.linesAt(offsets)).toEqual(working.lines.length === 0 ? offsets.map(() => 0) : offsets.map(lineOf));
      const from = working.lines.map((_, line) => working.shownAt(line));
      const kept = from.flatMap((shown, line) => (shown === undefined ? [] : [[shown, line]]));
      const numbers = LineTable.of(text)
        .all()
        .map((_, shown) => [shown, working.keptAs(shown)]);
      expect(kept).toEqual(numbers.filter(([, line]) => line !== undefined));
    }
    expect(working.toEdit().apply(text)).toBe(working.text);
    const kept = LineTable.of(text).all();
    expect(kept.length).toBeGreaterThanOrEqual(touched.size);
  },
);
