import { expect, test } from "vitest";
import { printParts } from "../format.laws.ts";
import { formats } from "../formats.ts";
import { range } from "../range.ts";
import { searchReplace } from "../search-replace.ts";
import { readAnswer } from "./answer-reader.ts";
import { detectFormat } from "./detect-format.ts";

const edit = "@@ 1 a\nx\n@@ end";
const read = "[0,1) 0:a => `x`";
const cases: readonly (readonly [name: string, answer: string, expected: string])[] = [
  ["rows of their own", `<think>\n@@ 2 b\ny\n</think>\n${edit}`, `normalization marks 1; ${read}`],
  ["blank rows around", `\n<thinking>\n@@ 2 b\n</thinking>\n\n${edit}`, `normalization marks 2; ${read}`],
  ["one row", `<reasoning>@@ 2 b</reasoning>${edit}`, `normalization marks 1; ${read}`],
  ["several", `<think>a</think>\n<thought>\n</thought> ${edit}`, `normalization marks 1; ${read}`],
  ["no end", `<think>\n${edit}`, "normalization marks 1; refusal cut-off 1"],
  ["the end of others", `<think>\n</thinking>\n${edit}`, "normalization marks 1; refusal cut-off 1"],
  ["no thoughts: code", "@@ 1 a\n<think>\nx\n</think>\n@@ end", "[0,1) 0:a => `<think>` `x` `</think>`"],
  ["nothing behind them", "<think>a</think>", "normalization marks 1"],

  ["no beginning", `So a is x.\n</think>\n\n${edit}`, `normalization marks 2; ${read}`],
  ["no beginning, and the end behind words", `So a is x.</think>\n${edit}`, `normalization marks 1; ${read}`],
  ["no beginning, and the end in front of an edit", `</thinking>${edit}`, `normalization marks 1; ${read}`],
  ["a draft", `@@ 2 b\ny\n@@ end\n</think>\n${edit}`, `[1,2) 1:b => \`y\`; restart; normalization marks 4; ${read}`],
  ["a draft, and no edit", "@@ 2 b\ny\n@@ end\n</think>\nDone.", "[1,2) 1:b => `y`; restart; normalization marks 4"],
  [
    "a draft that may go on",
    `@@ 2 b\ny\n</think>\n${edit}`,
    `[1,2) 1:b => \`y\` \`</think>\`; ${read}; restart; refusal unreadable-row 3`,
  ],
  ["no thoughts: code that closes", "@@ 1 a\nx\n</think>\n@@ end", "[0,1) 0:a => `x` `</think>`"],
  ["no thoughts: a tag within a row", '@@ 1 a\nend("</think>");\n@@ end', '[0,1) 0:a => `end("</think>");`'],
];

for (const [name, answer, expected] of cases) {
  test(`an answer is read after reasoning: ${name}`, () => {
    const at = range.read({ paths: ["a.ts"] });
    expect(printParts([...at.push(answer), ...at.end(false)])).toBe(expected);
    const pieces = range.read({ paths: ["a.ts"] });
    expect(printParts([...[...answer].flatMap((piece) => pieces.push(piece)), ...pieces.end(false)])).toBe(expected);
  });
}

test("an unreadable draft inside of reasoning is dropped", () => {
  const block = "<<<<<<< SEARCH\na\n=======\nx\n>>>>>>> REPLACE\n";
  const answer = `<<<<<<< SEARCH\na\nNo.\n</think>\na.ts\n${block}`;
  expect(readAnswer(searchReplace.read({ paths: ["a.ts"] }), answer)).toMatchObject({
    operations: [{ kind: "block", search: ["a"], replace: ["x"], row: 5 }],
    normalizations: [{ kind: "marks", row: 3 }],
    refusals: [],
  });
});

for (const format of formats) {
  test(`thoughts that do not end hold no edit: ${format.name}`, () => {
    const content = readAnswer(format.read({ paths: ["a.ts"] }), "<think>\na.ts\n```\n1:x\n```\n@@ 1 a\nx\n@@ end\n");
    expect(content).toMatchObject({ operations: [], refusals: [{ kind: "cut-off" }] });
  });
}

test.each([
  ["marks in thoughts", `<think>\n*** Begin Patch\n*** End Patch\n</think>\n${edit}`],
  ["marks in thoughts that have no beginning", `*** Begin Patch\n*** End Patch\n</think>\n${edit}`],
  ["the end of thoughts as code", "@@ 1 a\n</think>\nx"],
])("%s do not tell the format", (_, answer) => {
  expect(detectFormat(answer)).toEqual({ kind: "format", name: "range" });
});
