import { expect, test } from "vitest";
import { redacted } from "../../model/fixtures/redacted.ts";
import { withoutRegionMarks } from "../fixtures/rewrite.ts";
import { goldenPrompt } from "../node/fixtures/golden-prompt.ts";
import { type RegionQuestion, regionPrompt, regionRetryPrompt } from "./region-prompt.ts";

function question(marked: string, more: Partial<RegionQuestion> = {}): RegionQuestion {
  const { text, ranges: regions } = withoutRegionMarks(marked);
  const shared = { path: "src/a.ts", language: "typescript", index: 0, isLines: true, maxShownTokens: 12_000 };
  return { ...shared, text, regions, instruction: "Add them all, ohne Schleife.", ...more };
}

const sum = "export function sum(a: number[]): number {\n«  return 0;\n»}\n";
const two = `${sum}\nexport const one = «1»;\n`;

test("the prompt for a region of lines is that of the golden file", () => {
  const context = [{ path: "src/b.ts", text: redacted("export const two = 2;\n") }];
  const { actual: is, expected: was } = goldenPrompt("region", regionPrompt(question(sum, { context })));
  expect(is).toBe(was);
});

test("the prompt for one of several regions within a line is that of the golden file", () => {
  const { actual: is, expected: was } = goldenPrompt(
    "region-of-several",
    regionPrompt(question(two, { index: 1, isLines: false })),
  );
  expect(is).toBe(was);
});

test("the retry prompt for a region is that of the golden file", () => {
  const good = "  let all = 0;\n  for (const one of a ";
  const trouble = { kind: "refused" as const, good, refused: "all += one;\n", expected: ['")"', "Identifier"] };
  const messages = [
    ...regionRetryPrompt("```ts\n  let all = 0;\n  for (const one of a all += one;\n", trouble),
    ...regionRetryPrompt("", { kind: "unfinished", good: "" }),
    ...regionRetryPrompt("No.", { kind: "no-fence" }),
    ...regionRetryPrompt("Two.", { kind: "several-fences" }),
  ];
  const { actual: is, expected: was } = goldenPrompt("region-again", messages);
  expect(is).toBe(was);
});

test("the prompt shows the part of a long file around the region that fits the limit", () => {
  const lines = (from: number) =>
    Array.from({ length: 200 }, (_, i) => `const name${from + i} = ${from + i};\n`).join("");
  const { text, ranges: regions } = withoutRegionMarks(`${lines(0)}«const here = 1;\n»${lines(200)}`);
  const prompt = regionPrompt(question("", { text, regions, maxShownTokens: 300 })).at(-1)!.text;
  expect(prompt).toContain("A part of the file, with");
  expect(prompt).toContain("const name199 = 199;\n<REGION>\nconst here = 1;\n</REGION>\nconst name200 = 200;\n");
  expect(prompt).not.toContain("name100");
  expect(prompt).not.toContain("name300");
});

test("region marks do not occur in the text", () => {
  const prompt = regionPrompt(question("// <REGION>\n«a();\n»")).at(-1)!.text;
  expect(prompt).toContain("<REGION_X>\na();\n</REGION_X>\n");
});
