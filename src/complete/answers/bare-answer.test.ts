import { expect, test } from "vitest";
import { bareAnswer } from "./bare-answer.ts";

/** What is left of an answer behind a text, and what was done to it. */
function bare(prefix: string, answer: string, language = "typescript"): string {
  const place = { prefix, suffix: "", language, lineBefore: /[^\n]*$/.exec(prefix)![0] };
  const { text, changes } = bareAnswer(answer, place, true);
  return [text, ...changes].join(" | ");
}

test.each([
  ["const total = items.red", "const total = items.reduce(a)", "uce(a) | cut-echo"],
  ["    return sum(", "    return sum(items)", "items) | cut-echo"],
  ["  return a + ", "return a +  b;", "b; | cut-echo"],
  ["  return a + ", "return a", "return a"],
  ["a, ", "a, b", "a, b"],
  ["zero, one, ", "zero, one, two", "zero, one, two"],
  ["0, 0, ", "0, 0, 1", "0, 0, 1"],
  ["return ", "return a", "a | cut-echo"],
  ["return ", "returned", "returned"],
  ["  } ", "} else {", "else { | cut-echo"],
  ["  }", "} else {", " else { | cut-echo"],
  ["  })", "});", "});"],
  ["  }", "}", "}"],
  ["  } else ", "else {", "{ | cut-echo"],
  ["  } else ", "} else {", "{ | cut-echo"],
  ["  x = ", "x = 1", "1 | cut-echo"],
  ["  x +=", " x += 1", " 1 | cut-echo"],
  ["  x =", "x == y", "x == y"],
  ["typeof ", "typeof a", "typeof a"],
  ["await ", "await_all()", "await_all()"],
  ["<div>", "<div>a</div>", "<div>a</div>"],
  ["f(a, ", "\nf(a, b)", "\nf(a, b)"],
  ["  ", "f(a, b)", "f(a, b)"],
])("the line before the cursor: %j + %j: %j", (prefix, answer, expected) => {
  expect(bare(prefix, answer)).toBe(expected);
});

test.each([
  ["function f(a) {\n  const b = a;\n  ", "function f(a) {\n  const b = a;\n  return b;", "return b; | cut-echo"],
  ["function f(a) {\r\n  const b = a;\r\n  ", "function f(a) {\n  const b = a;\n  return b;", "return b; | cut-echo"],
  ["function f(a) {\n  const b = a;\n  ", "const b = a;\n  return b;", "return b; | cut-echo"],
  ["function f(a) {\n  const b = a", "function f(a) {\n  const b = a + 1;", " + 1; | cut-echo"],
  [
    "function f(a) {\n  const b = a;\n  ",
    "function f(a) {\n  return b;",
    "function f(a) {\n    return b; | indentation-fitted",
  ],
  ["  { one: two },\n", "  { one: two },\n  { a: b },", "  { one: two },\n  { a: b },"],
  ["  }\n}\n", "  }\n}\na();", "  }\n}\na();"],
])("the lines before the cursor: %j + %j: %j", (prefix, answer, expected) => {
  expect(bare(prefix, answer)).toBe(expected);
});

test.each([
  ["python", "", "```python\na = 1\n```\nThis sets it.", "a = 1 | cut-fence"],
  ["go", "\t", "```\nreturn a\n```", "return a | cut-fence"],
  ["go", "\t", "\n```go\nreturn a", "return a | cut-fence"],
  ["python", "", "```", " | cut-fence"],
  ["typescript", "const a = b.", "```ts\nconst a = b.c;\n```", "c; | cut-fence | cut-echo"],
  ["typescript", "const a = ", "`b\n```c`", "`b\n```c`"],
  ["typescript", "const a = ", "``", "``"],
  ["typescript", "const a = `\n", "```ts\nb\n```\n`", "```ts\nb\n```\n`"],
  ["rust", "/// ", "```\n/// f();\n/// ```", "```\n/// f();\n/// ```"],
  ["markdown", "", "```ts\na\n```", "```ts\na\n```"],
  ["typescript", "", "~~~ts\na();\n~~~\nThis calls it.", "a(); | cut-fence"],
  ["typescript", "", "````ts\na(`\n```\n`);\n````", "a(`\n```\n`); | cut-fence"],
])("a fence in %s: %j + %j: %j", (language, prefix, answer, expected) => {
  expect(bare(prefix, answer, language)).toBe(expected);
});

