import type { PromptBudget } from "../context/index.ts";
import { keptForAnswer, type PromptLimits } from "../model/index.ts";
import type { Config } from "./schema/settings.ts";

/**
 * The budget of the next prompt in tokens: what the configuration allows, at most what the model's
 * context has room for beside its answer of up to `answerTokens`.
 */
export function promptBudgetOf(
  { context }: Pick<Config, "context">,
  { contextTokens, answerTokens }: Pick<PromptLimits, "contextTokens"> & { readonly answerTokens: number },
): PromptBudget {
  const { maxTokens, suffixShare } = context;
  if (contextTokens === undefined) return { maxTokens, suffixShare };
  return { maxTokens: Math.min(maxTokens, contextTokens - keptForAnswer(answerTokens, contextTokens)), suffixShare };
}
