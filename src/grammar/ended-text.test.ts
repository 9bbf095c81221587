import { expect, test } from "vitest";
import { endedTexts } from "./ended-text.ts";
import type { TextGuide } from "./text-guide.ts";

/** Allows beginnings of a list in brackets, and an end where all of them are closed. */
const brackets: TextGuide = {
  allows: (text) => depthOf(text) >= 0,
  canGoOn: (text) => depthOf(text) >= 0,
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
])("of %j: %j", (text, expected) => {
  expect([...endedTexts(brackets, text)].map((ended) => `${ended.kind} ${ended.text}`)).toEqual(expected);
});
