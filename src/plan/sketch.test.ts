import { expect, test } from "vitest";
import { BlockReader, type CodeBlock } from "../analysis/index.ts";
import { parseScriptTree } from "../names/node/index.ts";
import { outlineOf, sketchOf } from "./step-context.ts";

const reader = new BlockReader({
  parseScript: parseScriptTree,
  syntax: { load: async () => undefined, tryParse: () => undefined } as never,
});

const file = `import { a } from "./a.ts";

/** Adds. */
export function sum(
  one: number,
  two: number,
): number {
  const all = one + two;
  return all;
}

export class Box extends Base {
  readonly size = 1;

  /** Opens it. */
  open(key: string): boolean {
    this.tried = true;
    return key === "k";
  }

  close(): void {
    this.tried = false;
  }
}

export const table = {
  a: 1,
};
`;
const blocks = reader.tryBlocks("box.ts", file)!;
const named = (name: string): CodeBlock => blocks.find((block) => block.name === name)!;

test("sketchOf shows a member in its class, without the bodies of the others", () => {
  expect(sketchOf(file, blocks, named("Box.open"))).toBe(`export class Box extends Base {
  readonly size = 1;

  /** Opens it. */
  open(key: string): boolean {
    this.tried = true;
    return key === "k";
  }

  close(): void { … }
}`);
});

test("sketchOf shows anything else in its file", () => {
  const sketch = sketchOf(file, blocks, named("table"));
  expect(sketch).toContain("  two: number,\n): number { … }\n");
  expect(sketch).toContain("  open(key: string): boolean { … }\n");
  expect(sketch).toContain("export const table = {\n  a: 1,\n};\n");
});

test("outlineOf returns a short block whole and a long one without its bodies", () => {
  expect(outlineOf(file, named("Box.close"))).toBe("close(): void {\n    this.tried = false;\n  }");
  expect(outlineOf(file, named("sum"), 3)).toBe(
    "export function sum(\n  one: number,\n  two: number,\n): number { … }",
  );
});
