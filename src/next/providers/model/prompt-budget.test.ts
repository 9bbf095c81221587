import { expect, test } from "vitest";
import { defaultPromptInputSettings } from "./build-prompt-input.ts";
import { settingsWithin } from "./prompt-budget.ts";

const {
  pageTokens: page,
  historyTokens: history,
  viewedTokens: viewed,
  windowTokens: window,
} = defaultPromptInputSettings;

/** A context, and the tokens of the excerpt, the history, the snippets and the editable region. */
test.each([
  ["unknown", undefined, [page, history, viewed, window]],
  ["large", 32_768, [page, history, viewed, window]],
  ["just large enough", 8_334, [page, history, viewed, window]],
  ["small", 4_096, [983, 491, 983, 1_228]],
  ["tiny", 1_000, [240, 120, 240, 300]],
])("the token limits of a prompt fit into a context that is %s", (_, context, tokens) => {
  const within = settingsWithin(defaultPromptInputSettings, context);
  expect([within.pageTokens, within.historyTokens, within.viewedTokens, within.windowTokens]).toEqual(tokens);
  expect(within).toMatchObject({ linesAbove: 2, linesBelow: 5, areaLines: 15 });
});
