import { describe, expect, test } from "vitest";
import { anchorsOfMistake } from "./anchors.ts";
import { type MistakeName, mistaken } from "./mistakes.ts";

const lines = ["zero a", "one b", "two c", "three d", "four e"];
const range = { start: 1, end: 3, lines: ["new"] };
const single = { start: 1, end: 2, lines: ["new"] };
const insertion = { start: 2, end: 2, lines: ["new"] };

/** A change as `[start, end) new lines`, or that it cannot be made. */
const cases: readonly (readonly [MistakeName, ofRange: string, ofSingle: string, ofInsertion: string])[] = [
  ["end one late", "[1, 4) new", "[1, 3) new", "[2, 3) new"],
  ["end one early", "[1, 2) new", "never", "never"],
  ["start one early", "[0, 3) new", "[0, 2) new", "[1, 2) new"],
  ["start one late", "[2, 3) new", "never", "never"],
  ["shifted down", "[2, 4) new", "[2, 3) new", "[3, 3) new"],
  ["shifted up", "[0, 2) new", "[0, 1) new", "[1, 1) new"],
  ["repeats the line after", "[1, 3) new/three d", "[1, 2) new/two c", "[2, 2) new/two c"],
  ["repeats the line before", "[1, 3) zero a/new", "[1, 2) zero a/new", "[2, 2) one b/new"],
  ["repeats both", "[1, 3) zero a/new/three d", "[1, 2) zero a/new/two c", "[2, 2) one b/new/two c"],
];

for (const [name, ...expected] of cases) {
  test(`mistaken changes the splices: ${name}`, () => {
    const made = [range, single, insertion].map((splice) => {
      const written = mistaken(name, lines, splice);
      return written === undefined ? "never" : `[${written.start}, ${written.end}) ${written.lines.join("/")}`;
    });
    expect(made).toEqual(expected);
  });
}

test("no mistake leads out of the file", () => {
  const all = { start: 0, end: 5, lines: ["new"] };
  expect(mistaken("end one late", lines, all)).toBeUndefined();
  expect(mistaken("shifted up", lines, all)).toBeUndefined();
  expect(mistaken("repeats the line before", lines, all)).toBeUndefined();
});

describe("a model quotes the lines that it means, at the numbers that it writes", () => {
  const quoted = (intended: typeof range, written: typeof range) =>
    anchorsOfMistake(lines, intended, written)?.anchors?.map(({ line, opening }) => `${line} ${opening}`);
  test("of a range", () => expect(quoted(range, { ...range, end: 4 })).toEqual(["1 one", "3 two"]));
  test("of a range written as a line", () => expect(quoted(range, { ...range, end: 2 })).toEqual(["1 one", "1 two"]));
  test("of a line", () => expect(quoted(single, { ...single, start: 2, end: 3 })).toEqual(["2 one"]));
  test("of a line written as a range", () => expect(quoted(single, { ...single, end: 3 })).toEqual(["1 one", "2 one"]));
  test("of an insertion", () => expect(quoted(insertion, { ...insertion, start: 3, end: 3 })).toEqual(["2 one"]));
  test("an insertion is written as one", () => expect(quoted(insertion, { ...insertion, end: 3 })).toBeUndefined());
});
