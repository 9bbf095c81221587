import { expect, test } from "vitest";
import { formatNamed, formats } from "../formats/index.ts";
import { redacted } from "../model/fixtures/redacted.ts";
import { editPrompt, printPrompt } from "./edit-prompt.ts";
import { goldenPrompt } from "./node/fixtures/golden-prompt.ts";

const add = "\nexport function add(a: number, b: number): number {\n  return 0;\n}\n\n";
const request = {
  instruction:
    "このファイルの各関数の実装を提供してください。\nDeno.test を使用して、各関数が正しく実装されていることを確認するテストを追加してください。",
  files: [{ path: "src/add.ts", text: add }],
};

for (const format of formats) {
  test(`the whole prompt for ${format.name} is that of the golden file`, () => {
    const { actual: is, expected: was } = goldenPrompt(format.name, editPrompt(request, format));
    expect(is).toBe(was);
  });
}

test("the instruction is at the end of the user message, word for word", () => {
  const [, user] = editPrompt(request, formatNamed("range"));
  expect(user!.text.endsWith(`The instruction:\n\n${request.instruction}\n`)).toBe(true);
});

test("prompts with different instructions have a common beginning in any order of files", () => {
  const files = ["b.ts", "a.ts"].map((path) => ({ path, text: `// ${path}\n` }));
  const context = [{ path: "docs/add.md", text: redacted("Adds.\n```ts\nadd(1, 2)\n```\n") }];
  const [one, other] = [files, files.toReversed()].map((ordered, i) =>
    printPrompt(editPrompt({ instruction: `instruction ${i}`, files: ordered, context }, formatNamed("range"))),
  );
  expect(one!.split("instruction 0")[0]).toBe(other!.split("instruction 1")[0]);
  expect(one!.indexOf("# docs/add.md")).toBeLessThan(one!.indexOf("# a.ts"));
  expect(one!.indexOf("# a.ts")).toBeLessThan(one!.indexOf("# b.ts"));
  expect(one).toContain("````md\nAdds.\n```ts\nadd(1, 2)\n```\n````\n");
});

test("the prompt lists the paths of new files", () => {
  const newPaths = ["src/c.ts", "src/b.ts"];
  const promptFor = (files: typeof request.files) =>
    printPrompt(editPrompt({ ...request, files, newPaths }, formatNamed("range")));
  const section =
    "Files that are not there yet, and that you may make, by these paths:\n\n- src/b.ts\n- src/c.ts\n\nThe instruction:";
  expect(promptFor(request.files)).toContain(section);
  expect(promptFor([])).toContain(section);
  expect(promptFor([])).not.toContain("There are no files yet");
});

test("the prompt shows the end of a long report in a fence that it cannot close", () => {
  const report = `${"x".repeat(5000)}\n\`\`\`\nexpected 3, received 0\n`;
  const [, user] = editPrompt({ ...request, report: redacted(report) }, formatNamed("range"));
  expect(user!.text).toContain("expected 3, received 0\n````\n");
  expect(user!.text).not.toContain("x".repeat(4000));
});
