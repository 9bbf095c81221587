import { expect, test } from "vitest";
import { tryOutdent, tryReadWrapped } from "./wrapped-code.ts";

/**
 * Lines with ` / ` between them. The expectation is the path, the code, and whether that is
 * everything.
 */
const cases: readonly (readonly [name: string, lines: string, expected: readonly unknown[] | undefined])[] = [
  ["a fence", "```ts / a / ```", [undefined, "a", true]],
  ["a path and a fence", " / # src/a.ts /  / ```ts / a / ``` / ", ["src/a.ts", "a", true]],
  ["code behind the fence", "```ts / a / ``` / b", [undefined, "a", false]],
  ["a fence in the inner one", "````md / ```ts / a / ``` / ````", [undefined, "```ts / a / ```", true]],
  ["a fence that is not closed", "```ts / a", undefined],
  ["code in front of the fence", "a / ```ts / b / ```", undefined],
  ["a path alone", "src/a.ts", undefined],
  ["nothing", "", undefined],
];

for (const [name, lines, expected] of cases) {
  test(`wrapped code is found: ${name}`, () => {
    const rows = lines.split(" / ");
    const found = tryReadWrapped(rows, []);
    expect(found && [found.path, rows.slice(found.start, found.end).join(" / "), found.isAll]).toEqual(expected);
  });
}

test.each([
  ["  ```", ["  a", "", "    b"], ["a", "", "  b"]],
  ["  ```", ["  a", "b"], undefined],
  ["```", ["  a"], undefined],
])("wrapped code is found with lines behind %j", (fence, lines, expected) =>
  expect(tryOutdent(lines, fence)).toEqual(expected),
);
