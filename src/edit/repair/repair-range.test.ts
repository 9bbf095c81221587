import { afterAll, expect, test } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import { minimalEdit } from "../../text/index.ts";
import { repairRange } from "./repair-range.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

interface Case {
  readonly what: string;
  readonly language?: string;
  readonly before: string;
  /** The text, with `!` at the end of the suspect line. */
  readonly after: string;
  /** The lines of the block, separated by `/`. */
  readonly block: string;
}

const two = "function one() {\n  a();\n}\n\nfunction two() {\n  if (b) {\n    c();\n  }\n  d();\n}\n";

const cases: readonly Case[] = [
  {
    what: "the statement and the lines beside it, where nothing around is hurt",
    before: two,
    after: two.replace("  d();", "  d(;!"),
    block: "  }/  d(;/}",
  },
  {
    what: "what lost its end",
    before: two,
    after: two.replace("    c();\n  }", "    e();!"),
    block: "  if (b) {/    e();/  d();",
  },
  {
    what: "the function, where the edit took its end",
    before: two,
    after: "function one() {\n  z();!\n\nfunction two() {\n  if (b) {\n    c();\n  }\n  d();\n}\n",
    block: "function one() {/  z();/",
  },
  {
    what: "a fault far from the edit",
    before: two,
    after: two.replace("  a();\n", "").replace("  d();\n}", "  d();\n}!"),
    block: "function one() {/}//function two() {/  if (b) {/    c();/  }/  d();/}",
  },
  {
    what: "a suspect behind the last line",
    before: "if (a) {\n  b();\n}\n",
    after: "if (a) {\n  c();\n!",
    block: "if (a) {/  c();",
  },
  {
    what: "a new file",
    before: "",
    after: "a();\nif (b) {!\n",
    block: "a();/if (b) {",
  },
  {
    what: "Python",
    language: "python",
    before: "def f(a):\n    return a\n\n\ndef g():\n    return 1\n",
    after: "def f(a):\n    return (a!\n\n\ndef g():\n    return 1\n",
    block: "def f(a):/    return (a/",
  },
];

for (const { what, language = "typescript", before, after: marked, block } of cases) {
  test(`the block to mend: ${what}`, async () => {
    const suspectLine = marked.slice(0, marked.indexOf("!")).split("\n").length - 1;
    const after = marked.replace("!", "");
    const edit = minimalEdit(before, after, { unit: "line" });
    const shared = { language, languageBefore: language, before, edit, after, suspectLine };
    const { start, end } = await repairRange(shared, syntax);
    expect(after.split("\n").slice(start, end).join("/")).toBe(block);
  });
}

test("a long block is repaired in a part around the fault", async () => {
  const before = `function f() {\n${"  a();\n".repeat(300)}}\n`;
  const after = `function f() {\n${"  a();\n".repeat(150)}  if (b) {\n${"  c();\n".repeat(150)}}\n`;
  const edit = minimalEdit(before, after, { unit: "line" });
  const shared = { language: "typescript", languageBefore: "typescript", before, edit, after };
  const { start, end } = await repairRange({ ...shared, suspectLine: 151 }, syntax);
  expect(end - start).toBeLessThanOrEqual(80);
  expect(start).toBeLessThanOrEqual(151);
  expect(end).toBeGreaterThan(151);
});
