import fc from "fast-check";
import { expect, test } from "vitest";
import { readEdit } from "../../text/edit.laws.ts";
import { Edit } from "../../text/index.ts";
import { Rejections } from "./rejections.ts";

/**
 * A rejected suggestion, a typed edit, and a later suggestion, all in the notation `a[old|new]b`;
 * whether that is rejected.
 */
const cases: readonly (readonly [
  name: string,
  rejected: string,
  typed: readonly string[],
  suggested: string,
  isRejected: boolean,
])[] = [
  ["again", "a [b|c] d", [], "a [b|c] d", true],
  ["the same edit in another form", "a [b|bc] d", [], "[a b d|a bc d]", true],
  ["another text there", "a [b|c] d", [], "a [b|x] d", false],
  ["a part of it", "a [b|c] d [e|f]", [], "a [b|c] d e", true],
  ["more than it", "a [b|c] d e", [], "a [b|c] d [e|f]", false],
  ["after typing elsewhere", "a [b|c] d", ["[|x ]a b d", "x a b d[| y]"], "x a [b|c] d y", true],
  ["after typing there", "a [b|c] d", ["a b[|b] d"], "a [bb|c] d", false],
  ["after typing there, taken back", "a [b|c] d", ["a b[|b] d", "a b[b|] d"], "a [b|c] d", false],
];
for (const [name, rejected, typed, suggested, isRejected] of cases) {
  test(`a suggestion like the rejected one: ${name}`, () => {
    const rejections = new Rejections();
    const no = readEdit(rejected);
    rejections.reject("x", no.text, no.edit);
    for (const marked of typed) {
      const { text, edit } = readEdit(marked);
      rejections.follow("x", text, edit);
    }
    const { text, edit } = readEdit(suggested);
    expect(rejections.isRejected("x", text, edit)).toBe(isRejected);
    expect(rejections.isRejected("y", text, edit)).toBe(false);
  });
}

test("the rejections follow a renamed file and forget a deleted one", () => {
  const rejections = new Rejections(2);
  const edits = ["x", "y", "z"].map((inserted) => Edit.insert(1, inserted));
  for (const edit of edits) rejections.reject("a", "t", edit);
  expect(edits.map((edit) => rejections.isRejected("a", "t", edit))).toEqual([false, true, true]);
  rejections.rename("a", "b");
  expect(rejections.isRejected("a", "t", edits[1]!)).toBe(false);
  expect(rejections.isRejected("b", "t", edits[1]!)).toBe(true);
  rejections.forget("b");
  expect(rejections.size).toBe(0);
  rejections.reject("a", "t", edits[0]!);
  rejections.forgetAll();
  expect(rejections.size).toBe(0);
});

test("law: a rejection stays while only other places are edited, and the list is bounded", () => {
  const word = fc.constantFrom("a", "bb", "c\n");
  fc.assert(
    fc.property(fc.array(fc.tuple(word, fc.nat(5)), { maxLength: 30 }), (edits) => {
      const rejections = new Rejections(3);
      // The suggestion is between the two bars; typing is anywhere before or after them.
      let [left, right] = ["left ", " right"];
      for (const [inserted, at] of edits) {
        const text = `${left}|old|${right}`;
        rejections.reject("x", text, Edit.insert(0, inserted));
        rejections.reject("x", text, Edit.replace({ start: left.length + 1, end: left.length + 4 }, "new"));
        expect(rejections.size).toBeLessThanOrEqual(3);
        const isLeft = at % 2 === 0;
        const edit = Edit.insert(isLeft ? at % (left.length + 1) : text.length - (at % (right.length + 1)), inserted);
        rejections.follow("x", text, edit);
        if (isLeft) left = left.slice(0, at % (left.length + 1)) + inserted + left.slice(at % (left.length + 1));
        else right = edit.apply(text).slice(left.length + 5);
        const now = `${left}|old|${right}`;
        const again = Edit.replace({ start: left.length + 1, end: left.length + 4 }, "new");
        expect(rejections.isRejected("x", now, again)).toBe(true);
      }
    }),
  );
});
