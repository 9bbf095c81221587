import type { PromptInputSettings } from "./build-prompt-input.ts";

/**
 * Returns the settings with which a prompt input and its answer fit into a model's context of this
 * many tokens. Where the context is large enough or unknown, they are unchanged; otherwise every
 * limit is reduced by the same factor.
 *
 * Only lines are counted. Instructions, markers, the signs of diffs, lines that are shown twice and
 * the answer take the rest of the context.
 */
export function settingsWithin(settings: PromptInputSettings, contextTokens: number | undefined): PromptInputSettings {
  if (contextTokens === undefined) return settings;
  const { pageTokens, historyTokens, viewedTokens, windowTokens } = settings;
  const room = contextTokens * shareOfLines;
  const share = Math.min(1, room / (pageTokens + historyTokens + viewedTokens));
  const within = (tokens: number): number => Math.floor(tokens * share);
  return {
    ...settings,
    pageTokens: within(pageTokens),
    historyTokens: within(historyTokens),
    viewedTokens: within(viewedTokens),
    // The editable region is both shown and rewritten.
    windowTokens: Math.min(windowTokens, Math.floor(room / 2)),
  };
}

/** The share of a context that the lines of a prompt input may take. */
const shareOfLines = 0.6;
