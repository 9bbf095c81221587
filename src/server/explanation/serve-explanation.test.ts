import { describe, expect, test } from "vitest";
import type { GhostTextOutcome, Suggestion } from "../../complete/index.ts";
import type { PlacedPiece } from "../../context/index.ts";
import type { NextEditOutcome, NextEditSuggestion, ShownPromptInput } from "../../next/index.ts";
import { Edit } from "../../text/index.ts";
import type { ExplainedOutcome } from "../request-log.ts";
import { explainGhostText, explainNextEdit } from "./serve-explanation.ts";

const place = { uri: "file:///w/a.ts", position: { line: 0, character: 3 }, path: "a.ts" };

const suggestion: Suggestion = {
  ...{ id: "ghost-1", edit: { start: 3, end: 3, text: "one;\ntwo;" }, ghost: "one;\ntwo;", probability: 0.824 },
  ...{ origin: "model", model: "ollama:x", changes: ["trimmed-at-block", "cut-fence"] },
};

const trace: GhostTextOutcome["trace"] = [
  { step: "gate", tookMs: 1, detail: "open" },
  { step: "first-token", tookMs: 40, detail: "the answer begins" },
  { step: "model", tookMs: 9, detail: "ollama:x: 9 characters" },
];

const offered: GhostTextOutcome = { kind: "offered", suggestions: [suggestion], trace };

/** A piece of a prompt. */
const piece = (more: Partial<PlacedPiece>): PlacedPiece => ({
  ...{ kind: "similar", path: "b.ts", text: "text", priority: 0.5, tokens: 7, status: { kind: "written" } },
  ...more,
});

