import { expect, test } from "vitest";
import { scriptErrors } from "../script-errors.ts";
import { openSyntax } from "./open-syntax.ts";
import { parseHere } from "./parse-here.ts";
import { parseScript } from "./parse-script.ts";

const goal = { kind: "tsx", source: "module" } as const;

/** Texts that overflowed the stack of the native parser, which recurses for each level. */
test.each([
  ["brackets", `x = ${"[".repeat(60_000)}a${"]".repeat(60_000)}`],
  ["ternaries", `${"a?b:".repeat(60_000)}c`],
  ["arrows", `${"x=>".repeat(60_000)}a`],
  ["else if", `if(a){b}${"else if(a){b}".repeat(60_000)}`],
  ["types", `let x: ${"a<".repeat(60_000)}b${">".repeat(60_000)}`],
])("row 14: 60,000 nested %s end nothing but the process that reads them", { timeout: 30_000 }, async (_, text) => {
  expect(await scriptErrors(parseScript, text, "tsx", "a.tsx")).toEqual([]);
  expect(await scriptErrors(parseScript, "let a = ;", "tsx", "a.tsx")).toHaveLength(1);
});

test("a long text has the same errors in the isolated process as in this process", { timeout: 30_000 }, async () => {
  const text = `${"function f(a) { return a + 1; }\n".repeat(4_000)}let b = ;\n${"f(1);\n".repeat(1_000)}`;
  const problems = parseScript(text, goal);
  // Parsing it in this process would block other work.
  expect(problems).toBeInstanceOf(Promise);
  expect(await problems).toEqual(parseHere(text, goal));
  expect(parseHere(text, goal)).toHaveLength(1);
});

test("other work runs while a long text is parsed", { timeout: 30_000 }, async () => {
  const syntax = openSyntax();
  await syntax.load("java");
  const text = "class A { int f(int a) { return a + 1; } }\n".repeat(8_000);
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const errors = await syntax.syntaxErrors({ uri: "A.java", language: "java", text });
  isDone = true;
  syntax[Symbol.dispose]();
  expect(errors).toEqual([]);
  expect(turns).toBeGreaterThan(5);
});
