import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { languageById } from "../syntax/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { type CodeText, codeLanguages, codeTexts } from "./fixtures/code-texts.ts";
import { Scene } from "./fixtures/scene.ts";
import type { GhostTextRequest } from "./request.ts";

const syntax = openSyntax();
beforeAll(async () => {
  for (const { language } of codeLanguages) {
    if (languageById(language)?.grammar !== undefined) await syntax.load(language);
  }
});
afterAll(() => syntax[Symbol.dispose]());

const paths: Readonly<Record<string, string>> = {
  ...Object.fromEntries(codeLanguages.map(({ language, path }) => [language, path])),
  ...{ typescriptreact: "a.tsx", html: "a.html", markdown: "a.md", json: "a.json", jsonc: "a.jsonc", yaml: "a.yaml" },
};

type Trigger = GhostTextRequest["trigger"];
const triggers: Readonly<Record<string, readonly Trigger[]>> = {
  key: ["invoked"],
  auto: ["automatic"],
  both: ["invoked", "automatic"],
};

interface CursorScene {
  readonly language: string;
  readonly text: string;
  readonly offset: number;
  readonly answer: string;
  readonly trigger?: Trigger;
}

/** The text that accepting the suggestion makes; `undefined` where there is none. */
async function accepted({
  language,
  text,
  offset,
  answer,
  trigger = "invoked",
}: CursorScene): Promise<string | undefined> {
  const path = paths[language] ?? "a.txt";
  const scene = new Scene({
    ...{ syntax, text, offset, language, path, models: { builtin: () => [answer] } },
    settings: { minDocumentCharacters: 0 },
  });
  try {
    const outcome = await scene.ask({ trigger });
    if (outcome.kind === "no-suggestion") return undefined;
    const [{ edit }] = outcome.suggestions;
    return text.slice(0, edit.start) + edit.text + text.slice(edit.end);
  } finally {
    scene[Symbol.dispose]();
  }
}

/**
 * A language, who asks, a text with the cursor at `‸`, the model's answer, and the text with it; ""
 * for no suggestion.
 */
type Row = readonly [language: string, asks: string, text: string, answer: string, expected: string];

async function check([language, asks, marked, answer, expected]: Row): Promise<void> {
  const offset = marked.indexOf("‸");
  const text = marked.replace("‸", "");
  for (const trigger of triggers[asks]!) {
    expect((await accepted({ language, text, offset, answer, trigger })) ?? "").toBe(expected);
  }
}

const none = "";

test.each<Row>([
  ["typescript", "both", "const a = 1‸;\n", ";", none],
  ["typescript", "both", "foo(bar(a‸));\n", "));", none],
  ["typescript", "both", "const a = 1‸;\nconst b = 2;\n", ";\nconst b = 2;", none],
  ["typescript", "both", "const o = {\n  a: 1‸,\n};\n", ",", none],
  ["typescript", "both", 'const s = "a‸";\n', '";', none],
  ["typescript", "both", "foo(bar(a‸), b);\n", "), b);", none],
  ["typescript", "both", "foo(a‸ , b);\n", ", b);", none],
  ["typescript", "both", "if (a) {‸\n  b();\n}\n", "\n  b();", none],
  ["typescript", "both", "if (a) {\n  ‸\n  b(c);\n}\n", "\n  b(", none],
  ["c", "both", "int a = 1‸;\n", ";", none],
  ["rust", "both", 'fn f() {\n  let a = "x‸";\n}\n', '";', none],
  ["java", "both", "class A {\n  int a = f(1‸);\n}\n", ");", none],
  ["php", "both", "<?php\n$a = f(1‸);\n", ");", none],
  ["sql", "both", "SELECT a FROM t‸;\n", ";", none],
  ["python", "both", "a = {\n    1: 2‸,\n}\n", ",", none],
  ["go", "both", "package a\n\nvar a = f(1‸)\n", ")", none],
  // What fits is offered all the same, and so is a bracket that the text lacks.
  ["typescript", "both", "const a = 1‸;\n", " + 2;", "const a = 1 + 2;\n"],
  ["typescript", "both", "foo(bar(a‸));\n", ", b));", "foo(bar(a, b));\n"],
  ["typescript", "both", "f(g(x‸);\n", ")", "f(g(x));\n"],
  ["typescript", "both", "f(g(x‸);\n", "));", "f(g(x));\n"],
  ["python", "both", "f(g(x‸)\n", ")", "f(g(x))\n"],
  ["rust", "both", "fn f() {\n  g(h(x‸);\n}\n", ")", "fn f() {\n  g(h(x));\n}\n"],
  ["sql", "both", "SELECT f(g(x‸);\n", ")", "SELECT f(g(x));\n"],
  ["typescript", "both", "const a = [[1, 2‸];\n", "]", "const a = [[1, 2]];\n"],
])("row 44: what only repeats the text behind the cursor: %s, %s: %j + %j: %j", (...row) => check(row));

