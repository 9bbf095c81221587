import { expect, test } from "vitest";
import { askForWord } from "./ask-for-word.ts";
import { endOfInput } from "./terminal.ts";

test.each<[answers: string, word: string | undefined, questions: number]>([
  ["yes", "yes", 1],
  ["Y", "yes", 1],
  [" r ", "review", 1],
  ["r?|maybe|ye|n", "no", 4],
  ["", "no", 1],
  ["x||yes", "no", 2],
  [`what|${endOfInput}`, "no", 2],
  ["what", undefined, 2],
])("the answers %j give %s after %i questions", async (answers, word, questions) => {
  const left = answers.split("|");
  let count = 0;
  const ask = async () => {
    count += 1;
    return left.shift();
  };
  const choice = { words: ["yes", "no", "review"], atEnd: "no", ifEmpty: "no" } as const;
  expect([await askForWord("Write? ", choice, { ask }), count]).toEqual([word, questions]);
});

test("an empty line is no answer where it means nothing", async () => {
  const left = ["", "keep"];
  const choice = { words: ["keep", "quit"], atEnd: "quit" } as const;
  expect(await askForWord("Keep? ", choice, { ask: async () => left.shift() })).toBe("keep");
});
