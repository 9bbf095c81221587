import fc from "fast-check";
import { expect, test } from "vitest";
import { EditHistory } from "../../../context/index.ts";
import { Edit } from "../../../text/index.ts";
import { TextIndex } from "../../engine/text-index.ts";
import { editedFiles } from "./changed-texts.ts";

/** Returns the edited file after these changes of a text, one after the other. */
function editedBy(text: string, changes: readonly Edit[]) {
  const history = new EditHistory();
  let now = text;
  for (const edit of changes) {
    history.record("a.ts", now, edit, 0);
    now = edit.apply(now);
  }
  const context = { path: "a.ts", language: "typescript", text: now, cursor: 0, history: history.entries(0) };
  return { now, file: editedFiles({ ...context, files: new TextIndex() })[0] };
}

test("an edited line and a line inserted after it are two edits, the newest first", () => {
  const { file } = editedBy("a\nb\nc\n", [Edit.replace({ start: 2, end: 3 }, "B"), Edit.insert(4, "new\n")]);
  expect(file?.edits).toEqual([
    { before: [], after: ["new"], beforeStart: 4, afterStart: 4, since: 0 },
    { before: ["b"], after: ["B"], beforeStart: 2, afterStart: 2, since: 1 },
  ]);
});

test("law: the offsets of edits and of the text between them are right in both texts", () => {
  const change = fc.record({ at: fc.nat(), length: fc.nat(4), content: fc.constantFrom("", "x", "\n", "y\nz\n") });
  let units = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (all) => {
      let text = "a\nb\nc\nd\ne\nf\n";
      const changes = all.map(({ at, length, content }) => {
        const start = at % (text.length + 1);
        const edit = Edit.replace({ start, end: Math.min(text.length, start + length) }, content);
        text = edit.apply(text);
        return edit;
      });
      const { now, file } = editedBy("a\nb\nc\nd\ne\nf\n", changes);
      fc.pre(file !== undefined);
      for (const { before, after, beforeStart, afterStart } of file.edits) {
        expect(`${file.before}\n`.startsWith(before.map((line) => `${line}\n`).join(""), beforeStart)).toBe(true);
        expect(`${now}\n`.startsWith(after.map((line) => `${line}\n`).join(""), afterStart)).toBe(true);
      }
      const unchanged = [...now].flatMap((unit, at) => {
        const there = file.offsetBefore(at);
        return there === undefined ? [] : [{ unit, before: file.before[there] ?? "\n" }];
      });
      units += unchanged.length;
      expect(unchanged.map(({ before }) => before)).toEqual(unchanged.map(({ unit }) => unit));
    }),
  );
  expect(units).toBeGreaterThan(150);
});
