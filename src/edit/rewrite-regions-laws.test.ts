import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { recognise } from "../grammar/index.ts";
import { loadGrammar } from "../grammar/node/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { lawRuns, lawTimeoutMs } from "../text/node/fixtures/law-runs.ts";
import { rewrite, withoutRegionMarks } from "./fixtures/rewrite.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const grammar = await loadGrammar("typescript");

const scenes = [
  "«const a = 1;\n»\nexport function f(a: number) {\n«  return a;\n»}\n",
  "const a = f(«1»);\nfunction f(b: number) {\r\n  return [«b»];\r\n}\r\n",
  "class A {\n  «»\n}\n«»",
];
const pieces = fc.array(
  fc.constantFrom(
    "```ts",
    "```",
    "return a;",
    "}",
    "{",
    "  if (a) {",
    "class B {",
    "(",
    ")",
    "`",
    "\n",
    "/*",
    "*/",
    "f(a",
    ", b",
    "x =",
    "Sure, here it is:",
    "<REGION>",
    "  ",
    "'",
    "é😀",
  ),
  { maxLength: 14 },
);
const answers = fc.array(
  fc.record({
    text: fc.oneof(
      pieces.map((all) => all.join("\n")),
      pieces.map((all) => `\`\`\`ts\n${all.join(" ")}\n\`\`\``),
      pieces.map((all) => `\`\`\`ts\n${all.join("\n")}\n\`\`\`\n`),
    ),
    reason: fc.constantFrom("finished" as const, "finished" as const, "finished" as const, "length" as const),
  }),
  { minLength: 12, maxLength: 12 },
);

const numRuns = lawRuns(25);

test(
  "law: for every answer the file fits its grammar, an offered change parses, and only the regions change",
  async () => {
    let offered = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...scenes), answers, async (before, texts) => {
        const { outcome, after } = await rewrite({ syntax, before, answers: texts, maxRequests: 3 });
        expect(outcome.kind).toBeOneOf(["no-text", "judged"]);
        fc.pre(after !== undefined);
        expect(recognise(grammar, new TextEncoder().encode(after)), after).toEqual({ kind: "whole" });
        // A parser checks rules that no grammar contains, such as duplicate declarations; then
        // nothing is offered.
        const isOffered = outcome.kind === "judged" && outcome.outcome.kind === "offered";
        const errors = await syntax.syntaxErrors({ uri: "a.ts", language: "typescript", text: after });
        expect(isOffered ? errors : []).toEqual([]);
        const { text, ranges } = withoutRegionMarks(before);
        const around = ranges.map((_, index) => text.slice(ranges[index - 1]?.end ?? 0, ranges[index]!.start));
        const pattern = [...around, text.slice(ranges.at(-1)!.end)].map((piece) => escaped(piece));
        expect(after).toMatch(new RegExp(`^${pattern.join("[\\s\\S]*")}$`));
        if (isOffered) offered += 1;
      }),
      { numRuns },
    );
    expect(offered).toBeGreaterThan(numRuns / 3);
  },
  lawTimeoutMs(120_000),
);

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
