import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EditHistory } from "../context/index.ts";
import { Edit } from "../text/index.ts";
import { textBefore } from "./past-text.ts";

const ending = fc.constantFrom("\n", "\r\n");
const edits = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.array(fc.constantFrom("a", "b", " ", "\n"), { maxLength: 4 })), {
  maxLength: 6,
});

test("with all edits taken back a text is what it was", () => {
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
      // Where all of the line endings went, nothing says what they were.
      if (first.includes(newline) === text.includes(newline)) expect(back).toBe(first);
      else expect(back.split(/\r?\n/)).toEqual(first.split(/\r?\n/));
    }),
  );
});

test("other files are left alone", () => {
  const history = new EditHistory();
  history.record("m.ts", "a\n", Edit.insert(0, "b"), 0);
  expect(textBefore("n.ts", "ba\n", history.entries(0))).toBe("ba\n");
});
