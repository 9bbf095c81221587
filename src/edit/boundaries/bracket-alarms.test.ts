import { expect, test } from "vitest";
import { languageById } from "../../syntax/index.ts";
import { bracketAlarms } from "./bracket-alarms.ts";

const count = 60_000;
const lines = (line: string) => `${line}\n`.repeat(count);

// Searching the open brackets or the lines above for each alarm would take minutes.
test.each([
  ["closing brackets at the end of indented lines", lines("  a)"), count],
  ["closing brackets in one line", `  ${")".repeat(count)}`, count],
  ["closing brackets of another kind than the open ones", `${"(".repeat(count)}\n${"]\n".repeat(count)}`, count + 1],
  ["blocks that end too early", `${lines("  {")}${lines("}")}`, 2 * count - 1],
])("row 15: bracketAlarms reads %s a bounded number of times", (_, text, expected) => {
  const alarms = bracketAlarms(text, languageById("typescript")!);
  expect(alarms).toHaveLength(expected);
  expect(alarms.every(({ text }) => text.length <= 200)).toBe(true);
});
