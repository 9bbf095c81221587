import { expect, test } from "vitest";
import { type SpecialTokens, type Token, Vocabulary } from "./token-vocabulary.ts";

test.each<[what: string, tokens: readonly Token[], special: SpecialTokens, message: string]>([
  ["no tokens", [], { end: [0] }, "no token that stands for text"],
  [
    "a number given twice",
    [
      { id: 3, text: "a" },
      { id: 3, text: "b" },
    ],
    {},
    "Token 3 is given twice.",
  ],
  ["a special token with text", [{ id: 3, text: "a" }], { other: [3] }, "Token 3 is given twice."],
  ["a special token of two kinds", [{ id: 3, text: "a" }], { end: [4], other: [4] }, "Token 4 is given twice."],
  ["an empty token", [{ id: 0, text: "" }], {}, "Token 0 stands for no text"],
  ["a number that is none", [{ id: -1, text: "a" }], {}, "-1 is no number of a token"],
  ["a broken number", [{ id: 0, text: "a" }], { end: [1.5] }, "1.5 is no number of a token"],
])("Vocabulary refuses %s", (_, tokens, special, message) => {
  expect(() => new Vocabulary(tokens, special)).toThrow(message);
});

test("Vocabulary accepts gaps in the numbers and bytes that are not UTF-8", () => {
  const vocabulary = new Vocabulary([
    { id: 7, text: "ä" },
    { id: 2, text: Uint8Array.of(0xc3) },
    { id: 4, text: "ä" },
  ]);
  expect(vocabulary.size).toBe(8);
  expect([2, 3, 7, 8].map((id) => vocabulary.bytesOf(id))).toEqual([
    Uint8Array.of(0xc3),
    undefined,
    Uint8Array.of(0xc3, 0xa4),
    undefined,
  ]);
  expect(vocabulary.trie.size).toBe(3);
  expect([...vocabulary.trie.ids].slice(1).sort()).toEqual([4, 7]);
});
