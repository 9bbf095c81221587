import { expect, test } from "vitest";
import { formatNamed, readAnswer, resolveOperations } from "../formats/index.ts";
import { goldenPrompt } from "./node/fixtures/golden-prompt.ts";
import { refusalPrompt } from "./retry-prompt.ts";

const text = "export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n";
const files = new Map([["src/a.ts", text]]);

const answers = {
  range: "@@ 2 return 1\n  return -1;\n@@ 20 return two\n  return -2;\n@@ 6 return 3\n  return -3;\n@@ end\n",
  "search-replace":
    "src/a.ts\n```ts\n<<<<<<< SEARCH\n  return 1;\n=======\n  return -1;\n>>>>>>> REPLACE\n```\n\nsrc/a.ts\n```ts\n<<<<<<< SEARCH\nexport function two(): number {\n  return 2;\n=======\n  return -2;\n>>>>>>> REPLACE\n```\n",
} as const;

for (const name of ["range", "search-replace"] as const) {
  test(`the retry prompt for an answer in ${name} that was refused in part`, () => {
    const format = formatNamed(name);
    const answer = answers[name];
    const content = readAnswer(format.read({ paths: [...files.keys()] }), answer);
    const { refusals, placed } = resolveOperations(content.operations, files);
    const refused = { answer, refusals: [...content.refusals, ...refusals], placedCount: placed.length, format, files };
    const { actual: is, expected: was } = goldenPrompt(`refused-${name}`, refusalPrompt(refused));
    expect(is).toBe(was);
  });
}

test("the prompt has the first of many refusals and the number of the others", () => {
  const refusals = Array.from({ length: 11 }, (_, row) => ({
    ...({ kind: "unreadable-row", message: `Number ${row}.`, row, path: undefined } as const),
  }));
  const refused = { answer: "", refusals, placedCount: 0, format: formatNamed("range"), files };
  const [ownAnswer, question] = refusalPrompt(refused);
  expect(ownAnswer!.text).toBe("(nothing)");
  expect(question!.text).toContain("Number 7.");
  expect(question!.text).not.toContain("Number 8.");
  expect(question!.text).toContain("And 3 more.");
});

test("the prompt after a cut-off answer requests the missing edits", () => {
  const refusals = [{ kind: "cut-off", message: "It ends too early.", row: 4, path: undefined }] as const;
  const refused = { answer: "@@ 1 a", refusals, placedCount: 2, format: formatNamed("range"), files };
  expect(refusalPrompt(refused)[1]!.text).toContain("The last row that came is `@@ 1 a`. If");
  expect(refusalPrompt(refused)[1]!.text).toContain("put right, and those that were still to come. Line numbers");
});
