import { afterAll, describe, expect, test } from "vitest";
import type { Completion } from "../../model/index.ts";
import { EditedSyntaxErrors } from "../../syntax/index.ts";
import { fixtures } from "../../syntax/node/fixtures/read-fixtures.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { Edit } from "../../text/index.ts";
import { type CheckedPlace, checkCompletions } from "./check-completion.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const endings: Readonly<Record<string, string>> = {
  ...{ typescript: "a.ts", typescriptreact: "a.tsx", javascript: "a.js", python: "a.py", go: "a.go", rust: "a.rs" },
  ...{ java: "A.java", c: "a.c", cpp: "a.cpp", csharp: "a.cs", ruby: "a.rb", php: "a.php", json: "a.json" },
  ...{ shellscript: "a.sh", html: "a.html", css: "a.css" },
};

async function placeOf(
  language: string,
  prefix: string,
  suffix: string,
  uri = endings[language] ?? "a.txt",
): Promise<CheckedPlace> {
  const document = { uri, language, text: prefix + suffix };
  const errors = await EditedSyntaxErrors.open(syntax, document);
  return { language, prefix, suffix, errorsWith: (text) => errors.after(Edit.insert(prefix.length, text)) };
}

/** A completion of tokens, each with the white space before it. */
function completionOf(text: string): Completion {
  const tokens = [...text.matchAll(/\s*(?:\w+|[^\w\s])/g)].map(([token]) => ({
    text: token,
    probability: 0.9,
    contexts: [],
  }));
  return { text, probability: 0.5, tokens };
}

/**
 * `text` has the completions between `«` and `»`, apart by `¦`, likeliest first. Answers what is
 * offered, with a word for how it came about unless it is the whole of the first.
 */
async function check(language: string, text: string): Promise<string> {
  const [, prefix, inside, suffix] = /^(.*)«(.*)»(.*)$/s.exec(text)!;
  const answer = await checkCompletions(
    inside!.split("¦").map(completionOf),
    await placeOf(language, prefix!, suffix!),
  );
  if (answer.kind !== "passed") return answer.kind;
  return (answer.how === "whole" ? "" : `${answer.how}: `) + answer.completion.text;
}

describe("a completion of complete code leaves it complete", () => {
  test.each([
    ["typescript", "const a = «1 + 2;»\n", "1 + 2;"],
    ["typescript", "const a = f(«b, c»);\n", "b, c"],
    ["typescript", "const a = f(«b, c)»);\n", "shortened: b, c"],
    ["typescript", "const a = f(«b, c)¦d»);\n", "shortened: b, c"],
    ["typescript", "const a = f(«)¦d»);\n", "alternative: d"],
    ["typescript", "const a = f(«)»);\n", "breaks-syntax"],
    ["typescript", "f();\n«}»\ng();\n", "breaks-syntax"],
    ["typescript", "const a = «b c»;\n", "shortened: b"],
    ["javascript", "const a = { x: 1«, y: 2» };\n", ", y: 2"],
    ["typescriptreact", "const a = <b>«<i>x</i>»</b>;\n", "<i>x</i>"],
    ["typescriptreact", "const a = <b>«</b>»</b>;\n", "breaks-syntax"],
    ["python", "a = [«1, 2»]\n", "1, 2"],
    ["python", "a = [«1, 2]»]\n", "shortened: 1, 2"],
    ["go", "package a\n\nfunc f() int {\n\treturn «1 + 2»\n}\n", "1 + 2"],
    ["go", "package a\n\nfunc f() int {\n\treturn «1 + 2 }»\n}\n", "shortened: 1 + 2"],
    ["rust", "fn f() -> u8 {\n    g(«1, 2»)\n}\n", "1, 2"],
    ["rust", "fn f() -> u8 {\n    g(«1, 2)»)\n}\n", "shortened: 1, 2"],
    ["java", "class A { int f() { return «1 + 2»; } }\n", "1 + 2"],
    ["java", "class A { int f() { return «1 + 2;}»; } }\n", "shortened: 1 + 2;"],
    ["json", '{ "a": «1» }\n', "1"],
    ["json", '{ "a": 1«, "b": 2» }\n', ', "b": 2'],
    ["css", "a { color: «red; top: 0» }\n", "red; top: 0"],
    ["html", "<p>«<b>x</b>»</p>\n", "<b>x</b>"],
    ["ruby", "def f\n  «g(1)»\nend\n", "g(1)"],
    ["php", "<?php\nf(«1, 2»);\n", "1, 2"],
    ["shellscript", 'if [ "$a" ]; then\n  «echo b»\nfi\n', "echo b"],
    ["plaintext", "«anything ( at all»\n", "anything ( at all"],
  ])("%s: %j", async (language, text, expected) => expect(await check(language, text)).toBe(expected));
});

