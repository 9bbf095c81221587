import { expect, test } from "vitest";
import { defaultConfig } from "./default-config.ts";
import { promptBudgetOf } from "./prompt-budget.ts";

test.each([
  ["an unknown context", {}, 8192],
  ["100,000 tokens of context", { contextTokens: 100_000 }, 8192],
  ["4,096 tokens, 640 of which are for the answer", { contextTokens: 4096 }, 4096 - 640],
  ["500 tokens, a quarter of which is for the answer", { contextTokens: 500 }, 375],
])("a model with %s gets a prompt of the tokens that are left", (_, limits, maxTokens) => {
  expect(promptBudgetOf(defaultConfig, { ...limits, answerTokens: 640 })).toEqual({ maxTokens, suffixShare: 0.15 });
});
