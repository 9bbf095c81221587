import { expect, test } from "vitest";
import { Edit, workspaceEdit } from "../text/index.ts";
import { changedFiles } from "./changed-files.ts";
import type { EditOutcome, EditProposal } from "./edit-outcome.ts";
import { editToJson } from "./edit-to-json.ts";
import { explainEdit } from "./explain-edit.ts";
import type { AddedIssue } from "./repair/added-issues.ts";

const text = "if (a) {\n  b();\n}\n";
const proposal: EditProposal = {
  edit: workspaceEdit([
    { kind: "edit", uri: "a.ts", edit: Edit.replace({ start: 11, end: 12 }, "c") },
    { kind: "create", uri: "b.ts", text: "d();\n" },
  ]),
  files: new Map([["a.ts", text]]),
  format: "range",
  repairs: [
    {
      path: "a.ts",
      before: { start: 1, end: 3, lines: ["  c();"] },
      after: { start: 1, end: 2, lines: ["  c();"] },
      evidence: ["parse-failure"],
      message: "Line 3 stays: the file would not parse without it.",
    },
  ],
  normalizations: [{ kind: "moved", message: "The place is line 2, not line 3.", row: 0, path: "a.ts" }],
  warnings: ["a.ts was not formatted: no configuration"],
  requests: 2,
};
const [file] = changedFiles(proposal.files, proposal.edit, new Map());
const missingBrace: AddedIssue = {
  ...{ code: "missing", start: 18, end: 18, message: "Expected `}`" },
  ...{ file: file!, suspectLine: 1, openerLine: undefined },
};
const notes = `  repaired   a.ts:2: Line 3 stays: the file would not parse without it.
  understood a.ts, row 1 of the answer: The place is line 2, not line 3.
  warning    a.ts was not formatted: no configuration
`;

const outcomes: readonly (readonly [outcome: EditOutcome, explained: string])[] = [
  [{ kind: "offered", proposal }, `Edit a.ts, create b.ts (format range, 2 requests).\n${notes}`],
  [{ kind: "unchanged", message: "All is well." }, "Nothing changes. All is well.\n"],
  [
    {
      kind: "refused",
      best: undefined,
      refusals: [
        {
          kind: "anchor-mismatch",
          message: 'Line 2 is said to begin with "c".',
          row: 3,
          path: "a.ts",
          nearest: [{ start: 1, lines: ["  b();"] }],
        },
      ],
    },
    `Nothing of the answer could be used.
  refused    a.ts, row 4 of the answer: Line 2 is said to begin with "c".
  most similar:
       2 |   b();
`,
  ],
  [
    {
      kind: "refused",
      best: undefined,
      refusals: [{ kind: "no-edits", message: "The answer holds no edit.", row: undefined, path: undefined }],
      firstRows: ["I cannot.", "…"],
    },
    `Nothing of the answer could be used. A model that only completes code takes no instructions; \`emend setup\` finds one that chats.
  refused    The answer holds no edit.
  the answer begins:
    | I cannot.
    | …
`,
  ],
  [
    {
      kind: "broken",
      best: { ...proposal, repairs: [], normalizations: [], warnings: [] },
      issues: [missingBrace],
    },
    `The change breaks the syntax (format range, 2 requests). It would edit a.ts, create b.ts.
  broken     a.ts:4: Expected \`}\`. The mistake is probably in line 2.
`,
  ],
  [
    {
      kind: "failed-verification",
      report: "expected 3\nreceived 1\n",
      best: { ...proposal, repairs: [], normalizations: [], warnings: [] },
    },
    `The check fails (format range, 2 requests). The change would edit a.ts, create b.ts. Its output:
expected 3
received 1
`,
  ],
  [
    { kind: "stale", paths: ["a.ts"], best: { ...proposal, repairs: [], normalizations: [], warnings: [] } },
    `Files were changed meanwhile, in the lines that the change edits. Run the request again.
  changed    a.ts
`,
  ],
];

test("explainEdit blames no model for a pasted answer without an edit", () => {
  const refusals = [
    { kind: "no-edits", message: "The answer holds no edit.", row: undefined, path: undefined },
  ] as const;
  expect(explainEdit({ kind: "refused", best: undefined, refusals }, { isPasted: true })).toBe(
    `Nothing of the answer could be used. Paste the complete answer of the chat, or ask the chat for the format that the prompt describes.
  refused    The answer holds no edit.
`,
  );
});

for (const [outcome, explained] of outcomes) {
  test(`explainEdit explains the outcome ${outcome.kind}`, () => {
    expect(explainEdit(outcome)).toBe(explained);
  });
}

test("the JSON of an outcome has the change as edits and as a diff", () => {
  const json = editToJson({ kind: "offered", proposal });
  expect(JSON.parse(JSON.stringify(json))).toEqual(json);
  expect(json.proposal!.changes).toEqual([
    { kind: "edit", path: "a.ts", edits: [{ start: 11, end: 12, text: "c" }] },
    { kind: "create", path: "b.ts", text: "d();\n" },
  ]);
  expect(json.proposal!.diff).toContain("-  b();\n+  c();\n");
});

test("the JSON of an outcome has its syntax errors without the texts of their files", () => {
  expect(editToJson({ kind: "broken", issues: [missingBrace], best: proposal }).issues).toEqual([
    {
      path: "a.ts",
      issue: { kind: "missing", range: { start: 18, end: 18 }, message: "Expected `}`" },
      suspectLine: 1,
    },
  ]);
});