describe("of ghost text", () => {
  test("contains the suggestion, its model, likelihood and changes", () => {
    expect(explainGhostText({ ...place, outcome: offered })).toMatchObject({
      ...{ of: "ghost-text", uri: place.uri, position: place.position, result: '"one;" by ollama:x, 82 % sure' },
      ...{ model: "ollama:x", likelihood: 0.824 },
      changes: ["cut where the block ends", "the code fence around it was removed"],
    });
  });

  test("starts each step where the one before ends", () => {
    const { steps, totalMs } = explainGhostText({ ...place, outcome: offered });
    expect(steps.map(({ name, startMs, tookMs }) => `${name} ${startMs}+${tookMs}`)).toEqual([
      ...["gate 0+1", "first token 1+40", "model 41+9"],
    ]);
    expect(totalMs).toBe(50);
  });

  test.each([
    [piece({}), { title: "similar code in open files", origin: "b.ts", tokens: 7, status: "whole", text: "text" }],
    [
      piece({ kind: "retrieved", lines: { start: 10, end: 30 }, status: { kind: "clipped" } }),
      { origin: "b.ts:11-30", status: "cut", why: "the rest is over the budget", text: "text" },
    ],
    [
      piece({ kind: "imports", status: { kind: "left-out", reason: "over-budget" } }),
      { status: "left out", why: "over the budget", text: "" },
    ],
    [piece({ kind: "git-diff", hidden: 2 }), { title: "uncommitted changes, 2 secrets hidden" }],
    [
      piece({ kind: "before-cursor", text: `${"x".repeat(20_000)}|` }),
      { text: `…${"x".repeat(19_999)}|`, title: "the text before the cursor" },
    ],
    [piece({ kind: "after-cursor", text: `|${"x".repeat(20_000)}` }), { text: `|${"x".repeat(19_999)}…` }],
  ])("a piece: %j", (placed, shown) => {
    const prompt = {
      ...{ prefix: "", suffix: "", context: [], pieces: [placed], tokens: 9 },
      ...{ budget: { maxTokens: 100, suffixShare: 0.2 }, counter: { name: "x", isExact: true } },
    };
    const explanation = explainGhostText({ ...place, outcome: { ...offered, prompt } });
    expect(explanation.pieces).toMatchObject([shown]);
    expect(explanation.tokens).toEqual({
      ...{ used: 9, budget: 100, size: "9 tokens" },
      limits: ["The whole text is read; nothing limits it."],
    });
  });

  test("contains refused suggestions with their models and reasons", () => {
    const refused: GhostTextOutcome["refused"] = [
      { kind: "thrown-away", line: ") ]", model: "m", reason: { kind: "breaks-syntax", issue: "`)` is not expected" } },
      { kind: "cut", line: "}", model: "m", change: "trimmed-at-block" },
      { kind: "not-allowed", line: "return )", model: "builtin", by: "grammar" },
    ];
    expect(explainGhostText({ ...place, outcome: { ...offered, refused } }).refusals).toEqual([
      {
        what: ") ]",
        why: "The answer, and every beginning of it, would break the syntax: `)` is not expected",
        by: "m",
      },
      { what: "}", why: "cut where the block ends", by: "m" },
      { what: "return )", why: "the grammar does not let it stand here", by: "builtin" },
    ]);
  });

  test("explains ghost text that is hidden by a next edit as no suggestion", () => {
    const explanation = explainGhostText({ ...place, outcome: offered, reason: { kind: "next-edit-shown" } });
    expect(explanation).toMatchObject({
      noSuggestion: { kind: "next-edit-shown" },
      result: explanation.noSuggestion?.text,
      changes: [],
    });
    expect(explanation.model).toBeUndefined();
    expect(explanation.refusals).toEqual([{ what: "one;", why: explanation.noSuggestion?.text, by: "ollama:x" }]);
  });

  const silent = (steps: readonly GhostTextOutcome["trace"][number]["step"][], kind: "mid-line" | "model-silent") =>
    ({
      ...{
        kind: "no-suggestion",
        reason: kind === "mid-line" ? { kind, rest: ")" } : { kind, model: "builtin", why: "it is unsure" },
      },
      trace: steps.map((step) => ({ step, tookMs: 1, detail: "" })),
    }) as const satisfies GhostTextOutcome;
  const builtin: GhostTextOutcome = { ...offered, suggestions: [{ ...suggestion, model: "builtin" }] };
  test.each<[what: string, explained: Omit<ExplainedOutcome, "uri" | "position" | "path">, noPrompt: RegExp]>([
    ["a suggestion of the built-in model", { outcome: builtin }, /^The built-in model has learnt/],
    [
      "the built-in model without a suggestion",
      { outcome: silent(["gate", "model"], "model-silent"), reason: silent([], "model-silent").reason },
      /^The built-in model has learnt/,
    ],
    [
      "a place that is skipped",
      { outcome: silent(["gate"], "mid-line"), reason: silent([], "mid-line").reason },
      /^No model was requested\.$/,
    ],
    ["a request that reached no engine", { reason: { kind: "unknown-document", uri: place.uri } }, /^No model was req/],
    [
      "a cached answer whose prompt is gone",
      { outcome: offered },
      /^The suggestion is an earlier answer of the model\.$/,
    ],
  ])("says why there is no prompt: %s", (_, explained, noPrompt) => {
    expect(explainGhostText({ ...place, ...explained }).noPrompt).toMatch(noPrompt);
  });

  test("explains a request that reached no engine", () => {
    const explanation = explainGhostText({ ...place, reason: { kind: "unknown-document", uri: place.uri } });
    expect(explanation).toMatchObject({
      steps: [],
      totalMs: 0,
      pieces: [],
      refusals: [],
      noSuggestion: { kind: "unknown-document" },
    });
  });

  test("contains the line of a match unless its file has changed", () => {
    const evidence: GhostTextOutcome["evidence"] = [
      { text: "one", probability: 0.5, contexts: ["last 2 tokens"], match: { path: "b.ts", tokenIndex: 7, length: 3 } },
      { text: ";", probability: 0.9, contexts: [] },
    ];
    const outcome = { ...offered, evidence };
    const matches = (lineOf?: () => number) => explainGhostText({ ...place, outcome }, lineOf).evidence?.[0]?.match;
    expect(matches(() => 4)).toEqual({ origin: "b.ts:5", tokens: 3 });
    expect(matches()).toEqual({ origin: "b.ts", tokens: 3 });
    expect(explainGhostText({ ...place, outcome }).evidence?.[1]).toEqual({ text: ";", likelihood: 0.9, contexts: [] });
  });
});

