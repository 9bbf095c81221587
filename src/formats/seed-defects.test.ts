/**
 * A defect of the first description of numbered lines: its wrong result for an answer, and ours.
 */
import { describe, expect, test } from "vitest";
import { seedApply, seedBlocks, seedShow, seedStrip } from "./fixtures/seed-algorithm.ts";
import { replay } from "./format.laws.ts";
import { numbered } from "./numbered.ts";
import { readAnswer } from "./reading/answer-reader.ts";
import { whole } from "./whole.ts";

interface Defect {
  readonly name: string;
  readonly file: string;
  readonly answer: string;
  /** The result of the first description, before formatting. */
  readonly seed: string;
  /** The correct result: a text of the file, or refusals. */
  readonly right: string | readonly string[];
  /** The file where something was refused; unchanged by default. */
  readonly rest?: string;
}

const add = "function add(a, b) {\n  return 0;\n}\n";
const fenced = (...rows: string[]) => `\`\`\`ts\n${rows.join("\n")}\n\`\`\`\n`;

const changed: readonly Defect[] = [
  {
    name: "the indentation of untouched lines is lost",
    file: "def f():\n    a()\n    b()\n",
    answer: fenced("3:    c()"),
    seed: "\ndef f():\na()\n    c()\n\n",
    right: "def f():\n    a()\n    c()\n",
  },
  {
    name: "the indentation of a template literal is lost",
    file: "const s = `\n    a\n`;\nf();\n",
    answer: fenced("4:g();"),
    seed: "\nconst s = `\na\n`;\ng();\n\n",
    right: "const s = `\n    a\n`;\ng();\n",
  },
  {
    name: "a numeric key of a new line is lost",
    file: "const names = {\n};\n",
    answer: fenced("1:const names = {", '1:  1: "one",', '1:  2: "two",'),
    seed: '\nconst names = {\n"one",\n"two",\n};\n\n',
    right: 'const names = {\n  1: "one",\n  2: "two",\n};\n',
  },
  {
    name: "a numeric key of an added line is lost",
    file: "a: 0\n",
    answer: fenced("+:1: 'a'"),
    seed: "\na: 0\n\n'a'",
    right: "a: 0\n1: 'a'\n",
  },
  {
    name: "new text that looks numbered becomes the target of the next edit",
    file: "a\nb\nc\n",
    answer: fenced("1:2: x", "2:y"),
    seed: "\ny\nb\nc\n\n",
    right: "2: x\ny\nc\n",
  },
  {
    name: "a line break is added at both ends",
    file: "a\nb\n",
    answer: fenced("1:x"),
    seed: "\nx\nb\n\n",
    right: "x\nb\n",
  },
  {
    name: "a file without a final line ending gets one",
    file: "a\nb",
    answer: fenced("1:x"),
    seed: "\nx\nb\n",
    right: "x\nb",
  },
  {
    name: "a byte order mark is lost",
    file: "\ufeffa\n",
    answer: fenced("_:x"),
    seed: "x\na\n\n",
    right: "\ufeffx\na\n",
  },
  {
    name: "a file with CRLF comes out mixed",
    file: "a\r\nb\r\n",
    answer: fenced("1:x"),
    seed: "\nx\nb\r\n\n",
    right: "x\r\nb\r\n",
  },
  {
    name: "an answer with CRLF makes a file with LF mixed",
    file: "a\nb\nc\n",
    answer: fenced("1:x", "1:y").replaceAll("\n", "\r\n"),
    seed: "\nx\r\ny\r\nb\nc\n\n",
    right: "x\ny\nb\nc\n",
  },
  {
    name: "a deleted line leaves an empty one",
    file: "a\nb\nc\n",
    answer: fenced("2:"),
    seed: "\na\n\nc\n\n",
    right: "a\nc\n",
  },
  {
    name: "no line can be made empty",
    file: "a\nb\nc\n",
    answer: fenced("2="),
    seed: "\na\nb\nc\n\n",
    right: "a\n\nc\n",
  },
  {
    name: "a block without a fence is dropped",
    file: add,
    answer: "2:  return a + b;\n",
    seed: "\nfunction add(a, b) {\nreturn 0;\n}\n\n",
    right: "function add(a, b) {\n  return a + b;\n}\n",
  },
  {
    name: "two blocks grow together at their borders",
    file: "a\nb\nc\n",
    answer: fenced("1:x") + fenced("2:y"),
    seed: "\nx2:y\nb\nc\n\n",
    right: "x\ny\nc\n",
  },
  {
    name: "a blank behind the colon moves the code",
    file: add,
    answer: fenced("2:   return a + b;", "_: import c;"),
    seed: " import c;\nfunction add(a, b) {\n   return a + b;\n}\n\n",
    right: "import c;\nfunction add(a, b) {\n  return a + b;\n}\n",
  },
];

