import { expect, test } from "vitest";
import { explainPrompt, explainPromptLimit, printPromptSize } from "./explain-prompt.ts";
import type { PlacedPiece, PromptBudget } from "./prompt.ts";

const piece = (more: Pick<PlacedPiece, "kind" | "path" | "status" | "tokens"> & Partial<PlacedPiece>): PlacedPiece => ({
  text: "",
  priority: 0.8,
  ...more,
});

test.each([
  ["o200k_base", true, undefined, "o200k_base"],
  ["an estimate", false, undefined, "an estimate"],
  ["the model's measured ratio", false, undefined, "the model's measured ratio"],
  ["the model's measured ratio", false, 131, "the model's measured ratio (131 as its server counted)"],
])("explainPrompt says what counted: %s, exact: %s, by the server: %s", (name, isExact, serverTokens, printed) => {
  const prompt = { prefix: "", suffix: "", context: [], pieces: [], tokens: 127 };
  const budget = { maxTokens: 2000, suffixShare: 0.15, limit: { kind: "setting", key: "context.maxTokens" } } as const;
  const counted = serverTokens === undefined ? {} : { serverTokens };
  const lines = explainPrompt({ ...prompt, budget, counter: { name, isExact }, ...counted }).split("\n");
  expect(lines.at(-3)).toBe(`127 tokens of at most 2,000 by ${printed}, 15 % for what follows the cursor`);
});

const bySetting = { kind: "setting", key: "context.maxTokens" } as const;
const byContext = { kind: "context", contextTokens: 2048, answerTokens: 512 } as const;
const pace = { tokensPerSecond: 35.2, setting: 'models["llamacpp"].promptMs' };
const ofContext =
  "The limit of 1,536 is the context of the model, 2,048 tokens, without 512 for the answer: its server can be started with more.";

test.each<[what: string, budget: Partial<PromptBudget>, size: string, limits: readonly string[]]>([
  ["nothing", {}, "70 tokens", ["The whole text is read; nothing limits it."]],
  ["a setting", { limit: bySetting }, "70 tokens of at most 1,536", ["The limit of 1,536 is `context.maxTokens`."]],
  ["the context of the server", { limit: byContext }, "70 tokens of at most 1,536", [ofContext]],
  [
    "the measured speed",
    { limit: byContext, freshTokens: 70, pace },
    "70 tokens of at most 1,536",
    [
      ofContext,
      'Of these, 70 at most may be new to the server: it reads about 35 a second, and `models["llamacpp"].promptMs` is the time that it has. The prompt grows while you pause.',
    ],
  ],
])("a prompt that is limited by %s", (_, limits, size, sentences) => {
  const prompt = { tokens: 70, budget: { maxTokens: 1536, suffixShare: 0.15, ...limits } };
  expect([printPromptSize(prompt), explainPromptLimit(prompt)]).toEqual([size, sentences]);
});

test("explainPrompt prints one line for each piece, with the reason where it is left out", () => {
  const pieces = [
    piece({ kind: "marker", path: "src/a.ts", tokens: 7, priority: 0.97, status: { kind: "written" } }),
    piece({
      kind: "retrieved",
      path: "src/cart.ts",
      lines: { start: 10, end: 30 },
      tokens: 120,
      status: { kind: "clipped" },
    }),
    piece({ kind: "git-diff", path: "git diff", tokens: 9, hidden: 2, status: { kind: "written" } }),
    piece({ kind: "similar", path: "b.ts", tokens: 900, status: { kind: "left-out", reason: "adds-nothing" } }),
    piece({ kind: "imports", path: "c.ts", tokens: 50, status: { kind: "left-out", reason: "over-budget" } }),
  ];
  const prompt = { prefix: "", suffix: "", context: [], pieces, tokens: 127 };
  const rest = {
    budget: { maxTokens: 2000, suffixShare: 0.15, limit: bySetting },
    counter: { name: "o200k_base", isExact: true },
  };
  expect(explainPrompt({ ...prompt, ...rest })).toBe(
    `piece      from               tokens  priority  status
marker     src/a.ts                7     0.970  written
retrieved  src/cart.ts:11-30     120     0.800  written in part: the rest is over the budget
git-diff   git diff                9     0.800  written, 2 secrets hidden
similar    b.ts                  900     0.800  left out: adds nothing that others do not have
imports    c.ts                   50     0.800  left out: over the budget
127 tokens of at most 2,000 by o200k_base, 15 % for what follows the cursor
The limit of 2,000 is \`context.maxTokens\`.
`,
  );
});
