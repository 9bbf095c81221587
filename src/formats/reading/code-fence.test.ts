import { expect, test } from "vitest";
import { closesAround, closesCode, holdsCode, isShellFence, tryReadCodeFence } from "./code-fence.ts";

const fences: readonly (readonly [opening: string, closing: string, closes: boolean])[] = [
  ["```ts", "```", true],
  ["````ts", "```", false],
  ["~~~", "~~~~", true],
  ["<source>python", "</source>", true],
  ["<source>", "```", false],
  ["<code>", "</source>", false],
];

for (const [opening, closing, closes] of fences) {
  test(`closesCode of ${closing} behind ${opening}`, () =>
    expect(closesCode(closing, tryReadCodeFence(opening)!)).toBe(closes));
}

test("rows without a fence or tag open no code block", () => {
  for (const row of ["<source>a b", "<div>", "a ```", "<source"]) expect(tryReadCodeFence(row)).toBeUndefined();
});

test("a context line of a diff closes no code block", () => {
  const opening = tryReadCodeFence("```diff")!;
  expect(closesCode(" ```", opening)).toBe(true);
  expect(closesAround(" ```", opening)).toBe(false);
  expect(closesAround("```", opening)).toBe(true);
});

test("shell languages mark a block as shell commands", () => {
  expect(isShellFence(tryReadCodeFence("```bash title=x")!)).toBe(true);
  expect(isShellFence(tryReadCodeFence("```ts")!)).toBe(false);
  expect(isShellFence(tryReadCodeFence("```")!)).toBe(false);
});

test.each([
  ["", false],
  ["ts", false],
  ["c++", false],
  ["ts src/a.ts", false],
  ["ts:src/a.ts", false],
  ['tsx {1,3-4} title="a b" showLineNumbers', false],
  ["{.python .numberLines}", false],
  ["js linenums=1", false],
  ["const a = 1;", true],
  ["import os", true],
  ["1:a", true],
  ["f() {", true],
  ["x", false],
])("%j behind a fence may be code: %s", (info, expected) => expect(holdsCode(info, [])).toBe(expected));
