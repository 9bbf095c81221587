import { expect, test } from "vitest";
import { explainOutcome } from "./explain-outcome.ts";

test("explainOutcome prints a suggestion with its trace, score and prompt", () => {
  const outcome = {
    kind: "offered",
    suggestions: [
      {
        id: "ghost-1",
        edit: { start: 4, end: 4, text: "b;" },
        ghost: "b;",
        probability: 0.714,
        origin: "model",
        model: "builtin",
        changes: ["cut-closers"],
      },
    ],
    trace: [
      { step: "gate", tookMs: 0.04, detail: "open" },
      { step: "offer", tookMs: 12, detail: "1, the first: model" },
    ],
    acceptance: {
      score: 0.6,
      contributions: [
        { signal: "just accepted", adds: 0.5 },
        { signal: "length of the line", adds: -0.1 },
      ],
    },
    prompt: {
      ...{ prefix: "a = ", suffix: "", context: [], pieces: [], tokens: 3 },
      budget: { maxTokens: 100, suffixShare: 0.15 },
      counter: { name: "an estimate", isExact: false },
    },
  } as const;
  expect(explainOutcome(outcome)).toBe(
    `"b;" by builtin (model, 71 % sure; closing brackets that are already there were removed)

gate        0.0 ms  open
offer      12.0 ms  1, the first: model

acceptance 0.60
  +0.50  just accepted
  -0.10  length of the line

piece  from  tokens  priority  status
3 tokens by an estimate
The whole text is read; nothing limits it.
`,
  );
});

test("explainOutcome prints no suggestion with its reason", () => {
  const outcome = {
    kind: "no-suggestion",
    reason: { kind: "superseded" },
    trace: [{ step: "gate", tookMs: 1, detail: "open" }],
  } as const;
  expect(explainOutcome(outcome)).toBe(
    "Nothing (superseded). A newer request for this document replaced it.\n\ngate        1.0 ms  open\n",
  );
});