const dropped: readonly Defect[] = [
  {
    name: "a number that is not in the file is dropped",
    file: add,
    answer: fenced("6:return a + b;"),
    seed: "\nfunction add(a, b) {\nreturn 0;\n}\n\n",
    right: ["no-such-line"],
  },
  {
    name: "the line behind the last line ending can be replaced",
    file: "a\n",
    answer: fenced("2:b"),
    seed: "\na\nb\n",
    right: ["no-such-line"],
  },
  {
    name: "a row without a number is dropped",
    file: add,
    answer: fenced("2:  return (", "    a + b", "2:  );"),
    seed: "\nfunction add(a, b) {\n  return (\n  );\n}\n\n",
    right: ["unreadable-row"],
  },
  {
    name: "a range is dropped",
    file: add,
    answer: fenced("2-3:  return a + b;"),
    seed: "\nfunction add(a, b) {\nreturn 0;\n}\n\n",
    right: ["unreadable-row"],
  },
  {
    name: "words in a block are dropped",
    file: add,
    answer: fenced("Replace the body:", "2:  return a + b;"),
    seed: "\nfunction add(a, b) {\n  return a + b;\n}\n\n",
    right: ["unreadable-row"],
    rest: "function add(a, b) {\n  return a + b;\n}\n",
  },
  {
    name: "a blank row is taken for line 0 and dropped",
    file: "a\nb\n",
    answer: fenced("2:x", "", "2:y", "1:z"),
    seed: "\nz\nx\ny\n\n",
    right: ["unreadable-row"],
    rest: "z\nb\n",
  },
  {
    name: "a block that is not closed is dropped",
    file: add,
    answer: "```ts\n2:  return a",
    seed: "\nfunction add(a, b) {\nreturn 0;\n}\n\n",
    right: ["cut-off"],
  },
  {
    name: "a whole file in the place of rows is dropped",
    file: add,
    answer: fenced("function add(a, b) {", "  return a + b;", "}"),
    seed: "\nfunction add(a, b) {\nreturn 0;\n}\n\n",
    right: ["unreadable-row"],
  },
  {
    name: "an answer without edits is a success",
    file: add,
    answer: "I cannot do that.",
    seed: "\nfunction add(a, b) {\nreturn 0;\n}\n\n",
    right: ["no-edits"],
  },
  {
    name: "a row that repeats its line is a success",
    file: "a\nb\n",
    answer: fenced("1:a"),
    seed: "\na\nb\n\n",
    right: ["no-change"],
  },
  {
    name: "a hexadecimal number overwrites a line",
    file: "a\nb\nc\n",
    answer: fenced("0x3:x"),
    seed: "\na\nb\nx\n\n",
    right: ["unreadable-row"],
  },
  {
    name: "a number with an exponent overwrites a line",
    file: "a\nb\nc\n",
    answer: fenced("1e0:x"),
    seed: "\nx\nb\nc\n\n",
    right: ["unreadable-row"],
  },
  {
    name: "rows of one line that stand apart are put together in another order",
    file: "a\nb\nc\n",
    answer: fenced("2:x", "3:y", "2:z"),
    seed: "\na\nx\nz\ny\n\n",
    right: ["overlap"],
    rest: "a\nx\ny\n",
  },
];

describe("mistaken changes of the first description", () => {
  for (const defect of changed) {
    test(defect.name, () => {
      expect(seedApply(defect.file, defect.answer)).toBe(defect.seed);
      expect(ours(defect)).toEqual({ text: defect.right, refusals: [] });
      expect(defect.seed).not.toBe(defect.right);
    });
  }
});

