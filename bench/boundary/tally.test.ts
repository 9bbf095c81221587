import { expect, test } from "vitest";
import type { EditOutcome, EditProposal } from "../../src/edit/edit-outcome.ts";
import { emptyWorkspaceEdit } from "../../src/text/index.ts";
import { type MistakeResult, mistakeRows, printMistakeRows, verdictOf } from "./tally.ts";

function offered(proposal: Partial<EditProposal>): EditOutcome {
  const silent = { repairs: [], normalizations: [], warnings: [], requests: 0 };
  return {
    kind: "offered",
    proposal: { edit: emptyWorkspaceEdit, files: new Map(), format: "range", ...silent, ...proposal },
  };
}

const splice = { start: 0, end: 1, lines: [] };
const repair = { path: "a", before: splice, after: splice, evidence: ["parse-failure"], message: "" } as const;
const moved = { kind: "moved", message: "", row: 0, path: "a" } as const;

test("verdictOf judges the change of an outcome", () => {
  expect(verdictOf(offered({ repairs: [repair] }), true)).toBe("exact");
  expect(verdictOf(offered({ normalizations: [moved] }), true)).toBe("exact");
  expect(verdictOf(offered({ repairs: [repair], warnings: ["Look."] }), false)).toBe("wrong");
  expect(verdictOf(offered({ normalizations: [moved] }), false)).toBe("wrong");
  expect(verdictOf(offered({ warnings: ["Look."] }), false)).toBe("reported");
  expect(verdictOf(offered({}), false)).toBe("unnoticed");
  expect(verdictOf({ kind: "refused", refusals: [], best: undefined }, false)).toBe("left");
});

test("mistakeRows counts the verdicts of each mistake", () => {
  const result = (verdict: MistakeResult["verdict"], parses: boolean): MistakeResult => ({
    name: "end one late",
    parses,
    verdict,
  });
  const results = [
    result("exact", false),
    result("left", false),
    result("reported", false),
    result("wrong", false),
    result("unnoticed", true),
  ];
  expect(printMistakeRows(mistakeRows(results))).toBe(
    [
      "mistake       made  still parses  triggered   exact    left  reported  wrong  unnoticed",
      "end one late     5        20.0 %     80.0 %  25.0 %  25.0 %    25.0 %      1     20.0 %",
      "all              5        20.0 %     80.0 %  25.0 %  25.0 %    25.0 %      1     20.0 %",
    ].join("\n"),
  );
});