test.each<Row>([
  ["typescript", "both", "const sum =‸\n", " /* the total */", none],
  ["typescript", "both", "const sum = ‸\nshow();\n", "// the total", none],
  ["typescript", "both", "function f() {\n  sum = ‸\n  show();\n}\n", "/* the total */", none],
  ["typescript", "both", "sum = ‸;\n", "/* the total */", none],
  ["typescript", "both", "const o = {\n  a: ‸\n};\n", "/* the total */", none],
  ["typescript", "both", "const a = b && ‸\n", "// and more", none],
  ["typescript", "both", "const a = new ‸\n", "/* a class */", none],
  ["typescript", "both", "const a = ‸\n", "b + /* and more */", "const a = b +\n"],
  ["javascript", "both", "if (a === ‸) {\n  b();\n}\n", "/* c */", none],
  ["python", "both", "total = ‸\nshow()\n", "# the total", none],
  ["python", "both", "def f():\n    return a and ‸\n", "# more", none],
  ["python", "both", 'a = {"b": ‸}\n', "# more", none],
  ["go", "both", "package a\n\nfunc f() {\n\ta := ‸\n\tg()\n}\n", "/* more */", none],
  ["rust", "both", "fn f() {\n    let a = ‸\n    g();\n}\n", "/* more */", none],
  ["java", "both", "class A {\n  int a = ‸\n}\n", "// more", none],
  ["c", "both", "int f(void) {\n  int a = ‸\n  g();\n}\n", "/* more */", none],
  ["cpp", "both", "int f() {\n  int a = b + ‸\n  g();\n}\n", "// more", none],
  ["csharp", "both", "class A {\n  int a = ‸\n}\n", "// more", none],
  ["ruby", "both", "def f\n  a = ‸\nend\n", "# more", none],
  ["ruby", "both", "def f\n  a = ‸\n  g(1)\nend\n", "# more", none],
  ["php", "both", "<?php\n$a = ‸\n", "/* more */", none],
  // A comment behind complete code, on a line of its own, or with an operand after it.
  ["typescript", "both", "const sum = 1;‸\n", " // the total", "const sum = 1; // the total\n"],
  ["typescript", "both", "count++‸\n", " // the total", "count++ // the total\n"],
  ["typescript", "both", "f(‸);\n", "/* nothing */", "f(/* nothing */);\n"],
  ["typescript", "both", "const a = [‸\n];\n", " // numbers", "const a = [ // numbers\n];\n"],
  ["typescript", "both", "if (a) {‸\n}\n", " // b", "if (a) { // b\n}\n"],
  ["typescript", "both", "const sum = ‸\n", "/* the total */ a + b;", "const sum = /* the total */ a + b;\n"],
  ["typescript", "key", "const sum = ‸ b;\n", "/* the total */", "const sum = /* the total */ b;\n"],
  [
    "typescript",
    "both",
    "switch (a) {\n  case 1:‸\n    b();\n}\n",
    " // one",
    "switch (a) {\n  case 1: // one\n    b();\n}\n",
  ],
  ["typescript", "both", "let a: b\n‸\n", "// the total", "let a: b\n// the total\n"],
  ["python", "both", "def f():‸\n    return 1\n", "  # one", "def f():  # one\n    return 1\n"],
  ["python", "both", "def f():\n    ‸\n    return 1\n", "# one", "def f():\n    # one\n    return 1\n"],
  ["cpp", "both", "class A {\npublic:‸\n};\n", " // all", "class A {\npublic: // all\n};\n"],
  ["rust", "key", "fn f() -> A<B>‸ {}\n", " /* c */", "fn f() -> A<B> /* c */ {}\n"],
  ["c", "both", "int *a;‸\n", " /* c */", "int *a; /* c */\n"],
])("a comment where an operand is due: %s, %s: %j + %j: %j", (...row) => check(row));

