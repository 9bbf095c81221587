import { describe, expect, test } from "vitest";
import { Shop, tsconfig } from "./fixtures/plan-shop.ts";

const money =
  "export function cents(n: number): number {\n  return n * 100;\n}\nexport interface Money {\n  readonly amount: number;\n}\n";
const packages = {
  "package.json": '{ "name": "root", "private": true, "workspaces": ["packages/*"] }\n',
  "tsconfig.json": tsconfig.replace('"bundler"', '"bundler", "paths": { "@acme/lib": ["./src/lib/index.ts"] }'),
};

/**
 * Importers of a barrel, and the barrel before and behind the move of `src/lib/money.ts` to
 * `src/lib/cash.ts`.
 */
const cases: readonly (readonly [name: string, importers: readonly string[], barrel: string, after: string])[] = [
  [
    "export *",
    ['import { cents } from "../lib";\nexport const a = cents(1);\n'],
    'export * from "./money";\n',
    'export * from "./cash";\n',
  ],
  [
    "a list, with a type",
    [
      'import { cents, type Money } from "../lib";\nexport const a: Money = { amount: cents(1) };\n',
      'import type { Money } from "../lib/index";\nexport let b: Money;\n',
    ],
    'export { cents, type Money } from "./money";\n',
    'export { cents, type Money } from "./cash";\n',
  ],
  [
    "export * beside other exports",
    ['import { cents, one } from "../lib";\nexport const a = cents(one);\n'],
    'export const one = 1;\nexport * from "./money";\n',
    'export const one = 1;\nexport * from "./cash";\n',
  ],
  [
    "names that the barrel changes",
    ['import { toCents } from "../lib";\nexport const a = toCents(1);\n'],
    'export { cents as toCents } from "./money";\n',
    'export { cents as toCents } from "./cash";\n',
  ],
  [
    "the name of a package",
    ['import { cents } from "@acme/lib";\nexport const a = cents(1);\n', 'export { cents } from "@acme/lib";\n'],
    'export * from "./money";\n',
    'export * from "./cash";\n',
  ],
];

describe("row 25: a file that a barrel re-exports moves", () => {
  test.each(cases)("row 25: importers of the barrel stay: %s", async (_name, importers, barrel, after) => {
    const files = Object.fromEntries(importers.map((text, index) => [`src/app/user${index}.ts`, text]));
    const work = new Shop({ ...packages, ...files, "src/lib/index.ts": barrel, "src/lib/money.ts": money });
    work.git("mv", "src/lib/money.ts", "src/lib/cash.ts");
    const { exitCode, err } = await work.run(["plan", "--yes"]);
    expect([exitCode, err]).toEqual([0, expect.stringContaining("Written: src/lib/index.ts.")]);
    expect(work.read("src/lib/index.ts")).toBe(after);
    for (const [path, text] of Object.entries(files)) expect(work.read(path)).toBe(text);
  });

  test("row 25: importers of the file itself follow the move besides a barrel", async () => {
    const work = new Shop({
      ...packages,
      "src/app/a.ts": 'import { cents } from "../lib/money";\nexport const a = cents(1);\n',
      "src/app/b.ts": 'import { cents } from "../lib";\nexport const b = cents(1);\n',
      "src/lib/index.ts": 'export * from "./money";\n',
      "src/lib/money.ts": money,
    });
    work.git("mv", "src/lib/money.ts", "src/lib/cash.ts");
    expect((await work.run(["plan", "--yes"])).exitCode).toBe(0);
    expect(work.read("src/app/a.ts")).toBe('import { cents } from "../lib/cash";\nexport const a = cents(1);\n');
    expect(work.read("src/app/b.ts")).toBe('import { cents } from "../lib";\nexport const b = cents(1);\n');
  });
});
