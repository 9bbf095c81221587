import { afterAll, expect, test } from "vitest";
import type { Syntax } from "../../syntax/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { bareAnswer } from "../answers/bare-answer.ts";
import { Trimmer } from "../answers/trim.ts";
import { tryPlace } from "../place.ts";
import { defaultGhostTextSettings as settings } from "../settings.ts";
import { fitText } from "./fit.ts";
import type { Shape } from "./shape.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const paths: Readonly<Record<string, string>> = { typescript: "a.ts", python: "a.py", go: "a.go", rust: "a.rs" };

/** What is offered of an answer at the `|`, with what was done to it; or why nothing is. */
async function offered(
  language: string,
  text: string,
  answer: string,
  shape: Shape = "line",
  parser: Syntax = syntax,
): Promise<string> {
  const path = paths[language] ?? "a.txt";
  const document = { uri: path, language, version: 1, text: text.replace("|", "") };
  const place = tryPlace({ document, path, offset: text.indexOf("|"), trigger: "automatic" })!;
  const trimmer = new Trimmer({ place, shape, maxLines: 8 });
  const bare = bareAnswer(answer, place, true);
  const options = { place, trimmer, syntax: parser, settings, typed: "", isWhole: true, changes: bare.changes };
  const fitted = await fitText(bare.text, options);
  if (fitted.kind === "no-suggestion") return fitted.reason.kind;
  const covered = fitted.covered > 0 ? `‹${place.suffix.slice(0, fitted.covered)}›` : "";
  return [fitted.text + covered, ...fitted.changes].join(" | ");
}

test.each([
  ["typescript", "const a = |\n", "b + c;", "b + c;"],
  ["typescript", "const a = |\n", "b + c;\nconst d = e;", "b + c; | trimmed-lines"],
  ["typescript", "const a = |\n", "b;<|endoftext|>more", "b; | cut-special-token"],
  ["typescript", "const a = |\n", "<|fim_pad|>", "empty"],
  ["typescript", 'const a = "|"\n', 'b";', 'b";‹"›'],
  ["typescript", "const a = |;\n", "f(g(1)", "breaks-syntax"],
  ["typescript", "const a = f(|);\n", "b);", "b | cut-closers"],
  ["typescript", "const a = f(|);\n", "b).c();", "b).c( | cut-closers"],
  ["typescript", "const a = |\n", "b c;", "b | shortened-for-syntax"],
  ["typescript", "|\nf();\n", "f();", "repeats-what-follows"],
  ["typescript", "const a = [|\n", `${"0, ".repeat(20)}`, "repeats-itself"],
  ["typescript", "f();\n|\n", ") ]", "breaks-syntax"],
  ["typescript", "f(|)\n", ")", "empty"],
  ["typescript", "f(a|)\n", "]", "breaks-syntax"],
  ["typescript", "function f() {\n  g();\n|\n", "}", "}"],
  ["typescript", "function f() {\n  g();\n|\n}\n", "}", "repeats-what-follows"],
  ["typescript", "const a = |;\n", "= = =", "breaks-syntax"],
  ["typescript", "const a = |\n", "b\ud83d", "b"],
  ["typescript", "const a = '|'\n", "😀", "😀"],
  ["typescript", "const a = items.red|\n", "const a = items.reduce(f);", "uce(f); | cut-echo"],
  ["python", "total = |\n", "```python\ntotal = 1\n```\nIt is one.", "1 | cut-fence | cut-echo"],
  ["go", "package a\n\nvar a = |\n", "```go\n1\n```", "1 | cut-fence"],
  ["go", "package a\n\nvar a = |\n", "```", "empty"],
  ["python", "a = [|]\n", "1, 2]", "1, 2 | cut-closers"],
  ["go", "package a\n\nfunc f() int {\n\treturn |\n}\n", "1 + 2\n}\n", "1 + 2 | trimmed-lines"],
  ["rust", "fn f() -> u8 {\n    g(|)\n}\n", "1, 2)", "1, 2 | cut-closers"],
  ["plaintext", "some words |\n", "and more words", "and more words"],
])("an answer is fitted to its place in %s: %j + %j: %s", async (language, text, answer, expected) => {
  expect(await offered(language, text, answer)).toBe(expected);
});

test.each([
  [
    "function f() {\n  |\n}\n",
    "if (a) {\n      b();\n  }\n}\n\nfunction g() {}",
    "if (a) {\n    b();\n  } | trimmed-at-block | indentation-fitted",
  ],
  ["function f() {\n    g();\n    |\n}\n", "if (a) {\n        b(;\n    }", "if (a) { | cut-closers"],
])("an answer is fitted as a statement: %j + %j", async (text, answer, expected) => {
  expect(await offered("typescript", text, answer, "statement")).toBe(expected);
});

test.each([
  [
    "python",
    "def a():\n    b()\n\ndef f():\n|\n",
    "if a:\n    b()\nc()",
    "    if a:\n        b()\n    c() | indentation-fitted",
  ],
  ["python", "def f():\n    |\n", "if a:\n    b()\nc()", "if a:\n        b()\n    c() | indentation-fitted"],
  [
    "typescript",
    "class A {\n  f() {\n    |\n  }\n}\n",
    "if (a) {\n  b();\n}\nc();\n}",
    "if (a) {\n      b();\n    }\n    c(); | indentation-fitted | trimmed-at-block",
  ],
])("in a block that the answer counts from zero: %s: %j + %j", async (language, text, answer, expected) => {
  expect(await offered(language, text, answer, "block")).toBe(expected);
});

test.each([
  ["typescript", "function f() {|}\n", "\n  return a;\n}", "\n  return a;\n"],
  ["typescript", "class A {\n  f() {|}\n}\n", "\n    return a;\n  }\n}", "\n    return a;\n  "],
  ["typescript", "class A {\n  f() {| }\n}\n", "\n    return a;\n  }\n}", "\n    return a;\n  }‹ }›"],
  ["typescript", "f(() => {|});\n", "\n  return a;\n});\ng();", "\n  return a;\n"],
  ["typescript", "function f() {|}\n", "\n  return a;", "\n  return a;\n"],
  ["typescript", "const a = [|];\n", "\n  1,\n  2,\n];\n", "\n  1,\n  2,\n"],
  ["typescript", "function f() {|}\n", "\n}", "empty"],
  ["typescript", "f(|)\n", "\n  a\n)", "empty"],
  ["rust", "fn f() -> u8 {|}\n", "\n    1\n}", "\n    1\n"],
  ["go", "package a\n\nfunc f() int {|}\n", "\n\treturn 1\n}\n\nfunc g() {}\n", "\n\treturn 1\n"],
])("an answer is fitted between braces: %s: %j + %j: %j", async (language, text, answer, expected) => {
  const [written] = (await offered(language, text, answer)).split(" | ");
  expect(written).toBe(expected);
});

test.each([
  ["go", "package a\n\nfunc f() {\n\tg(|)\n}\n", "1 2))"],
  ["typescript", "const a = |;\n", "= = ="],
])("no text is parsed twice: %s: %j + %j", async (language, text, answer) => {
  const parsed: string[] = [];
  const counting: Syntax = {
    ...{ ...syntax, openTrees: 0 },
    parse(document) {
      parsed.push(document.text);
      return syntax.parse(document);
    },
    syntaxErrors(document, options) {
      if (options?.tree === undefined) parsed.push(document.text);
      return syntax.syntaxErrors(document, options);
    },
  };
  await offered(language, text, answer, "line", counting);
  expect(parsed.length).toBeGreaterThan(0);
  expect(new Set(parsed).size).toBe(parsed.length);
});
