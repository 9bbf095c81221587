import { expect, test } from "vitest";
import { findMoves } from "./next-history.ts";

/** Files as `PATH: LINES`, each line a letter; `-` where there is none before, or none after. */
const cases: readonly (readonly [what: string, files: string, moves: string])[] = [
  ["the same text elsewhere", "a: abc > -, b: - > abc", "a > b"],
  ["half of the lines elsewhere", "a: abcd > -, b: - > abxy", "a > b"],
  ["less than half of the lines", "a: abcd > -, b: - > axyz", ""],
  ["the likest of two", "a: abcd > -, b: - > abxy, c: - > abcx", "a > c"],
  ["the same before the likest", "a: abcd > -, b: abce > -, c: - > abce", "b > c"],
  ["each of several that say the same", "a: ab > -, b: ab > -, c: - > ab, d: - > ab", "a > c, b > d"],
  ["a file that only changed is no move", "a: abc > -, b: xyz > abc", ""],
];

test.each(cases)("moved files are paired by their texts: %s", (_, files, moves) => {
  expect(movesOf(files)).toBe(moves);
});

test("pairs files with equal texts, however many were created", () => {
  const many = Array.from(
    { length: 150 },
    (_, i) => `gone${i}: ${"x".repeat(i)} > -, new${i}: - > ${"y".repeat(i + 1)}`,
  );
  expect(movesOf([...many, "a: abc > -, b: - > abc"].join(", "))).toBe("a > b");
});

function movesOf(files: string): string {
  const read = (letters: string) => (letters === "-" ? undefined : [...letters].join("\n"));
  const changed = files.split(", ").map((file) => {
    const [, path, before, after] = /^(\w+): (\S*) > (\S+)$/.exec(file)!;
    return [path!, { before: read(before!), after: read(after!) }] as const;
  });
  return findMoves(new Map(changed))
    .map(({ from, to }) => `${from} > ${to}`)
    .join(", ");
}
