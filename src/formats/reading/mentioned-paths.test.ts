import { expect, test } from "vitest";
import { mentionedPaths } from "./mentioned-paths.ts";

test.each([
  ["words", "In `src/a.ts`, change it:", ["src/a.ts"]],
  ["a row of its own", "File: `sp ace.ts`", ["sp ace.ts"]],
  ["the info of a fence", "```python:shop/price.py\na = 1\n```", ["shop/price.py"]],
  ["the first row of the code", "```ts\n// src/a.ts\nlet a;\n```", ["src/a.ts"]],
  ["no path in code", '```ts\nimport { a } from "./b.ts";\n```', []],
  ["no path", "Nothing to do.", []],
])("finds paths of an answer: %s", (_, answer, paths) => {
  expect(mentionedPaths(answer)).toEqual(expect.arrayContaining(paths));
  if (paths.length === 0) expect(mentionedPaths(answer)).toEqual([]);
});
