import fc from "fast-check";
import { expect, test } from "vitest";
import { type BoundaryRoom, boundaryCandidates } from "./boundary-candidates.ts";
import { spliceLines } from "./splice-checker.ts";

const whole = { floor: 0, ceiling: 6 };
const lines = ["a", "b", "c", "d", "e", "f"];

/**
 * Prints a candidate as `[start, end)`, with the number of new lines left out at their beginning
 * and end.
 */
function print(
  file: readonly string[],
  [start, end, ...fresh]: readonly [number, number, ...string[]],
  room: BoundaryRoom = whole,
): string[] {
  return boundaryCandidates(file, { start, end, lines: fresh }, room).map(
    ({ splice, leftOutFirst, leftOutLast }) =>
      `${splice.start}-${splice.end}${leftOutFirst > 0 ? ` first ${leftOutFirst}` : ""}${leftOutLast > 0 ? ` last ${leftOutLast}` : ""}`,
  );
}

test("boundary candidates move both ends of a range by up to two lines", () => {
  const found = print(lines, [2, 4, "x"]);
  expect(found[0]).toBe("2-4");
  expect(found.sort()).toEqual(
    ["0-2", "0-3", "0-4", "0-5", "0-6", "1-2", "1-3", "1-4", "1-5", "1-6", "2-2", "2-3", "2-4", "2-5", "2-6"]
      .concat(["3-3", "3-4", "3-5", "3-6", "4-4", "4-5", "4-6"])
      .sort(),
  );
});

test("boundary candidates move an insertion as a whole", () => {
  expect(print(lines, [2, 2, "x"]).sort()).toEqual(["0-0", "1-1", "2-2", "3-3", "4-4"]);
});

test("boundary candidates stop at other changes", () => {
  expect(print(lines, [2, 3, "x"], { floor: 2, ceiling: 3 })).toEqual(["2-3", "2-2", "3-3"]);
  expect(print(lines, [0, 0, "x"], { floor: 0, ceiling: 0 })).toEqual(["0-0"]);
});

test("boundary candidates leave out repeated lines before overwriting them", () => {
  const found = print(lines, [2, 3, "b", "x", "d"]);
  expect(found.slice(0, 2)).toEqual(["2-3", "2-3 last 1"]);
  expect(found).toContain("2-3 first 1");
  expect(found).toContain("2-3 first 1 last 1");
  expect(found).not.toContain("1-3");
  expect(print(lines, [2, 3, "a", "b", "x"])).toContain("2-3 first 2");
  expect(print(lines, [2, 3, "  b", "x"])).toContain("2-3 first 1");
  expect(print(lines, [2, 3, "b"])).toContain("2-3 first 1");
});

test("no boundary candidate leaves the file unchanged", () => {
  const deletions = print(lines, [2, 3]);
  expect(deletions).toContain("2-4");
  expect(deletions).not.toContain("2-2");
  expect(deletions).not.toContain("3-3");
  expect(print(lines, [2, 3, "b", "c"])).not.toContain("1-3");
});

test("of two candidates with one outcome the allowed one is kept", () => {
  const splice = { start: 1, end: 3, lines: [] };
  const allows = ({ startMove }: { readonly startMove: number }) => startMove === 1;
  const found = boundaryCandidates(["a", "b", "c", "b", "d"], splice, { floor: 0, ceiling: 5, allows });
  expect(found.map(({ splice: { start, end } }) => `${start}-${end}`)).toContain("2-4");
});

test("law: each candidate has another outcome, and the change itself is first", () => {
  const some = fc.array(fc.constantFrom("a", "b", "  b", "}", ""), { maxLength: 8 });
  fc.assert(
    fc.property(
      some,
      fc.array(fc.constantFrom("a", "b", "}"), { maxLength: 4 }),
      fc.nat(),
      fc.nat(),
      (file, fresh, a, b) => {
        const [start, end] = [a % (file.length + 1), b % (file.length + 1)].sort((x, y) => x - y) as [number, number];
        const splice = { start, end, lines: fresh };
        const found = boundaryCandidates(file, splice, { floor: 0, ceiling: file.length });
        expect(found[0]!.splice).toEqual(splice);
        const outcomes = found.map((one) => spliceLines(file, [one.splice]).join("\n"));
        expect(new Set(outcomes).size).toBe(outcomes.length);
      },
    ),
  );
});
