import { expect, test } from "vitest";
import type { PromptBudget } from "../context/index.ts";
import { defaultConfig } from "./default-config.ts";
import { promptBudgetOf } from "./engine-settings.ts";

test.each<[string, { readonly contextTokens?: number }, number, PromptBudget["limit"]]>([
  ["an unknown context", {}, 8192, { kind: "setting", key: "context.maxTokens" }],
  ["100,000 tokens of context", { contextTokens: 100_000 }, 8192, { kind: "setting", key: "context.maxTokens" }],
  [
    "4,096 tokens, 640 of which are for the answer",
    { contextTokens: 4096 },
    4096 - 640,
    { kind: "context", contextTokens: 4096, answerTokens: 640 },
  ],
  [
    "500 tokens, a quarter of which is for the answer",
    { contextTokens: 500 },
    375,
    { kind: "context", contextTokens: 500, answerTokens: 125 },
  ],
])("a model with %s gets a prompt of the tokens that are left", (_, limits, maxTokens, limit) => {
  const budget = promptBudgetOf(defaultConfig, { ...limits, answerTokens: 640 });
  expect(budget).toEqual({ maxTokens, suffixShare: 0.15, limit });
});

test.each([
  ["120 tokens in its time", { freshTokens: 120 }, { freshTokens: 120 }],
  ["as many as a prompt may have", { freshTokens: 8192 }, {}],
  ["as many as its context has room for", { contextTokens: 500, freshTokens: 375 }, {}],
])("a model that evaluates %s", (_, limits, expected) => {
  const { maxTokens, suffixShare, limit, ...rest } = promptBudgetOf(defaultConfig, { ...limits, answerTokens: 640 });
  expect(rest).toEqual(expected);
});
