import { expect, test } from "vitest";
import { numbered } from "../numbered.ts";
import { readAnswer } from "../reading/answer-reader.ts";
import { resolveOperations } from "./resolve-operations.ts";

const file = "function add(a, b) {\n  return 0;\n}\n";

/** Rows of an answer, and the file after it; with `!` at its start where a blank was removed. */
const cases: readonly (readonly [name: string, rows: readonly string[], expected: string])[] = [
  ["no blank", ["2:  return a + b;"], "function add(a, b) {\n  return a + b;\n}\n"],
  ["one blank", ["2:   return a + b;"], "!function add(a, b) {\n  return a + b;\n}\n"],
  ["two blanks are no gap", ["2:    return a + b;"], "function add(a, b) {\n    return a + b;\n}\n"],
  ["one row has none", ["2:   return a + b;", "+:add();"], "function add(a, b) {\n   return a + b;\n}\nadd();\n"],
  [
    "all rows, also where nothing is replaced",
    ["2:   return a + b;", "_: import b;", "+:", "+: add();"],
    "!import b;\nfunction add(a, b) {\n  return a + b;\n}\n\nadd();\n",
  ],
  ["one replaced line is indented as it was", ["1: function", "2:  return 1;"], " function\n  return 1;\n}\n"],
  ["the lines beside the place tell", ["_: import b;", "+: add();"], `!import b;\n${file}add();\n`],
];

for (const [name, rows, expected] of cases) {
  test(`a blank behind line numbers is removed: ${name}`, () => {
    const answer = `\`\`\`\n${rows.join("\n")}\n\`\`\`\n`;
    const { operations, refusals } = readAnswer(numbered.read({ paths: ["a.ts"] }), answer);
    const placement = resolveOperations(operations, new Map([["a.ts", file]]));
    expect([...refusals, ...placement.refusals]).toEqual([]);
    const [change] = placement.edit.changes;
    const after = change?.kind === "edit" ? change.edit.apply(file) : undefined;
    expect(`${placement.normalizations.length > 0 ? "!" : ""}${after}`).toBe(expected);
  });
}