test.each<Row>([
  ["typescript", "key", "list.‸length;\n", "length", none],
  ["typescript", "key", "list.‸length;\n", "length;", none],
  ["typescript", "key", "list.‸length;\n", "length()", none],
  ["typescript", "key", "foo(‸bar, baz);\n", "bar", none],
  ["typescript", "key", "foo(‸bar, baz);\n", "bar, qux", none],
  ["typescript", "key", "tot‸al = 1;\n", "al", none],
  ["typescript", "key", "tot‸al = 1;\n", "al = 2;", none],
  ["typescript", "key", "tot‸al = 1;\n", "total", none],
  ["python", "key", "assert response.st‸atus_code == 200\n", "atus_code ==", none],
  ["markdown", "key", "The qu‸ick fox.\n", "ick fox", none],
  ["typescript", "key", "foo(‸bar, baz);\n", "qux, bar, baz);", "foo(qux, bar, baz);\n"],
  ["typescript", "key", "foo(‸bar, baz);\n", "qux, bar", "foo(qux, bar, baz);\n"],
  ["typescript", "key", "foo(‸bar, baz);\n", "qux, ", "foo(qux, bar, baz);\n"],
  ["typescript", "key", "list.‸length;\n", "items.", "list.items.length;\n"],
  ["typescript", "key", "a = ‸b;\n", "b + ", "a = b + b;\n"],
  ["python", "key", "response.st‸code\n", "atus_", "response.status_code\n"],
])("row 45: the word at the cursor: %s, %s: %j + %j: %j", (...row) => check(row));

test.each<Row>([
  [
    "typescript",
    "key",
    "async () => {\n  return ‸value;\n};\n",
    "await ",
    "async () => {\n  return await value;\n};\n",
  ],
  ["typescript", "key", "const d = ‸Date();\n", "new ", "const d = new Date();\n"],
  ["typescript", "key", "‸total = 1;\n", "const ", "const total = 1;\n"],
  ["typescript", "key", "‸total = 1;\n", "const   ", "const total = 1;\n"],
  ["python", "key", "if ‸a:\n    pass\n", "not ", "if not a:\n    pass\n"],
  ["python", "key", "f(‸a, b)\n", "x, ", "f(x, a, b)\n"],
  ["python", "key", 'f(‸"a", b)\n', "x, ", 'f(x, "a", b)\n'],
  ["rust", "key", "fn f() {\n  g(‸&a);\n}\n", "x, ", "fn f() {\n  g(x, &a);\n}\n"],
  ["markdown", "key", "The ‸fox jumps.\n", "quick ", "The quick fox jumps.\n"],
  ["html", "key", '<div ‸class="a">x</div>\n', 'id="b" ', '<div id="b" class="a">x</div>\n'],
  ["typescript", "both", "f(‸);\n", "a ", "f(a);\n"],
  ["typescript", "both", "const a = ‸;\n", "b ", "const a = b;\n"],
  ["typescript", "both", "const a = ‸\n", "b; ", "const a = b;\n"],
])("row 46: a space at the end of an answer: %s, %s: %j + %j: %j", (...row) => check(row));

