import { expect, test } from "vitest";
import { replay } from "./format.laws.ts";
import { numbered } from "./numbered.ts";
import { range } from "./range.ts";
import { whole } from "./whole.ts";

const half = `import { log } from "./log";

export function half(value: number) {
  log(value);
  return value;
}
`;

/** The text of a file, where the answer of the example begins in the instructions, and what it makes of the file. */
const cases = [
  [
    range,
    "\n@@ 3 export",
    `import { log } from "./log";

export function half(value: number, digits = 2) {
  log(value);
  const result = value / 2;
  return Number(result.toFixed(digits));
}

export function double(value: number) {
  return value * 2;
}
`,
  ],
  [
    numbered,
    "\n```ts\n1:\n2:\n4:",
    `export function half(value: number) {
  // Exact for all numbers.
  return value / 2;
}

export function double(value: number) {
  return value * 2;
}
`,
  ],
  [whole, "\n# src/math.ts", "export function half(value: number) {\n  return value / 2;\n}\n"],
] as const;

for (const [format, start, after] of cases) {
  test(`the example in the instructions of ${format.name} does what they say`, () => {
    const { instructions } = format;
    const [example = ""] = instructions.slice(instructions.indexOf(start)).split("\n\nRules:");
    expect(replay(format, example, new Map([["src/math.ts", half]]))).toEqual({
      files: new Map([["src/math.ts", after]]),
      refusals: [],
    });
  });

  test(`the instructions of ${format.name} show files as they are shown`, () => {
    const shown = format.showFile({ path: "src/math.ts", text: format === whole ? after : half });
    expect(format.instructions).toContain(shown);
  });
}
