import { afterAll, expect, test } from "vitest";
import { openSyntax } from "../syntax/node/index.ts";
import { play } from "./fixtures/play.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const instruction =
  "このファイルの各関数の実装を提供してください。\nDeno.test を使用して、各関数が正しく実装されていることを確認するテストを追加してください。\n";
const before = "\nexport function add(a: number, b: number): number {\n  throw new Error('Not implemented');\n}\n";

const after = `import { assertEquals } from "https://deno.land/std/testing/asserts.ts";

export function add(a: number, b: number): number {
  return a + b;
}

Deno.test("add function", () => {
  assertEquals(add(1, 2), 3);
  assertEquals(add(-1, 1), 0);
  assertEquals(add(-1, -1), -2);
});
`;

const appended = [
  "",
  'Deno.test("add function", () => {',
  "  assertEquals(add(1, 2), 3);",
  "  assertEquals(add(-1, 1), 0);",
  "  assertEquals(add(-1, -1), -2);",
  "});",
];
const fenced = (...rows: readonly string[]) => `\`\`\`ts\n${rows.join("\n")}\n\`\`\`\n`;

const written = fenced(
  "3:  return a + b;",
  '_:import { assertEquals } from "https://deno.land/std/testing/asserts.ts";',
  ...appended.map((line) => `+:${line}`),
);

test("the seed example in numbered lines gives the requested code", async () => {
  const played = await play({ syntax, instruction, before, answers: [written], format: "numbered" });
  expect(played.story).toEqual(["first: offered"]);
  expect(played.after["a.ts"]).toBe(after);
});

test("the seed example with a blank after each colon gives the requested code", async () => {
  const spaced = written.replaceAll(/^([\d_+]+:)(?=.)/gm, "$1 ");
  const played = await play({ syntax, instruction, before, answers: [spaced], format: "numbered" });
  expect(played.outcome.kind).toBe("offered");
  expect(played.after["a.ts"]).toBe(after);
});

test("a bracket that the last row overwrites is kept", async () => {
  const broken = fenced("3:  // add function", "4:  return a + b;");
  const mended = fenced(
    "export function add(a: number, b: number): number {",
    "  // add function",
    "  return a + b;",
    "}",
  );
  const played = await play({ syntax, instruction, before, answers: [broken], otherwise: mended, format: "numbered" });
  expect(played.outcome.kind).toBe("offered");
  expect(played.after["a.ts"]).toBe(
    "\nexport function add(a: number, b: number): number {\n  // add function\n  return a + b;\n}\n",
  );
});

test("a missing line is refused and the answer requested again", async () => {
  const wrong = fenced("6:  return a + b; // This line number does not exist");
  const played = await play({ syntax, instruction, before, answers: [wrong, written], format: "numbered" });
  expect(played.story).toEqual(["first: refused", "refused: offered"]);
  expect(played.after["a.ts"]).toBe(after);
});

test("the seed example in ranges gives the requested code with fewer words", async () => {
  const answer = [
    "@@ 0+",
    'import { assertEquals } from "https://deno.land/std/testing/asserts.ts";',
    "@@ 3 throw new Error",
    "  return a + b;",
    "@@ 4+ }",
    ...appended,
    "@@ end",
    "",
  ];
  const played = await play({ syntax, instruction, before, answers: [answer.join("\n")] });
  expect(played.story).toEqual(["first: offered"]);
  expect(played.after["a.ts"]).toBe(after);
});
