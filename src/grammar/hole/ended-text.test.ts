import { describe, expect, test } from "vitest";
import { agreedEnd, type EndingGuide, endedTexts } from "./ended-text.ts";
import type { TextGuide } from "./text-guide.ts";

/** Allows beginnings of a list in brackets, and an end where all of them are closed. */
const brackets: TextGuide = {
  allows: (text) => depthOf(text) >= 0,
  canContinue: (text) => depthOf(text) >= 0,
  mayEnd: (text) => depthOf(text) === 0 && text !== "",
  ending: (text) => (text === "" ? "[]" : depthOf(text) > 0 ? "]".repeat(depthOf(text)) : undefined),
};

function depthOf(text: string): number {
  return text.split("[").length - text.split("]").length;
}

test.each([
  ["[a b", ["closed [a b]", "closed [a ]", "closed [a]", "closed []"]],
  ["[] ]", ["cut-back []", "cut-back [] "]],
  ["[]", ["cut-back []"]],
  ["", ["closed []"]],
])("endedTexts: the best complete text made of %j is %j", (text, expected) => {
  expect([...endedTexts(brackets, text)].map((ended) => `${ended.kind} ${ended.text}`)).toEqual(expected);
});

describe("agreedEnd", () => {
  const guide: EndingGuide = { ...brackets, otherEndings: (text) => ["(]", "[]]", "!]"].filter(() => text === "[a") };

  test.each<[string, (text: string) => boolean, string | undefined]>([
    ["is the first it agrees to", () => true, "[a]"],
    ["is shorter where it wants that", (text) => !text.includes("a"), "[]"],
    ["is another one of the same text", (text) => text.endsWith("!]"), "[a!]"],
    ["is none where it agrees to none", () => false, undefined],
  ])("%s", async (_, agrees, expected) => {
    const ended = await agreedEnd(guide, "[a", async (text) => agrees(text));
    expect(ended?.text).toBe(expected);
  });

  test("makes a bounded number of attempts for a long text", async () => {
    let tried = 0;
    await agreedEnd(guide, "[a ".repeat(1000), async () => {
      tried += 1;
      return false;
    });
    expect(tried).toBeLessThan(100);
  });
});
