import fc from "fast-check";
import { expect, test } from "vitest";
import { readEdit, showEdit } from "../../text/edit.laws.ts";
import { Edit } from "../../text/index.ts";
import { trySlide } from "./try-slide.ts";

/** An edit in the notation `a[old|new]b`, the wanted start, and the result. */
const cases: readonly (readonly [marked: string, start: number, slid: string | undefined])[] = [
  ["ab[|1b]c", 1, "a[|b1]bc"],
  ["a[|b1]bc", 2, "ab[|1b]c"],
  ["ab[|1b]c", 3, undefined],
  ["x\n}[|\ny\n}]\n", 4, "x\n}\n[|y\n}\n]"],
  ["ab[ab|]c", 0, "[ab|]abc"],
  ["[ab|]abc", 2, "ab[ab|]c"],
  ["[ab|]abc", 3, undefined],
];
for (const [marked, start, expected] of cases) {
  test(`${JSON.stringify(marked)} from ${start}`, () => {
    const { text, edit } = readEdit(marked);
    const slid = trySlide(text, edit.edits[0]!, start);
    expect(slid && showEdit(text, Edit.of([slid]))).toBe(expected);
  });
}

test("law: returns an edit if and only if an insertion or deletion of this length has the same effect there", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 6 });
  fc.assert(
    fc.property(
      texts,
      fc.nat(6),
      fc.nat(2),
      fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 }),
      fc.nat(6),
      (text, at, length, inserted, where) => {
        const start = Math.min(at, text.length);
        const end = Math.min(start + length, text.length);
        const part = { start, end, text: start === end ? inserted : "" };
        const to = Math.min(where, text.length);
        const after = Edit.of([part]).apply(text);
        const slid = trySlide(text, part, to);
        const gap = {
          start: to,
          end: to + end - start,
          text: start === end ? after.slice(to, to + inserted.length) : "",
        };
        const isSame = gap.end <= text.length && Edit.of([gap]).apply(text) === after;
        expect(slid).toEqual(isSame ? gap : undefined);
      },
    ),
    { numRuns: 1_000 },
  );
});