describe("a completion of a text that is broken behind it adds no error before that one", () => {
  const go = (line: string) => `package a\n\nfunc f(items []int) int {\n${line}\n\tfor _,\n\treturn best\n}\n`;
  test.each([
    ["go", go("\tbest :=«const minimults» items[0]"), "breaks-syntax"],
    ["go", go("\tbest :=« -»items[0]"), " -"],
    ["go", go("\tbest := «items[0]»"), "items[0]"],
    ["go", go("\t«if len(items) == 0 {»"), "if len(items) == 0 {"],
    ["python", "best =«lambda def» items[0]\nfor _,\nreturn best\n", "breaks-syntax"],
    ["python", "best = «items[0]»\nfor _,\nreturn best\n", "items[0]"],
    ["rust", "fn f() {\n    let a =«fn b» c[0];\n    for _,\n}\n", "breaks-syntax"],
    ["rust", "fn f() {\n    let a = «c[0];»\n    for _,\n}\n", "c[0];"],
    ["rust", "fn f() {\n    «if a {»\n    for _,\n}\n", "if a {"],
  ])("%s: %j", async (language, text, expected) => expect(await check(language, text)).toBe(expected));
});

describe("a completion writes `return`, `break` and the like only where the language allows it", () => {
  test.each([
    ["typescript", "const a = 1;\n«return a;»\n", "breaks-syntax"],
    ["typescript", "const a = 1;\nretu«rn a;»\n", "breaks-syntax"],
    ["typescript", "const a = 1;\n«return f(»\n", "breaks-syntax"],
    ["typescript", "const a = 1;\n«return a;¦f(a);»\n", "alternative: f(a);"],
    ["typescript", "const a = 1;\n«f(a);\nreturn a;»\n", "shortened: f(a);"],
    ["typescript", "return «a;»\n", "a;"],
    ["typescript", "f(() => {\n  «return a;»\n});\n", "return a;"],
    ["typescript", "«function f() {\n  return a;»\n", "function f() {\n  return a;"],
    ["typescript", "if (a) {\n  «continue;»\n}\n", "breaks-syntax"],
    ["python", "def f():\n    «await g()»\n", "breaks-syntax"],
    ["python", "async def f():\n    «await g()»\n", "await g()"],
    ["python", "def f():\n    «yield 1»\n", "yield 1"],
    ["python", "«yield 1»\n", "breaks-syntax"],
    ["go", "package a\n\nfunc f() {\n\t«continue»\n}\n", "breaks-syntax"],
    ["go", "package a\n\nfunc f() {\n\tfor {\n\t\t«continue»\n\t}\n}\n", "continue"],
    ["rust", "fn f() {\n    «g().await;»\n}\n", "shortened: g()"],
    ["ruby", "«next if a»\n", "breaks-syntax"],
  ])("%s: %j", async (language, text, expected) => expect(await check(language, text)).toBe(expected));
});

