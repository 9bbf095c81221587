import fc from "fast-check";
import { expect } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { findRun } from "./keyed-lines.ts";
import { withoutIndent } from "./line-keys.ts";
import { WorkingText } from "./working-text.ts";

const lines = (maxLength: number) => fc.array(fc.constantFrom("a", " a", "b", "c", "", " "), { maxLength });
const steps = fc.array(fc.record({ at: fc.nat(20), length: fc.nat(3), put: lines(3) }), { maxLength: 5 });

law(
  "after any edits KeyedLines agrees with a linear search",
  [lines(20), steps, lines(4)],
  (shown, edits, searched) => {
    const text = new WorkingText(shown.map((line) => `${line}\n`).join(""));
    const run = searched.map(withoutIndent);
    for (const { at, length, put } of [...edits, { at: 0, length: 0, put: [] }]) {
      const keys = text.texts.map(withoutIndent);
      const keyed = text.by(withoutIndent);
      expect(keys.map((_, line) => keyed.at(line))).toEqual(keys);
      expect(keyed.find(run)).toEqual(findRun(run, keys));

      const filled = keys.flatMap((key, line) => (key === "" ? [] : [line]));
      const words = run.filter((key) => key !== "");
      const starts = findRun(
        words,
        filled.map((line) => keys[line]!),
      );
      expect(keyed.findApart(words)).toEqual(starts.map((start) => filled.slice(start, start + words.length)));

      const start = at % (text.count + 1);
      text.replaceLines([{ start, end: Math.min(text.count, start + length), lines: put }]);
    }
  },
);

const letters = (maxLength: number) => fc.array(fc.constantFrom("a", "b"), { maxLength });

law("findRun agrees with checking every place", [letters(4), letters(20)], (run, items) => {
  const naive = items.flatMap((_, i) => (run.every((item, k) => items[i + k] === item) ? [i] : []));
  expect(findRun(run, items)).toEqual(run.length === 0 ? [] : naive);
});
