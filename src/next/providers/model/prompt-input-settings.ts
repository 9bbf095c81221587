/** How much of a file a model is shown around the cursor, and how much of that it may rewrite. */
export interface RegionSettings {
  /**
   * The number of lines of the editable region above the cursor's line. `up-to-text` extends it up
   * to the nearest line that is not blank, beginning with the cursor's own line, if that is within
   * 8 lines; otherwise no lines.
   */
  readonly linesAbove: number | "up-to-text";
  readonly linesBelow: number;
  /** The number of further lines below for a second try, after the model proposed nothing. */
  readonly moreLinesBelow: number;
  /** The most tokens of the editable region. */
  readonly regionTokens: number;
  /** The number of lines of the surrounding area above the editable region, and as many below. */
  readonly contextLines: number;
  /**
   * The excerpt begins and ends at a multiple of this number of lines, so that it stays the same
   * while the cursor moves a little.
   */
  readonly excerptLines: number;
  /** The most tokens of the excerpt, unless the editable region alone has more. */
  readonly excerptTokens: number;
}

/**
 * The values of VS Code's Copilot extension 0.42: 2 lines above and 5 below, about 10 more below
 * for a second try, at most 2,000 tokens; 15 lines around as the area; an excerpt in steps of 10
 * lines with 2,000 tokens.
 */
export const defaultWindowSettings: RegionSettings = {
  linesAbove: 2,
  linesBelow: 5,
  moreLinesBelow: 10,
  regionTokens: 2_000,
  contextLines: 15,
  excerptLines: 10,
  excerptTokens: 2_000,
};

/** How much of the recent work a prompt input contains. */
export interface PromptInputSettings extends RegionSettings {
  /** The most edits of the history, and the most tokens of their lines together. */
  readonly historyEdits: number;
  readonly historyTokens: number;
  /** The most snippets of recently viewed files, and the most tokens of them together. */
  readonly viewedSnippets: number;
  readonly viewedTokens: number;
  /** The most diagnostics. */
  readonly diagnostics: number;
}

/**
 * Editable regions as in {@link defaultWindowSettings}; the rest are the values of VS Code's
 * Copilot extension 0.42.
 */
export const defaultPromptInputSettings: PromptInputSettings = {
  ...defaultWindowSettings,
  historyEdits: 25,
  historyTokens: 1_000,
  viewedSnippets: 5,
  viewedTokens: 2_000,
  diagnostics: 5,
};
