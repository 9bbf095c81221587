import { afterAll, expect, test } from "vitest";
import { minimalEdit } from "../text/index.ts";
import { addedSyntaxErrors } from "./edited-errors.ts";
import { LastTree } from "./last-tree.ts";
import { readGrammar } from "./node/index.ts";
import { createSyntax } from "./syntax.ts";

let steps = 0;
const syntax = createSyntax({
  readGrammar,
  thread: {
    ...{ givesUp: true, cpuMs: () => 0, yieldThread: async () => undefined },
    nowMs: () => {
      steps += 1;
      return 0;
    },
  },
});
afterAll(() => {
  expect(syntax.openTrees).toBe(0);
  syntax[Symbol.dispose]();
});

async function stepsOf(work: () => Promise<unknown>): Promise<number> {
  steps = 0;
  await work();
  return steps;
}

const lines = "int add(int a, int b) { return a + b; }\n".repeat(5_000);
const [whole, broken, brokenElsewhere] = [`${lines}int c;\n`, `${lines}int c = ;\n`, `int d = ;\n${lines}int c;\n`];
const nested = `const A: i32 = 7;\nx = ${"{a:".repeat(30_000)}1${"}".repeat(30_000)}\nconst B: i32 = 8;\n`;

test.each<[what: string, before: string, after: string, parsesBefore: 0 | 1, language?: string]>([
  ["not where no text has an error", whole, `${whole}int e;\n`, 0],
  ["not where the edit adds the first error", whole, broken, 0],
  ["not where the edit adds the first error at the top", whole, brokenElsewhere, 0],
  ["where the text had an error before", brokenElsewhere, `${brokenElsewhere}int e = ;\n`, 1],
  ["where the edit replaces most of the text", "int c;\n".repeat(30_000), broken, 1],
  ["once, where its error is the whole text", nested, nested.replace("a:1}", "1"), 1, "rust"],
])(
  "row 14: the text before an edit is parsed from scratch %s",
  async (_, before, after, parsesBefore, language = "c") => {
    const [old, now] = [before, after].map((text) => ({ uri: "a", language, text }));
    const [oldSteps, nowSteps] = [
      await stepsOf(() => syntax.syntaxErrors(old!)),
      await stepsOf(() => syntax.syntaxErrors(now!)),
    ];
    const edit = minimalEdit(before, after);
    const all = await stepsOf(() => addedSyntaxErrors(syntax, { before: old, edit, after: now! }));
    expect((all - nowSteps) / oldSteps).toBeCloseTo(parsesBefore, 0.5);
  },
);

const short = "def f(a):\n    return a\n";

/** Texts in the order of the requests. */
test.each<[what: string, language: string, texts: readonly string[]]>([
  ["broken and mended", "python", [short, `${short}x = (1\n`, `${short}x = (1)\n`, `${short}x = 1)\n`]],
  ["broken twice", "python", [`x = (1\n${short}`, `x = (1\n${short}y = ]\n`, `${short}y = ]\n`, short]],
  ["of different lengths", "json", ["[1, 2, 3]", "[1, 2, 3", "", "[1]", "[1, 2, 3, 4, 5, 6, 7, 8, 9]"]],
  ["of characters with two code units", "json", ['["😀"]', '["😁"]', '["😁]', '["😀😁"]']],
])("errors of texts that are parsed one from another are those of each alone: %s", async (_, language, texts) => {
  using last = new LastTree();
  for (const text of texts) {
    const document = { uri: "a", language, text };
    expect(await syntax.syntaxErrors(document, { last })).toEqual(await syntax.syntaxErrors(document));
  }
});

test("a text of another language is parsed from scratch", async () => {
  using last = new LastTree();
  await syntax.syntaxErrors({ uri: "a", language: "json", text: "[1, 2" }, { last });
  const errors = await syntax.syntaxErrors({ uri: "a", language: "python", text: "[1, 2]" }, { last });
  expect(errors).toEqual([]);
});