describe("a completion may leave brackets and blocks open", () => {
  test.each([
    ["typescript", "f();\n«if (a) {»\n", "if (a) {"],
    ["typescript", "class A {\n  «constructor(private readonly b: C) {»\n}\n", "constructor(private readonly b: C) {"],
    ["typescript", "const a = «f({»\n", "f({"],
    ["typescript", "const a = «b +»\n", "b +"],
    ["typescript", "«import { a } from»\n", "import { a } from"],
    ["typescript", "«function»\nfunction f() {}\n", "function"],
    ["typescript", "«function* g»\nfunction f() {}\n", "function* g"],
    ["typescript", "const a: string[«]»\nf();\n", "]"],
    ["typescript", "«import { a, b }»\n", "import { a, b }"],
    ["typescript", "xs.map(«(x) =>»);\n", "(x) =>"],
    ["javascript", "«} else {»\n", "breaks-syntax"],
    ["javascript", "if (a) {\n  f();\n«} else {»\n", "} else {"],
    ["typescriptreact", "const a = (\n  «<div className={b}>»\n);\n", "<div className={b}>"],
    ["python", "«for a in b:»\n", "for a in b:"],
    ["python", "def f():\n    «if a:»\n    return 1\n", "if a:"],
    ["python", "«class A(B):»\n", "class A(B):"],
    ["go", "package a\n\nfunc f() {\n\t«if err != nil {»\n}\n", "if err != nil {"],
    ["rust", "fn f() {\n    «match a {»\n}\n", "match a {"],
    ["java", "class A {\n  «public int f(int a) {»\n}\n", "public int f(int a) {"],
    ["csharp", "class A {\n  «public int F(int a) {»\n}\n", "public int F(int a) {"],
    ["c", "int f(void) {\n  «for (int i = 0; i < 3; i++) {»\n}\n", "for (int i = 0; i < 3; i++) {"],
    ["cpp", "«namespace a {»\n", "namespace a {"],
    ["ruby", "«def f(a)»\n", "def f(a)"],
    ["ruby", "class A\n  «def f(a)»\nend\n", "def f(a)"],
    ["php", "<?php\n«foreach ($a as $b) {»\n", "foreach ($a as $b) {"],
    ["shellscript", "«for a in b; do»\n", "for a in b; do"],
    ["shellscript", "«if [ -f a ]; then»\n", "if [ -f a ]; then"],
    ["json", '{\n  "a": «{»\n}\n', "{"],
    ["json", '{\n  «"a":»\n}\n', '"a":'],
    ["css", "«.a {»\n", ".a {"],
    ["css", ".a {\n  «color:»\n}\n", "color:"],
    ["html", '<p>\n  «<b class="x">»\n</p>\n', '<b class="x">'],
  ])("%s: %j", async (language, text, expected) => expect(await check(language, text)).toBe(expected));
});

describe("a completion of broken code adds no syntax error", () => {
  test.each([
    // The person is writing a call.
    ["typescript", "const a = f(«b,»\n", "b,"],
    ["typescript", "const a = f(«b)»\n", "b)"],
    ["typescript", "class A {\n  f() {\n    return «1;»\n", "1;"],
    ["typescript", "function f() {\n«}»\n", "}"],
    // Broken before the place.
    ["typescript", "const = 1;\nconst b = «2;»\n", "2;"],
    // Broken behind it: the parser sees either, and the one in the completion is new.
    ["typescript", "const a = «1 2»;\nconst = 1;\n", "shortened: 1"],
    ["python", "a = (\nb = [«1, 2]»\n", "1, 2]"],
    ["python", "a = f(«b, c)»\n", "b, c)"],
    ["go", "package a\n\nfunc f() {\n\tg(«1, 2)»\n", "1, 2)"],
  ])("%s: %j", async (language, text, expected) => expect(await check(language, text)).toBe(expected));
});

test("the probability of a shortened completion is higher than that of the whole", async () => {
  const answer = await checkCompletions([completionOf("b, c)")], await placeOf("typescript", "const a = f(", ");\n"));
  expect(answer).toMatchObject({ kind: "passed", completion: { text: "b, c", probability: 0.9 ** 3 } });
});

test("the removed rest of a line passes the syntax check in every fixture", async () => {
  const failed: string[] = [];
  for (const { name, language, text } of fixtures) {
    const lines = [...text.matchAll(/^.*\S.*$/gm)];
    for (const line of lines.filter((_, index) => index % 4 === 0)) {
      const indent = /^\s*/.exec(line[0])![0].length;
      const middle = indent + Math.ceil((line[0].length - indent) / 2);
      const start = line.index + middle;
      const end = line.index + line[0].length;
      const place = await placeOf(language, text.slice(0, start), text.slice(end), name);
      const answer = await checkCompletions([completionOf(text.slice(start, end))], place);
      if (answer.kind !== "passed" || answer.how !== "whole") failed.push(`${name}: ${line[0]}`);
    }
  }
  expect(failed).toEqual([]);
});
