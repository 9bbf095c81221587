import { expect, test } from "vitest";
import { lineOpening } from "./line-opening.ts";

/** Lines with ` / ` between them; `>` marks the line whose opening is expected. */
const cases: readonly (readonly [lines: string, opening: string])[] = [
  [">  return a + b;", "return"],
  [">  return a; / return b;", "return a"],
  [">  }", "}"],
  [">", ""],
  [">   ", ""],
  [">});", "});"],
  [">} else {", "} else"],
  [">const ü = 1; / const a = 2;", "const ü"],
  [">a / a / a", "a"],
  [">| one", "| one"],
  [">x | one / x", "x"],
  [">a\tb / a c", "a"],
  [">import { alpha, beta } from 'x'; / import { alpha, gamma } from 'y';", "import { alpha, beta"],
  [">aVeryLongNameThatGoesOnAndOnAndOn(x)", "aVeryLongNameThatGoesOnAndOnAndOn"],
  [`>${"a".repeat(100)}`, "a".repeat(80)],
  [">[assembly: AssemblyVersion(1)] / [assembly: AssemblyFileVersion(1)]", "[assembly: AssemblyVersion"],
  [
    ">const one = two.three.four.five.six; / const one = two.three.four.five.seven;",
    "const one = two.three.four.five.six",
  ],
  // It cannot be distinguished from its equal, but from the others.
  [">return a; / return a; / return b;", "return a"],
  [">return a / return a;", "return"],
  // The amount of white space is ignored.
  [">a  = 1; / a = 2;", "a  = 1"],
  // A line that differs only beyond the length limit.
  [`>a ${"b".repeat(70)} cccc dddd 1 / a ${"b".repeat(70)} cccc dddd 2`, "a"],
];

for (const [marked, opening] of cases) {
  test(`lineOpening is unique among the lines: ${marked}`, () => {
    const lines = marked.split(" / ");
    const index = lines.findIndex((line) => line.startsWith(">"));
    expect(lineOpening(lines.with(index, lines[index]!.slice(1)), index)).toBe(opening);
  });
}

test("lines far apart may have the same opening", () => {
  const lines = ["return a;", ...Array.from({ length: 8 }, () => "x"), "return b;"];
  expect(lineOpening(lines, 0)).toBe("return");
  expect(lineOpening(lines.toSpliced(1, 1), 0)).toBe("return a");
});
