import { expect, test } from "vitest";
import { formatNamed } from "../formats/index.ts";
import { editPrompt, printPrompt } from "./edit-prompt.ts";
import { goldenPrompt } from "./node/fixtures/golden-prompt.ts";

const add = "\nexport function add(a: number, b: number): number {\n  return 0;\n}\n\n";
const request = {
  instruction:
    "このファイルの各関数の実装を提供してください。\nDeno.test を使用して、各関数が正しく実装されていることを確認するテストを追加してください。",
  files: [{ path: "src/add.ts", text: add }],
};

for (const name of ["range", "numbered"] as const) {
  test(`the whole prompt for ${name}`, () => {
    const { is, was } = goldenPrompt(name, editPrompt(request, formatNamed(name)));
    expect(is).toBe(was);
  });
}

test("the instruction stands as it was written, at the end of what the person says", () => {
  const [, user] = editPrompt(request, formatNamed("range"));
  expect(user!.text.endsWith(`The instruction:\n\n${request.instruction}\n`)).toBe(true);
});

test("requests that differ in their instruction begin alike, in whatever order their files come", () => {
  const files = ["b.ts", "a.ts"].map((path) => ({ path, text: `// ${path}\n` }));
  const context = [{ path: "docs/add.md", text: "Adds.\n```ts\nadd(1, 2)\n```\n" }];
  const [one, other] = [files, files.toReversed()].map((ordered, i) =>
    printPrompt(editPrompt({ instruction: `instruction ${i}`, files: ordered, context }, formatNamed("range"))),
  );
  expect(one!.split("instruction 0")[0]).toBe(other!.split("instruction 1")[0]);
  expect(one!.indexOf("# docs/add.md")).toBeLessThan(one!.indexOf("# a.ts"));
  expect(one!.indexOf("# a.ts")).toBeLessThan(one!.indexOf("# b.ts"));
  expect(one).toContain("````md\nAdds.\n```ts\nadd(1, 2)\n```\n````\n");
});

test("files that are not there yet are told by their paths", () => {
  const newPaths = ["src/c.ts", "src/b.ts"];
  const told = (files: typeof request.files) =>
    printPrompt(editPrompt({ ...request, files, newPaths }, formatNamed("range")));
  const section =
    "Files that are not there yet, and that you may make, by these paths:\n\n- src/b.ts\n- src/c.ts\n\nThe instruction:";
  expect(told(request.files)).toContain(section);
  expect(told([])).toContain(section);
  expect(told([])).not.toContain("There are no files yet");
});

test("the end of a long report is shown, in a fence that it cannot close", () => {
  const report = `${"x".repeat(5000)}\n\`\`\`\nexpected 3, received 0\n`;
  const [, user] = editPrompt({ ...request, report }, formatNamed("range"));
  expect(user!.text).toContain("expected 3, received 0\n````\n");
  expect(user!.text).not.toContain("x".repeat(4000));
});