test.each<Row>([
  ["python", "key", "for x in ‸y:\n    pass\n", "reversed(", none],
  ["python", "key", "print(‸y)\n", "f'{", none],
  ["typescript", "key", "const x = ‸y;\n", "await f(", none],
  ["typescript", "key", "const x = ‸y + 1;\n", "x[", none],
  ["typescript", "key", "const x = ‸y;\n", "f(a) + [b, ", "const x = f(a) + y;\n"],
  ["typescript", "key", "g(‸y);\n", "async () => {", "g(async () => y);\n"],
  ["rust", "key", "fn f() {\n  g(‸y);\n}\n", "vec![", none],
  ["go", "key", "package a\n\nvar a = ‸b\n", "f(", none],
  ["ruby", "key", "puts ‸a\n", "f(", none],
])("row 46: the end of a shortened answer and the word behind it: %s, %s: %j + %j: %j", (...row) => check(row));

test.each<Row>([
  ["typescript", "both", "const value = ‸\n", " foo();", "const value = foo();\n"],
  ["typescript", "both", "const value = ‸\n", "   foo();", "const value = foo();\n"],
  ["typescript", "both", "call(first, ‸)\n", " second", "call(first, second)\n"],
  ["typescript", "both", "() => {\n  return ‸\n};\n", " a;", "() => {\n  return a;\n};\n"],
  ["python", "both", "from os import ‸\n", " path", "from os import path\n"],
  ["typescript", "both", "// this is ‸\n", " a comment", "// this is a comment\n"],
  ["typescript", "both", 'const a = "this is ‸";\n', ' text";', 'const a = "this is text";\n'],
  ["markdown", "key", "- ‸\n", " item", "- item\n"],
  ["typescript", "key", 'f("a ‸");\n', "b ", 'f("a b");\n'],
  ["sql", "both", "SELECT ‸\n", " a FROM b;", "SELECT a FROM b;\n"],
  ["python", "both", "import os\n‸\n", " import sys", "import os\nimport sys\n"],
  ["typescript", "both", "f();\n‸\n", " g();", "f();\ng();\n"],
  [
    "python",
    "both",
    "class A:\n    a = 1\n\ndef f():\n‸\n",
    " return 1",
    "class A:\n    a = 1\n\ndef f():\n    return 1\n",
  ],
  // Where the blank is not doubled it stays.
  ["typescript", "both", "const value =‸\n", " foo();", "const value = foo();\n"],
  ["typescript", "both", "/**\n‸\n */\n", " * Adds.", "/**\n * Adds.\n */\n"],
  [
    "go",
    "both",
    "package a\n\ntype b struct {\n\tmu ‸\n}\n",
    "     sync.Mutex",
    "package a\n\ntype b struct {\n\tmu      sync.Mutex\n}\n",
  ],
  ["yaml", "both", "a:\n‸\n", " b: 1", "a:\n b: 1\n"],
])("row 47: a space at the start of an answer: %s, %s: %j + %j: %j", (...row) => check(row));

