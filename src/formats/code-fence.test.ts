import { expect, test } from "vitest";
import { closesAround, closesCode, isShellFence, tryReadCodeFence } from "./code-fence.ts";

const fences: readonly (readonly [opening: string, closing: string, closes: boolean])[] = [
  ["```ts", "```", true],
  ["````ts", "```", false],
  ["~~~", "~~~~", true],
  ["<source>python", "</source>", true],
  ["<source>", "```", false],
  ["<code>", "</source>", false],
];

for (const [opening, closing, closes] of fences) {
  test(`${closing} behind ${opening}`, () => expect(closesCode(closing, tryReadCodeFence(opening)!)).toBe(closes));
}

test("rows that open no block", () => {
  for (const row of ["<source>a b", "<div>", "a ```", "<source"]) expect(tryReadCodeFence(row)).toBeUndefined();
});

test("a line of a diff closes no block", () => {
  const opening = tryReadCodeFence("```diff")!;
  expect(closesCode(" ```", opening)).toBe(true);
  expect(closesAround(" ```", opening)).toBe(false);
  expect(closesAround("```", opening)).toBe(true);
});

test("blocks for a shell", () => {
  expect(isShellFence(tryReadCodeFence("```bash title=x")!)).toBe(true);
  expect(isShellFence(tryReadCodeFence("```ts")!)).toBe(false);
  expect(isShellFence(tryReadCodeFence("```")!)).toBe(false);
});
