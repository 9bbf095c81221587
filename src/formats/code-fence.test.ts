import { expect, test } from "vitest";
import { closesCode, isShellFence, tryReadCodeFence } from "./code-fence.ts";

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

test("blocks for a shell", () => {
  expect(isShellFence(tryReadCodeFence("```bash title=x")!)).toBe(true);
  expect(isShellFence(tryReadCodeFence("```ts")!)).toBe(false);
  expect(isShellFence(tryReadCodeFence("```")!)).toBe(false);
});