describe("edits that the first description drops as a success", () => {
  for (const defect of dropped) {
    test(defect.name, () => {
      expect(seedApply(defect.file, defect.answer)).toBe(defect.seed);
      expect(ours(defect)).toEqual({ text: defect.rest ?? defect.file, refusals: defect.right });
    });
  }
});

describe("prompts and retries of the first description", () => {
  test("the first description shows the file with a blank that its example lacks", () => {
    expect(seedShow("export\n  a")).toBe("1: export\n2:   a");
    expect(numbered.instructions).toContain("3:export function half");
    expect(numbered.showFile({ path: "a.ts", text: "export\n  a\n" })).toContain("1:export\n2:  a\n");
  });

  test("the first description numbers a numbered text again for a repair", () => {
    expect(seedShow(seedShow("export"))).toBe("1: 1: export");
  });

  test("the first description ends a whole file at its first fence", () => {
    const code = "const help = `\n```sh\nnpm test\n```\n`;\n";
    const answer = `src/a.ts\n\`\`\`ts\n${code}\`\`\`\n`;
    expect(seedStrip(seedBlocks(answer)[0]!)).toBe("const help = `");
    expect(replay(whole, answer, new Map([["src/a.ts", "a\n"]]))).toEqual({
      files: new Map([["src/a.ts", code]]),
      refusals: [],
    });
  });

  test("the first description accepts a cut-off answer", () => {
    const answer = fenced("2:  return a + b;");
    expect(seedApply(add, answer)).toContain("return a + b;");
    const { refusals } = readAnswer(numbered.read({ paths: ["src/a.ts"] }), answer, true);
    expect(refusals).toMatchObject([{ kind: "cut-off" }]);
  });

  test("the first description has no answer for no changes", () => {
    expect(seedApply(add, "No changes.")).toBe("\nfunction add(a, b) {\nreturn 0;\n}\n\n");
    const content = readAnswer(numbered.read({ paths: ["src/a.ts"] }), "No changes.");
    expect(content).toMatchObject({ declaresNoChange: true, refusals: [] });
  });

  test("the first description treats several files as one", () => {
    const answer = `# src/a.ts\n\n${fenced("1:x")}\n# src/b.ts\n\n${fenced("1:y")}`;
    expect(seedApply("a\n", answer)).toBe("\nx1:y\n\n");
    const files = new Map([
      ["src/a.ts", "a\n"],
      ["src/b.ts", "b\n"],
    ]);
    const after = new Map([
      ["src/a.ts", "x\n"],
      ["src/b.ts", "y\n"],
    ]);
    expect(replay(numbered, answer, files)).toEqual({ files: after, refusals: [] });
  });

  test("the first description reads an empty block as the word undefined", () => {
    expect(seedBlocks("```\n\n```")).toEqual(["undefined"]);
  });
});

/** The first description's own example, with its instruction and comments in Japanese. */
describe("the example of the first description", () => {
  const file = "\nexport function add(a: number, b: number): number {\n  throw new Error('未実装');\n}\n";
  const rows = [
    "3:   return a + b; // 足し算",
    '_: import { assertEquals } from "https://deno.land/std/testing/asserts.ts";',
    "+:",
    '+: Deno.test("足し算のテスト", () => {',
    "+:   assertEquals(add(1, 2), 3);",
    "+: });",
  ];
  const answer = `このファイルの実装です。\n\n${fenced(...rows)}\n以上です。\n`;

  test("is applied byte for byte, without the blanks after the colons", () => {
    expect(ours({ file, answer })).toEqual({
      text: `import { assertEquals } from "https://deno.land/std/testing/asserts.ts";

export function add(a: number, b: number): number {
  return a + b; // 足し算
}

Deno.test("足し算のテスト", () => {
  assertEquals(add(1, 2), 3);
});
`,
      refusals: [],
    });
  });

  test("lost the indentation of all lines but the replaced ones", () => {
    expect(seedApply(file, answer)).toContain(
      "\nexport function add(a: number, b: number): number {\n   return a + b;",
    );
    expect(seedApply(file, answer)).toContain("\n   assertEquals(add(1, 2), 3);\n });");
  });
});

function ours({ file, answer }: Pick<Defect, "file" | "answer">) {
  const { files, refusals } = replay(numbered, answer, new Map([["src/a.ts", file]]));
  return { text: files?.get("src/a.ts"), refusals };
}
