import { expect, test } from "vitest";
import { hasManyUnresolvedNames } from "./unresolved-names.ts";

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join("\n");

const cases: readonly (readonly [what: string, text: string, isMany: boolean])[] = [
  ["4,000 declared names and as many that nothing declares", lines(4_000, (n) => `const a${n} = b${n};`), true],
  ["the same without an end of a string", `x = "\n${lines(4_000, (n) => `const a${n} = b${n};`)}`, true],
  ["the same, returned by functions", lines(4_000, (n) => `function a${n}() { return b${n}; }`), true],
  ["the same in a minified line", lines(4_000, (n) => `let a${n}=1+b${n};`).replaceAll("\n", ""), true],
  ["100 names that nothing declares, each 100 times", lines(10_000, (n) => `const a${n} = b${n % 100};`), true],
  ["2,000 of either", lines(2_000, (n) => `const a${n} = b${n};`), false],
  ["words of the language", lines(20_000, (n) => `const a${n} = ${["null", "true", "b", "0"][n % 4]};`), false],
  ["calls and members of global names", lines(20_000, (n) => `const a${n} = b${n % 100}(c) + d${n % 100}.e;`), false],
  ["names that are all declared", lines(20_000, (n) => `const a${n + 1} = a${n};`), false],
  ["names that are imported", lines(8_000, (n) => `import { b${n} } from "b";\nconst a${n} = b${n};`), false],
  ["parameters", lines(8_000, (n) => `function a${n}(b${n}) { return b${n}; }`), false],
  ["members and keys", lines(8_000, (n) => `const a${n} = a0.b${n} + { c${n}: 1 };`), false],
  ["words of comments and texts", lines(8_000, (n) => `/** A${n} - b${n}. */\nconst a${n} = "c${n} d${n}";`), false],
];

test.each(cases)("hasManyUnresolvedNames: %s", (_, text, isMany) => {
  expect(hasManyUnresolvedNames(text)).toBe(isMany);
});
