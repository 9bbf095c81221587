import { expect, test } from "vitest";
import { type MistakeResult, mistakeRows, printMistakeRows, verdictOf } from "./tally.ts";

const splice = { start: 0, end: 1, lines: [] };
const repair = { path: "a", before: splice, after: splice, evidence: ["parse-failure"], message: "" } as const;
const doubt = { path: "a", splice, evidence: ["parse-failure"] } as const;

test("verdicts", () => {
  expect(verdictOf({ splices: [splice], repairs: [repair], doubts: [] }, true)).toBe("exact");
  expect(verdictOf({ splices: [splice], repairs: [repair], doubts: [] }, false)).toBe("wrong");
  expect(verdictOf({ splices: [splice], repairs: [], doubts: [doubt] }, false)).toBe("left");
  expect(verdictOf({ splices: [splice], repairs: [], doubts: [] }, false)).toBe("unnoticed");
});

test("rows", () => {
  const result = (verdict: MistakeResult["verdict"], parses: boolean): MistakeResult => ({
    name: "end one late",
    parses,
    verdict,
  });
  const results = [result("exact", false), result("left", false), result("wrong", false), result("unnoticed", true)];
  expect(printMistakeRows(mistakeRows(results))).toBe(
    [
      "mistake       made  still parses  triggered   exact    left  wrong  unnoticed",
      "end one late     4        25.0 %     75.0 %  33.3 %  33.3 %      1     25.0 %",
      "all              4        25.0 %     75.0 %  33.3 %  33.3 %      1     25.0 %",
    ].join("\n"),
  );
});
