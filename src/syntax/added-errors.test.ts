import { afterAll, expect, test } from "vitest";
import { minimalEdit } from "../text/index.ts";
import { addedSyntaxErrors } from "./edited-errors.ts";
import { openSyntax } from "./node/index.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const cases: readonly (readonly [what: string, language: string, before: string, after: string, added: number])[] = [
  ["whole before and after", "typescript", "a();\n", "b();\n", 0],
  ["a bracket lost", "typescript", "if (a) {\n  b();\n}\n", "if (a) {\n  c();\n", 1],
  [
    "a bracket lost far from where the parser stops",
    "typescript",
    "f(() => {\n  a();\n});\nb();\n",
    "f(() => {\n  a();\nb();\n",
    1,
  ],
  ["broken before, elsewhere", "typescript", "a();\nif (\n", "b();\na();\nif (\n", 0],
  ["broken before, and text added at its end", "typescript", "if (a) {\n", "if (a) {\n  b();\n", 0],
  ["broken before, and broken again in front of it", "typescript", "a();\nif (\n", "a(;\nif (\n", 1],
  ["mended", "typescript", "if (a {\n}\n", "if (a) {\n}\n", 0],
  ["broken before, in another language", "python", "def f(:\n    pass\n\nx = 1\n", "def f(:\n    pass\n\nx = 2\n", 0],
  ["broken beside an older error", "python", "def f(:\n    pass\n\nx = 1\n", "def f(:\n    pass\n\nx = (1\n", 1],
  ["without a parser", "plaintext", "(", "((", 0],
];

for (const [what, language, before, after, added] of cases) {
  test(`new syntax errors are found: ${what}`, async () => {
    const document = (text: string) => ({ uri: "a", language, text });
    const edit = minimalEdit(before, after, { unit: "line" });
    const found = await addedSyntaxErrors(syntax, { before: document(before), edit, after: document(after) });
    expect(found.length > 0 ? 1 : 0).toBe(added);
  });
}
