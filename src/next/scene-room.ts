import type { SceneSettings } from "./scene-at.ts";

/**
 * The settings with which a scene and its answer fit into a model's context of so many tokens: as they are where these are enough, or not known; otherwise
 * all that is shown is less by the same share.
 *
 * What is counted are lines. Instructions, marks, the signs of diffs, lines that are shown twice and the answer take the rest of the context.
 */
export function settingsWithin(settings: SceneSettings, contextTokens: number | undefined): SceneSettings {
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
    // It is shown, and written anew.
    windowTokens: Math.min(windowTokens, Math.floor(room / 2)),
  };
}

/** How much of a context the lines of a scene may take. */
const shareOfLines = 0.6;
