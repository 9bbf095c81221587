import { expect, test } from "vitest";
import type { RecordedAnswer } from "./recorded-answer.ts";
import { replay } from "./replay.ts";

const block = (search: string, replace: string) =>
  `a.ts\n\`\`\`\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n\`\`\`\n`;

const cases: readonly (readonly [verdict: string, answer: string, after: string | undefined, isRefused?: boolean])[] = [
  ["matched", block("a", "x"), "x\nb\n"],
  ["differing", block("a", "y"), "x\nb\n"],
  ["refused", block("z", "x"), "x\nb\n"],
  ["matched", block("z", "x"), undefined, true],
  ["accepted", block("a", "x"), undefined, true],
  ["matched", block("a", "a"), undefined, true],
  ["matched", block("a", "x") + block("b", "b"), "x\nb\n"],
  ["reported", block("a", "x"), undefined],
  ["matched", block("a", "x") + block("q", "r").replace("a.ts", "other.ts"), "x\nb\n"],
];

for (const [verdict, answer, after, isRefused = false] of cases) {
  test(`the verdict on a replayed answer is ${verdict}: ${JSON.stringify(answer)}`, () => {
    const recorded: RecordedAnswer = {
      ...{ id: "x", format: "search-replace", check: "exact", answer, path: "a.ts", isRefused },
      files: new Map([["a.ts", "a\nb\n"]]),
      filesAfter: after === undefined ? undefined : new Map([["a.ts", after]]),
      ...{ firstLine: 1, breaksSyntax: false },
    };
    expect(replay(recorded).verdict).toBe(verdict);
  });
}

test("line numbers of a part of a file count from its first line", () => {
  const recorded: RecordedAnswer = {
    ...{ id: "x", format: "line-commands", check: "exact", answer: "edit 12:12\nx\nend_of_edit\n", path: "a.py" },
    files: new Map([["a.py", "a\nb\n"]]),
    filesAfter: new Map([["a.py", "a\nx\n"]]),
    ...{ firstLine: 11, breaksSyntax: false, isRefused: false },
  };
  expect(replay(recorded).verdict).toBe("matched");
});