test.each<Row>([
  ["json", "both", '{\n  "alpha": 1‸\n}\n', ',\n  "b": 2\n}', '{\n  "alpha": 1,\n  "b": 2\n}\n'],
  ["json", "both", '{\n  "alpha": 1‸\n}\n', ',\n  "b": 2,\n}', '{\n  "alpha": 1,\n  "b": 2\n}\n'],
  ["json", "both", '{\n  "alpha": 1‸\n}\n', ",\n}", none],
  ["json", "both", '{\n  "alpha": 1‸\n}\n', ",", none],
  ["json", "both", "[1, 2‸]\n", ",]", none],
  ["json", "both", "[1, 2‸]\n", ",", none],
  ["json", "both", "[1, 2‸]\n", ", 3]", "[1, 2, 3]\n"],
  ["json", "both", "[1, 2‸]\n", ", 3,]", "[1, 2, 3]\n"],
  ["json", "both", '[\n  "a",\n  "b"‸\n]\n', ',\n  "c"\n]', '[\n  "a",\n  "b",\n  "c"\n]\n'],
  ["json", "both", '{\n  "a": ‸\n}\n', '1,\n  "b": 2\n}', '{\n  "a": 1\n}\n'],
  ["json", "both", '{\n  "a": 1,\n  ‸\n}\n', '"b": 2,', '{\n  "a": 1,\n  "b": 2\n}\n'],
  ["json", "both", '{"a": 1‸}\n', ',\n  "b": 2\n}', '{"a": 1,\n  "b": 2}\n'],
  ["json", "both", '{\n  "a": 1‸\n  "b": 2\n}\n', ",", '{\n  "a": 1,\n  "b": 2\n}\n'],
  ["jsonc", "both", '{\n  "alpha": 1‸\n}\n', ',\n  "b": 2\n}', '{\n  "alpha": 1,\n  "b": 2\n}\n'],
  ["typescript", "both", "f(a, 1‸);\n", ",);", none],
  ["c", "both", "int a = f(b, 1‸);\n", ",", none],
  ["sql", "both", "SELECT a FROM b WHERE c IN (1, 2‸);\n", ",);", none],
  ["go", "both", "package a\n\nvar a = f(b, 1‸)\n", ", 2)", "package a\n\nvar a = f(b, 1, 2)\n"],
  ["python", "key", "a = (1‸)\n", ",", "a = (1,)\n"],
  ["typescript", "both", "f(\n  a,\n  1‸\n);\n", ",", "f(\n  a,\n  1,\n);\n"],
])("row 48: a comma at the end of a list: %s, %s: %j + %j: %j", (...row) =>
  // In the middle of a line nothing comes by itself.
  check(row[2].includes("‸}\n") && row[4] !== none ? [row[0], "key", row[2], row[3], row[4]] : row),
);

test.each<Row>([
  [
    "typescriptreact",
    "key",
    "const a = (\n  <Section>\n  </‸\n);\n",
    "div>",
    "const a = (\n  <Section>\n  </Section>\n);\n",
  ],
  [
    "typescriptreact",
    "key",
    "const a = (\n  <Table>\n  </T‸\n);\n",
    "abs>",
    "const a = (\n  <Table>\n  </Table>\n);\n",
  ],
  ["typescriptreact", "key", "const a = (\n  <Table>\n    b‸\n);\n", "</div>", none],
  ["html", "key", "<ul>\n  <li>a</‸\n</ul>\n", "div>", "<ul>\n  <li>a</li>\n</ul>\n"],
])("row 27: a closing tag names the element that is open: %s, %s: %j + %j: %j", (...row) => check(row));

