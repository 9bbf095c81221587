import { expect, test } from "vitest";
import { defaultSceneSettings } from "./scene-at.ts";
import { settingsWithin } from "./scene-room.ts";

const { pageTokens: page, historyTokens: history, viewedTokens: viewed, windowTokens: window } = defaultSceneSettings;

/** A context, and the tokens of the page, of the history, of what was looked at and of the window. */
test.each([
  ["one that is not known", undefined, [page, history, viewed, window]],
  ["a great one", 32_768, [page, history, viewed, window]],
  ["one that just does", 8_334, [page, history, viewed, window]],
  ["a small one", 4_096, [983, 491, 983, 1_228]],
  ["a tiny one", 1_000, [240, 120, 240, 300]],
])("%s", (_, context, tokens) => {
  const within = settingsWithin(defaultSceneSettings, context);
  expect([within.pageTokens, within.historyTokens, within.viewedTokens, within.windowTokens]).toEqual(tokens);
  expect(within).toMatchObject({ linesAbove: 2, linesBelow: 5, areaLines: 15 });
});