describe("of a next edit", () => {
  const next: NextEditSuggestion = {
    ...{ id: "next-1", path: "a.ts", text: "a = 1\nb = 1\n", edit: Edit.of([{ start: 10, end: 11, text: "2" }]) },
    ...{ place: { start: 10, end: 11 }, origin: "example", reason: "like your last edit", likelihood: 0.9 },
    ...{ isReused: false, others: [] },
  };
  const outcome: NextEditOutcome = {
    ...{ kind: "offered", suggestion: next, trace: [{ step: "sources", tookMs: 2, detail: "2 at once" }] },
    filteredOut: [{ proposal: { ...next, edit: Edit.insert(0, "c"), likelihood: 0.1 }, reason: { kind: "rejected" } }],
  };

  test("contains the place, the reason, and the filtered suggestions", () => {
    expect(explainNextEdit({ ...place, outcome })).toMatchObject({
      ...{ of: "next-edit", result: "a.ts:2:5, like your last edit (example, 90 %)", likelihood: 0.9, totalMs: 2 },
      refusals: [{ what: "a.ts: c", why: "it was rejected before", by: "example" }],
    });
  });

  test("contains no proposal as filtered out that is accepted with the suggestion", () => {
    const at = (start: number) => ({ ...next, place: { start, end: start + 1 }, likelihood: 0.2 });
    const unlikely = (start: number) =>
      ({ proposal: at(start), reason: { kind: "unlikely", threshold: 0.6 } }) as const;
    const withOthers: NextEditOutcome = {
      ...outcome,
      suggestion: { ...next, others: [at(4)] },
      filteredOut: [unlikely(4), unlikely(6), { proposal: at(4), reason: { kind: "rejected" } }],
    };
    const { refusals } = explainNextEdit({ ...place, outcome: withOthers });
    expect(refusals.map(({ why }) => why)).toEqual([
      "its likelihood is below 60 %, the minimum of next.eagerness",
      "it was rejected before",
    ]);
  });

  test("says why there is no prompt", () => {
    const of = (model: string | undefined) =>
      explainNextEdit({ ...place, outcome: { ...outcome, suggestion: { ...next, ...(model && { model }) } } }).noPrompt;
    expect(of(undefined)).toBe("The next edit was found without a model request.");
    expect(of("ollama:x")).toBe("The suggestion is an earlier answer of the model.");
    const nothing = { kind: "no-suggestion", reason: { kind: "nothing-edited" }, trace: [], filteredOut: [] } as const;
    expect(explainNextEdit({ ...place, outcome: nothing, reason: nothing.reason }).noPrompt).toBe(
      "No model was requested.",
    );
  });

  test("contains the prompt's parts, and what did not fit its budget", () => {
    const part = {
      kind: "window",
      path: "a.ts",
      lines: { start: 0, end: 2 },
      text: "a = 1\nb = 1\n",
      tokens: 8,
    } as const;
    const shown: ShownPromptInput = {
      ...{ model: "ollama:x", format: "zeta", parts: [part] },
      leftOut: { edits: 3, viewed: 0, diagnostics: 0 },
    };
    const { pieces } = explainNextEdit({ ...place, outcome: { ...outcome, shown } });
    expect(pieces.map(({ title, origin, status, tokens }) => `${title} ${origin} ${status} ${tokens}`)).toEqual([
      "the editable region a.ts:1-2 whole 8",
      "older edits 3 more left out 0",
    ]);
  });

  test("contains a suggestion that was too late as filtered", () => {
    const explanation = explainNextEdit({ ...place, outcome, reason: { kind: "ghost-text-shown" } });
    expect(explanation.noSuggestion?.kind).toBe("ghost-text-shown");
    expect(explanation.likelihood).toBeUndefined();
    expect(explanation.refusals).toHaveLength(2);
  });
});
