import { expect, test } from "vitest";
import { elided } from "./elided.ts";
import { replay } from "./format.laws.ts";
import { lineCommands } from "./line-commands.ts";
import { numbered } from "./numbered.ts";
import { range } from "./range.ts";
import { searchReplace } from "./search-replace.ts";
import { strReplace } from "./str-replace.ts";
import { udiff } from "./udiff.ts";
import { v4a } from "./v4a.ts";
import { whole } from "./whole.ts";

const half = `import { log } from "./log";

export function half(value: number) {
  log(value);
  return value;
}
`;

/**
 * The text of a file, the beginning of the example's answer in the instructions, and the file after
 * it.
 */
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

const short = "export function half(value: number) {\n  return value;\n}\n";
const halver = "export class Halver {\n  half(value: number) {\n    return value;\n  }\n}\n";
const logged = short.replace("  return", "  log(value);\n  return");

/**
 * Formats without a file in their instructions: the files of the example, and the first one after
 * it.
 */
const foreign = [
  [searchReplace, short, short.replace("number)", "number, digits = 2)")],
  [udiff, short, short.replace("value;", "value / 2;")],
  [strReplace, short, short.replace("value;", "value / 2;")],
  [elided, `log();\n\n${short}\nhalf(1);\n`, `log();\n\n${short.replace("value;", "value / 2;")}\nhalf(1);\n`],
  [v4a, halver, halver.replace("value;", "value / 2;"), "src/old.ts"],
  [
    lineCommands,
    `${logged}\nhalf(1);\n`,
    `${logged.replace("log(value);", "const half = value / 2;").replace("value;", "half;")}

export const double = (value: number) => value * 2;
half(1);
`,
  ],
] as const;

for (const [format, before, after, other] of foreign) {
  test(`the example in the instructions of ${format.name} has the documented effect`, () => {
    const [example = ""] = format.instructions.split("\n\nRules:");
    const files = new Map<string, string>([["src/math.ts", before]]);
    if (other !== undefined) files.set(other, "");
    const made = replay(format, example, files);
    expect(made.refusals).toEqual([]);
    expect(made.files?.get("src/math.ts")).toBe(after);
  });
}