describe("laws of answers at the cursor, in ten languages", () => {
  /** Even, since some laws have as many cases that repeat as cases that fit. */
  const runs = 2 * Math.ceil(Math.max(300, fc.readConfigureGlobal().numRuns ?? 0) / 2);
  const trigger = fc.constantFrom<Trigger>("invoked", "automatic");

  /**
   * How many answers were tried that repeat or are spaced, that fit, and how many of these were
   * offered.
   */
  class Counts {
    readonly languages = new Set<string>();
    special = 0;
    fitting = 0;
    offered = 0;

    expectEnough(languages = codeLanguages.length): void {
      expect(this.languages.size).toBe(languages);
      expect(this.special).toBeGreaterThan(runs / 4);
      expect(this.fitting).toBeGreaterThan(runs / 4);
      expect(this.offered / this.fitting).toBeGreaterThanOrEqual(0.9);
    }
  }

  /** Where a token of the statement begins or ends: offsets of the text. */
  function borders({ text, start, end }: CodeText): number[] {
    const tokens = [...text.slice(start, end).matchAll(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu)];
    return [...new Set(tokens.flatMap(({ 0: token, index }) => [start + index, start + index + token.length]))];
  }

  const wordAt = (text: string, offset: number) => /^[\p{L}\p{N}_$]+/u.exec(text.slice(offset))?.[0] ?? "";
  const isWord = (text: string) => /^[\p{L}\p{N}_$]+$/u.test(text);
  const isBalanced = (text: string) => {
    let left = text;
    for (let shorter = ""; shorter !== left; ) {
      shorter = left;
      left = left.replace(/\([^()[\]{}]*\)|\[[^()[\]{}]*\]|\{[^()[\]{}]*\}|"[^"]*"|'[^']*'/g, "");
    }
    return !/[()[\]{}"']/.test(left);
  };

  /** A piece of a statement that is taken out, to be the answer at the place where it stood. */
  function pieceOf(code: CodeText, [from, to]: readonly [number, number]) {
    const all = borders(code);
    const start = all[from % all.length]!;
    const later = all.filter((border) => border > start);
    const end = later[to % Math.max(1, later.length)] ?? code.end;
    const piece = code.text.slice(start, end);
    return { start, end, piece, text: code.text.slice(0, start) + code.text.slice(end) };
  }

  test("row 44: an answer that only repeats the suffix gives no suggestion, and missing text is suggested", async () => {
    const counts = new Counts();
    await fc.assert(
      fc.asyncProperty(codeTexts(), fc.nat(), fc.nat(40), trigger, async (code, at, length, by) => {
        const { language, text } = code;
        const offset = code.start + (at % (code.end - code.start + 1));
        const answer = text.slice(offset, offset + 1 + length);
        fc.pre(answer.trim() !== "");
        counts.special++;
        counts.languages.add(language);
        expect(await accepted({ language, text, offset, answer, trigger: by })).toBeUndefined();
      }),
      { numRuns: runs / 2 },
    );
    // Most pieces that are drawn are no pieces that a model would write.
    await fc.assert(
      fc.asyncProperty(codeTexts(), fc.tuple(fc.nat(), fc.nat()), async (code, at) => {
        const { language, text } = code;
        const { start, piece, text: gapped } = pieceOf(code, at);
        const behind = gapped.slice(start);
        fc.pre(
          piece.trim() !== "" &&
            isBalanced(piece) &&
            !behind.startsWith(piece) &&
            !(isWord(piece) && isWord(behind[0]!)),
        );
        counts.fitting++;
        const made = await accepted({ language, text: gapped, offset: start, answer: piece });
        if (made === text) counts.offered++;
      }),
      { numRuns: runs / 2 },
    );
    counts.expectEnough();
  });

  test("row 45: the word at the cursor is not duplicated, and text before it is suggested", async () => {
    const counts = new Counts();
    /** A place at the start of a word of the statement or inside of the word. */
    function placeOf({ text, start, end }: CodeText, seed: number, more: number) {
      const words = [...text.slice(start, end).matchAll(/[\p{L}_][\p{L}\p{N}_]{3,}/gu)];
      fc.pre(words.length > 0);
      const { 0: word, index } = words[seed % words.length]!;
      const inside = more % word.length;
      return { word, inside, offset: start + index + inside };
    }
    await fc.assert(
      fc.asyncProperty(codeTexts(), fc.nat(), fc.nat(), trigger, async (code, seed, more, by) => {
        const { language, text, end } = code;
        const { word, inside, offset } = placeOf(code, seed, more);
        counts.languages.add(language);
        const behind = text.slice(offset + word.length - inside, end);
        const answer = word.slice(inside) + ["", behind, "()", " + 1;"][more % 4]!;
        counts.special++;
        const made = await accepted({ language, text, offset, answer, trigger: by });
        expect(made ?? "").not.toContain(word.slice(inside) + wordAt(text, offset));
        const mayFit = inside === 0 && more % 4 >= 2;
        expect(mayFit ? undefined : made).toBeUndefined();
      }),
      { numRuns: runs / 2 },
    );
    await fc.assert(
      fc.asyncProperty(codeTexts(), fc.nat(), fc.nat(), async (code, seed, more) => {
        const { language, text } = code;
        const { word, inside, offset } = placeOf(code, seed, more);
        // The middle of the word, and at its start the word in front of it.
        const middle = word.slice(inside, inside + 1 + (seed % 2));
        const gapped = text.slice(0, offset) + text.slice(offset + middle.length);
        fc.pre(!gapped.slice(offset).startsWith(middle));
        counts.fitting++;
        if ((await accepted({ language, text: gapped, offset, answer: middle })) === text) counts.offered++;
      }),
      { numRuns: runs / 2 },
    );
    counts.expectEnough();
  });

  test("row 46: one space stays between an answer and the following word", async () => {
    const counts = new Counts();
    // Fewer places have a space behind them.
    const sixInSeven = fc.nat(6).map((number) => number > 0);
    let before = 0;
    await fc.assert(
      fc.asyncProperty(
        codeTexts(),
        fc.tuple(fc.nat(), fc.nat()),
        fc.nat(2),
        sixInSeven,
        async (code, at, more, isSpaced) => {
          const { language, text } = code;
          const { start, end, piece } = pieceOf(code, at);
          fc.pre(isBalanced(piece) && piece.trim() !== "");
          const spaced = /^ (?=[\p{L}\p{N}_$"'([{&])/u.test(text.slice(end)) ? 1 : 0;
          fc.pre(isSpaced === (spaced === 1));
          const gapped = text.slice(0, start) + text.slice(end + spaced);
          const answer = spaced === 1 ? `${piece}${" ".repeat(1 + more)}` : piece;
          fc.pre(!gapped.slice(start).startsWith(piece) && !/[([.]$/.test(piece));
          fc.pre(spaced === 1 || !(isWord(piece.at(-1)!) && isWord(gapped[start] ?? "")));
          const made = await accepted({ language, text: gapped, offset: start, answer });
          counts.languages.add(language);
          counts.special += spaced;
          const behind = gapped.slice(start);
          const isBefore = spaced === 1 && made?.endsWith(behind);
          before += isBefore ? 1 : 0;
          expect(isBefore ? made!.slice(0, made!.length - behind.length) : "").toMatch(/[^ ] $|^$/);
          // What follows may repeat a part of it, which is then not written again.
          counts.fitting++;
          if (made === text) counts.offered++;
        },
      ),
      { numRuns: runs },
    );
    counts.expectEnough();
    expect(before).toBeGreaterThan(runs / 10);
  });

  test("row 47: a space before the cursor is not duplicated", async () => {
    const counts = new Counts();
    await fc.assert(
      fc.asyncProperty(codeTexts(), fc.nat(), fc.boolean(), trigger, async (code, seed, isSpaced, by) => {
        const { language, text, start, end } = code;
        const spaces = [...text.slice(start, end).matchAll(/ (?=\S)/g)];
        fc.pre(spaces.length > 0);
        const offset = start + spaces[seed % spaces.length]!.index + 1;
        const rest = text.slice(offset, end);
        const gapped = text.slice(0, offset) + text.slice(end);
        const made = await accepted({
          language,
          text: gapped,
          offset,
          answer: isSpaced ? ` ${rest}` : rest,
          trigger: by,
        });
        counts.languages.add(language);
        if (isSpaced) counts.special++;
        expect(made?.slice(offset) ?? "").not.toMatch(/^[ \t]/);
        counts.fitting++;
        if (made === text) counts.offered++;
      }),
      { numRuns: runs },
    );
    counts.expectEnough();
  });

  test("row 48: no comma is suggested before a closing bracket on its line, and a whole item is suggested", async () => {
    const counts = new Counts();
    await fc.assert(
      fc.asyncProperty(
        codeTexts(),
        fc.nat(),
        fc.boolean(),
        fc.constantFrom("", "\n", "close"),
        trigger,
        async (code, at, isWhole, ending, by) => {
          const { language, text } = code;
          // Behind the last item of a list in brackets.
          const statement = text.slice(code.start, code.end);
          const ends = [...statement.matchAll(/(?<=, [\w$]+)(?=[)\]])/g)];
          fc.pre(ends.length > 0);
          const offset = code.start + ends[at % ends.length]!.index;
          const behind = ending === "close" ? text.slice(offset, code.end) : ending;
          counts.languages.add(language);
          const item = isWhole ? " 25" : "";
          const made = await accepted({ language, text, offset, answer: `,${item}${behind}`, trigger: by });
          counts[isWhole ? "fitting" : "special"]++;
          expect(made ?? "").not.toMatch(/,[ \t]*[)\]]/);
          if (isWhole && made === `${text.slice(0, offset)}, 25${text.slice(offset)}`) counts.offered++;
        },
      ),
      { numRuns: runs },
    );
    counts.expectEnough();
  });

  test("row 48: no comma is suggested before a closing bracket of JSON, and a complete member is suggested", async () => {
    const counts = new Counts();
    const value = fc.constantFrom("1", '"b c"', "true", "[1, 2]", '{ "c": null }', "-2.5e3");
    const key = fc.constantFrom("alpha", "beta", "x-y", "name");
    const container = fc.record({ isArray: fc.boolean(), isFlat: fc.boolean(), size: fc.integer({ min: 1, max: 4 }) });
    const endings = fc.constantFrom("", "\n", "close");
    const cases = [container, fc.array(fc.tuple(key, value), { minLength: 6, maxLength: 6 }), endings] as const;
    type Container = typeof container extends fc.Arbitrary<infer T> ? T : never;

    /** A document up to its last member, the document, and the member that an answer may add. */
    function documentOf({ isArray, isFlat, size }: Container, pairs: readonly (readonly [string, string])[]) {
      const members = pairs.map(([name, own], index) => (isArray ? own : `"${name}${index}": ${own}`));
      const gap = isFlat ? " " : "\n  ";
      const close = `${isFlat ? "" : "\n"}${isArray ? "]" : "}"}`;
      const head = `${isArray ? "[" : "{"}${isFlat ? "" : "\n  "}${members.slice(0, size).join(`,${gap}`)}`;
      counts.languages.add("json");
      return { head, close, text: `${head}${close}\n`, member: `${gap}${members[size]!}` };
    }
    await fc.assert(
      fc.asyncProperty(...cases, async (drawn, pairs, ending) => {
        const { head, close, text } = documentOf(drawn, pairs);
        counts.special++;
        const answer = `,${ending === "close" ? close : ending}`;
        expect(await accepted({ language: "json", text, offset: head.length, answer })).toBeUndefined();
      }),
      { numRuns: runs / 2 },
    );
    await fc.assert(
      fc.asyncProperty(...cases, async (drawn, pairs, ending) => {
        const { head, close, text, member } = documentOf(drawn, pairs);
        counts.fitting++;
        const answer = `,${member}${ending === "close" ? close : ending}`;
        const made = await accepted({ language: "json", text, offset: head.length, answer });
        counts.offered += made === undefined ? 0 : 1;
        const whole: unknown = JSON.parse(`${head},${member}${close}`);
        expect(JSON.parse(made ?? `${head},${member}${close}`)).toEqual(whole);
      }),
      { numRuns: runs / 2 },
    );
    counts.expectEnough(1);
  });
});
