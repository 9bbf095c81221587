import { expect, test } from "vitest";
import { Edit } from "../../text/index.ts";
import { describeFilterReason, describeNoNextEdit, explainNextOutcome } from "./explain-next-outcome.ts";
import type { FilterReason, NextEditOutcome, NextEditSuggestion, NoNextEditReason } from "./outcome.ts";

test.each<[reason: FilterReason, line: RegExp]>([
  [{ kind: "nothing-changes" }, /already contains this change/],
  [{ kind: "white-space-only" }, /next\.whiteSpace/],
  [{ kind: "import-only" }, /next\.imports/],
  [{ kind: "too-many-lines", lines: 1200 }, /1,200 lines, more than next\.maxLines/],
  [{ kind: "special-mark", mark: "<EDIT>" }, /"<EDIT>"/],
  [{ kind: "control-character", code: "U+001B" }, /inserts U\+001B/],
  [{ kind: "goes-back", stepsAgo: 1 }, /the last edit$/],
  [{ kind: "goes-back", stepsAgo: 3 }, /the last 3 edits$/],
  [{ kind: "deletes-typed", text: " total\n", stepsAgo: 1 }, /"total", which was typed with the last edit/],
  [{ kind: "restores-deleted", text: "x".repeat(60), stepsAgo: 2 }, /"x{39}…", which was deleted 2 edits ago/],
  [{ kind: "rejected" }, /rejected/],
  [{ kind: "unlikely", threshold: 0.5 }, /50 %, the minimum of next\.eagerness/],
  [{ kind: "secret-file" }, /keys or passwords/],
  [{ kind: "ignored-file" }, /ignored/],
  [{ kind: "breaks-syntax", issue: { code: "missing", start: 0, end: 0, message: "A\nbrace" } }, /: A brace$/],
  [{ kind: "leaves-undeclared", names: ["a", "b"] }, /declaration of "a", "b", which is still used/],
  [{ kind: "breaks-types", findings: [] }, /type error$/],
  [
    {
      kind: "breaks-types",
      findings: [1, 2].map((code) => ({ path: "a.ts", start: 0, end: 1, code: `${code}`, message: `Wrong ${code}` })),
    },
    /: Wrong 1, and 1 more$/,
  ],
])("describeFilterReason(%j)", (reason, line) => {
  expect(describeFilterReason(reason)).toMatch(line);
});

const suggestion: NextEditSuggestion = {
  ...{ id: "1", path: "src/a.ts", text: "a\nold()\n", edit: Edit.replace({ start: 2, end: 5 }, "fresh") },
  ...{ place: { start: 2, end: 5 }, origin: "example", reason: "like your last edit", likelihood: 0.9 },
  ...{ isReused: false, others: [] },
};
const held: NextEditOutcome["filteredOut"] = [
  {
    proposal: { ...suggestion, path: "src/b.ts", likelihood: 0.2 },
    reason: { kind: "unlikely", threshold: 0.5 },
  },
];
const trace: NextEditOutcome["trace"] = [
  { step: "gate", tookMs: 0.04, detail: "typescript" },
  { step: "sources", tookMs: 12.25, detail: "2 of example" },
];
const files = { textOf: () => suggestion.text };

test("explainNextOutcome prints the suggestion with location and reason, the trace, and the filtered-out proposals", () => {
  expect(
    explainNextOutcome({ kind: "offered", suggestion, trace, filteredOut: held }, files),
  ).toBe(`src/a.ts:2:1, like your last edit (example, 90 %)

gate        0.0 ms  typescript
sources    12.3 ms  2 of example

Filtered out:
  src/b.ts:2:1, like your last edit (example, 20 %): its likelihood is below 50 %, the minimum of next.eagerness
`);
});

test("explainNextOutcome prints a location without an edit as worth a look, and no suggestion with its reason", () => {
  const { edit: _, ...place } = suggestion;
  const explanation = explainNextOutcome({ kind: "offered", suggestion: place, trace: [], filteredOut: [] }, files);
  expect(explanation).toContain("src/a.ts:2:1 is worth a look, like your last edit");
  expect(
    explainNextOutcome(
      { kind: "no-suggestion", reason: { kind: "nothing-follows" }, trace: [], filteredOut: [] },
      files,
    ),
  ).toMatch(/^Nothing \(nothing-follows\)\. No next edit follows/);
});

test.each<[reason: NoNextEditReason, line: RegExp]>([
  [{ kind: "language-off", language: "go", setting: "enabled" }, /everywhere by next\.enabled/],
  [{ kind: "language-off", language: "go", setting: "languages.go" }, /for go by next\.languages\.go/],
  [{ kind: "secret-file", path: ".env" }, /^\.env may contain keys/],
  [{ kind: "ignored-file", path: "a.log", by: ".gitignore:1: *.log" }, /ignored by \.gitignore:1: \*\.log;/],
  [{ kind: "too-large", characters: 3_000_000, limit: 2_000_000 }, /3,000,000 characters, more than 2,000,000/],
  [{ kind: "rejected-lately", leftMs: 1_540 }, /another 1\.5 s/],
  [{ kind: "cancelled" }, /was cancelled/],
  [{ kind: "superseded" }, /newer request/],
  [{ kind: "hidden" }, /move back there/],
  [{ kind: "nothing-edited" }, /no recent edit/],
  [{ kind: "nothing-follows" }, /follows from the recent edits/],
  [{ kind: "nothing-follows", leftOut: [{ kind: "types-opening" }] }, /checker is being opened; request/],
  [{ kind: "nothing-follows", leftOut: [{ kind: "types-late", limitMs: 1_500 }] }, /no answer within 1\.5 s; request/],
  [{ kind: "model-failed", code: "no-server", message: "It is\naway." }, /\(no-server\): It is away\./],
  [{ kind: "timed-out", afterMs: 10_000 }, /within 10\.0 s, the limit of next\.timeoutMs/],
  [{ kind: "model-silent" }, /proposes no change/],
  [{ kind: "model-withheld", reason: { kind: "rejected" } }, /filtered out: it was rejected before\./],
  [{ kind: "model-cut", why: "length" }, /length limit.*raise the limit/],
  [{ kind: "model-cut", why: "content-filter" }, /content filter/],
  [{ kind: "model-unreadable", message: "A tag is open." }, /cannot be read: A tag is open\./],
  [{ kind: "model-not-requested", why: "The line is too long." }, /sent to the model: The line is too long\./],
])("describeNoNextEdit(%j)", (reason, line) => {
  expect(describeNoNextEdit(reason)).toMatch(line);
});
