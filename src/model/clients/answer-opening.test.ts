import fc from "fast-check";
import { expect, test } from "vitest";
import { readOpening } from "./answer-opening.ts";

const all = { sentences: true, fences: true };

/** The text of an answer behind its opening. */
function textOf(answer: string, options: Partial<typeof all> = {}): string {
  return answer.slice(readOpening(answer, { ...all, ...options, isWhole: true })!.length);
}

test.each([
  ["a = 1", "a = 1"],
  ["  a = 1", "  a = 1"],
  ["<think>One.\nTwo.</think>\n\n  a = 1", "  a = 1"],
  ["<thinking>One.</thinking> a = 1", "a = 1"],
  ["\n<think>One.", ""],
  ["Here is the completion:\n\n  a = 1", "  a = 1"],
  ["Here's the completed line: a = 1", "a = 1"],
  ["Sure! Here is the missing code:\r\n  a = 1", "  a = 1"],
  ["Sure, here's the rest of the function:\na = 1", "a = 1"],
  ["Certainly!\n\nThe completed code:\n```ts\na = 1\n```", "a = 1\n```"],
  ["<think>One.</think>\nHere is the code:\n```\na = 1", "a = 1"],
  ["Here is the completion:", ""],
  ["Okay, it adds one.\n\nThat is all:\n```ts\na = 1\n```", "a = 1\n```"],
  ["~~~ts\na = 1\n~~~", "a = 1\n~~~"],
  ["````\na = 1\n````", "a = 1\n````"],
  ["Here is the list of fruit:\napples", "Here is the list of fruit:\napples"],
  ["Here + b", "Here + b"],
  ["The item : items) {", "The item : items) {"],
  ["Here.code(): x", "Here.code(): x"],
  ["Sure.then(a);", "Sure.then(a);"],
  ["Sure! We can.", "Sure! We can."],
])("behind the opening of %j stands %j", (answer, text) => expect(textOf(answer)).toBe(text));

test("what may belong to the text stays", () => {
  expect(textOf("Here is the code:\na", { sentences: false, fences: false })).toBe("Here is the code:\na");
  expect(textOf("```ts\na", { fences: false })).toBe("```ts\na");
  expect(textOf("This is it:\n```ts\na", { sentences: false })).toBe("This is it:\n```ts\na");
});

test("what is told of a beginning holds for the answer", () => {
  const unit = fc.constantFrom(
    ...[
      "Sure",
      "!",
      ", ",
      "here is",
      "Here is",
      " the",
      " code",
      ":",
      ".",
      "\n",
      "\r\n",
      "  ",
      "a = 1",
      "The",
      "Okay, it is one",
    ],
    ...["~~~", "````", "```", "ts", "`", "<think>", "</think>", "<thi"],
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 10 }), (units) => {
      const answer = units.join("");
      const whole = readOpening(answer, { ...all, isWhole: true });
      for (let length = 0; length <= answer.length; length++) {
        const told = readOpening(answer.slice(0, length), { ...all, isWhole: false });
        if (told !== undefined) expect(told).toEqual(whole);
      }
    }),
  );
});
