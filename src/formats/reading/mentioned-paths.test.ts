import { expect, test } from "vitest";
import { mentionedPaths } from "./mentioned-paths.ts";

test.each([
  ["words", "In `src/a.ts`, change it:", ["src/a.ts"]],
  ["a row of its own", "File: `sp ace.ts`", ["sp ace.ts"]],
  ["the info of a fence", "```python:shop/price.py\na = 1\n```", ["shop/price.py"]],
  ["the first row of the code", "```ts\n// src/a.ts\nlet a;\n```", ["src/a.ts"]],
])("mentionedPaths finds a path in %s", (_, answer, paths) => {
  expect(mentionedPaths(answer)).toEqual(expect.arrayContaining(paths));
});

test.each([
  ["code", '```ts\nimport { a } from "./b.ts";\n```'],
  ["words without one", "Nothing to do."],
])("mentionedPaths finds none in %s", (_, answer) => {
  expect(mentionedPaths(answer)).toEqual([]);
});
