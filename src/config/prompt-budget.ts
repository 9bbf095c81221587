import type { PromptBudget } from "../context/index.ts";
import { keptForAnswer, type PromptLimits } from "../model/index.ts";
import type { Config } from "./schema/settings.ts";

/**
 * The budget of the next prompt in tokens: what the configuration allows, at most what the model's
 * context has room for beside its answer of up to `answerTokens`, and of that at most `freshTokens`
 * that the server has not evaluated yet.
 */
export function promptBudgetOf(
  { context }: Pick<Config, "context">,
  {
    contextTokens,
    freshTokens,
    answerTokens,
  }: Pick<PromptLimits, "contextTokens" | "freshTokens"> & { readonly answerTokens: number },
): PromptBudget {
  const { suffixShare } = context;
  const room =
    contextTokens === undefined ? Number.POSITIVE_INFINITY : contextTokens - keptForAnswer(answerTokens, contextTokens);
  const maxTokens = Math.min(context.maxTokens, room);
  const isLimited = freshTokens !== undefined && freshTokens < maxTokens;
  return { maxTokens, suffixShare, ...(isLimited && { freshTokens }) };
}