test.each([
  ["python", "", "Here is the completion:\n\na = 1", "a = 1 | cut-talk"],
  ["typescript", "const a = ", "<think>One.</think>\nb;", "b; | cut-talk"],
  [
    "typescript",
    "const a = ",
    "Sure! Here is the code:\n```ts\nconst a = b;\n```",
    "b; | cut-talk | cut-fence | cut-echo",
  ],
  ["python", "# ", "Here is the code:\n# a = 1", "Here is the code:\n# a = 1"],
  ["markdown", "", "Here is the code:\n", "Here is the code:\n"],
  ["markdown", "", "<think>One.</think>\nHere is the code:\n", "Here is the code:\n | cut-talk"],
  ["typescript", 'a("', "Here is the code: ", "Here is the code: "],
])("talk around an answer is removed in %s: %j + %j: %j", (language, prefix, answer, expected) => {
  expect(bare(prefix, answer, language)).toBe(expected);
});

const refusal = "I'm sorry, but I can't help with that.";

test.each([
  [
    "typescript",
    "  ",
    "Okay, the function should add one.\n\n```ts\nreturn x + 1;\n```",
    "return x + 1; | cut-talk | cut-fence",
  ],
  ["typescript", "  ", "Here you go:\n```\nreturn x + 1;\n```", "return x + 1; | cut-talk | cut-fence"],
  ["typescript", "  ", "Voici le code :\n```\nreturn x + 1;\n```", "return x + 1; | cut-talk | cut-fence"],
  ["typescript", "  ", "Here you go: ```return x + 1;```", " | cut-talk"],
  ["typescript", "  ", "Sure! You can return x + 1:\n\nreturn x + 1;", " | cut-talk"],
  ["typescript", "  ", "Voici le code :", " | cut-talk"],
  ["typescript", "  ", refusal, " | cut-talk"],
  ["yaml", "a: ", refusal, " | cut-talk"],
  ["shellscript", "", refusal, " | cut-talk"],
  ["typescriptreact", "return <p>", refusal, " | cut-talk"],
  ["typescriptreact", "return <p>", "This is the first page.", "This is the first page."],
  ["yaml", "", "Words of the day:\n  - a", "Words of the day:\n  - a"],
  ["typescript", "// ", "This is the first line.", "This is the first line."],
  ["markdown", "", refusal, refusal],
  ["typescript", "  ", "Sure.then(a);", "Sure.then(a);"],
  ["typescript", "  ", "[HOLE] return x + 1;", "return x + 1; | cut-talk"],
  ["typescript", "  ", "1. return x + 1;", "return x + 1; | cut-talk"],
  ["typescript", "const HOLE = 1;\nconst a = ", "[HOLE];", "[HOLE];"],
  ["typescript", "const a = ", "1. + b;", "1. + b;"],
])("what a model says instead of code in %s: %j + %j: %j", (language, prefix, answer, expected) => {
  expect(bare(prefix, answer, language)).toBe(expected);
});

test("a bare answer is empty while the start of its text is unknown", () => {
  const place = { prefix: "a = ", suffix: "", language: "typescript", lineBefore: "a = " };
  const lefts = ["<think>One.", "Here is the code:\n", "``", "b"].map((text) => bareAnswer(text, place, false).text);
  expect(lefts).toEqual(["", "", "", "b"]);
});

test("invisible characters are removed from a bare answer", () => {
  expect(bare("const a = ", "b\u202e /* c */\u2066;")).toBe("b /* c */; | cut-invisible");
});

test.each([
  ["typescript", "const sum = ", "We need add.\n</think>\n\nadd(1, 2)", "add(1, 2) | cut-talk"],
  ["python", "", "<reasoning>We add.\n</reasoning>\n\nadd(1, 2)", "add(1, 2) | cut-talk"],
  ["typescript", "", "add(1, 2);\n</think>\nadd(2, 3);", "add(1, 2);\n</think>\nadd(2, 3);"],
  ["typescript", 'const open = "', '<think>";\nconst close = "</think>";', '<think>";\nconst close = "</think>";'],
  ["markdown", "The tag `", "<think>` opens it.", "<think>` opens it."],
  ["markdown", "# A\n\n", "```ts\na();\n```\n", "```ts\na();\n```\n"],
])("row 51: reasoning and text in %s: %j + %j: %j", (language, prefix, answer, expected) => {
  expect(bare(prefix, answer, language)).toBe(expected);
});
