import { expect, test } from "vitest";
import { seededRandom } from "../../scripts/train/seeded-random.ts";
import { cutHoles, parseInfillCase } from "./infill-cases.ts";

const text = "const one = 1;\nfunction two() {\n  return one + 2;\n}\n\nexport { two };\n";

test("holes are parts of the text, one of each kind, the same for a seed", () => {
  for (let seed = 0; seed < 50; seed++) {
    const holes = cutHoles("a.ts", text, seededRandom(seed));
    expect(cutHoles("a.ts", text, seededRandom(seed))).toEqual(holes);
    expect(holes.length).toBeGreaterThanOrEqual(2);
    for (const { prefix, middle, suffix } of holes) {
      expect(prefix + middle + suffix).toBe(text);
      expect(middle.trim()).not.toBe("");
    }
    expect(holes[0]!.suffix).toMatch(/^\n/);
    expect(holes[1]!.middle).not.toContain("\n");
    expect(holes.at(-1)!.middle).toMatch(/\n$|^[^\n]+$/);
  }
});

test("a text with hardly a line has none", () => {
  expect(cutHoles("a.ts", "a;\n", seededRandom(1))).toEqual([]);
});

const place = "cases.jsonl:3";

test.each([
  { path: "a.ts", prefix: "a", suffix: "c", middle: "b" },
  { path: "a.ts", prefix: "a", suffix: "c", middle: "b", language: "typescript" },
])("parseInfillCase reads %j", (given) => {
  expect(parseInfillCase(JSON.stringify(given), place)).toEqual(given);
});

test.each([
  ['{"path": "a.ts", "prefix": "a", "suffix": "c"}', 'cases.jsonl:3: "middle" is missing.'],
  ['{"path": "a.ts", "prefix": 1, "suffix": "c", "middle": "b"}', 'cases.jsonl:3: "prefix" is no text.'],
  ["[]", "cases.jsonl:3: this line is no object."],
  ["{", /^cases.jsonl:3: this line is no JSON/],
])("parseInfillCase rejects the line %s: %s", (line, message) => {
  expect(() => parseInfillCase(line, place)).toThrow(message);
});
