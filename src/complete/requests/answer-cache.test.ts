import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { AnswerCache, type CachedAnswer, restOfAnswer } from "./answer-cache.ts";

const options = { maxEntries: 4, lookBack: 8, clock: new FakeClock() };
const uri = "file:///a.ts";

function placeAt(text: string) {
  const [prefix, suffix] = text.split("|") as [string, string];
  return { uri, prefix, suffix };
}

function answerOf(text: string, more: Partial<CachedAnswer> = {}): CachedAnswer {
  return { text, changes: [], isWhole: true, model: "m", rank: 0, isAhead: false, ...more };
}

describe("the answer cache finds an answer", () => {
  test.each([
    ["at the place itself", "const |;", "const |;", "a = 1"],
    ["some characters ago", "const |;", "const a =|;", "a = 1"],
    ["and a line ago", "f();|\n", "f();\n|\n", "\ng();"],
    ["and with another indentation", "f();|\n", "f();\n    |\n", "\ng();"],
    ["and with the line endings of the document", "f();|\r\n", "f();\r\n|\r\n", "\ng();"],
    ["with the closer that came with an opener", "f|\n", "f(|)\n", "(a);"],
  ])("%s", (_, before, now, text) => {
    const cache = new AnswerCache(options);
    cache.put(placeAt(before), answerOf(text));
    expect(cache.find(placeAt(now)).map(({ answer }) => answer.text)).toEqual([text]);
  });
});

describe("the answer cache finds no answer", () => {
  test.each([
    ["when something else was typed", "const |;", "const b|;", "a = 1"],
    ["when all of it was typed", "const |;", "const a = 1|;", "a = 1"],
    ["when what follows has changed", "const |;", "const |,", "a = 1"],
    ["too many characters ago", "const |;", "const abcdefghi|;", "abcdefghij"],
    ["when a closer came without an opener", "f|\n", "f|)\n", "(a);"],
  ])("%s", (_, before, now, text) => {
    const cache = new AnswerCache(options);
    cache.put(placeAt(before), answerOf(text));
    expect(cache.find(placeAt(now))).toEqual([]);
  });

  test("for another document", () => {
    const cache = new AnswerCache(options);
    cache.put(placeAt("a|"), answerOf("b"));
    expect(cache.find({ ...placeAt("a|"), uri: "file:///b.ts" })).toEqual([]);
  });
});

test("the answer cache prefers the first model in order, then the latest answer", () => {
  const cache = new AnswerCache(options);
  cache.put(placeAt("a|"), answerOf("bc-remote"));
  cache.put(placeAt("a|"), answerOf("bc-draft", { rank: 1 }));
  cache.put(placeAt("ab|"), answerOf("c-draft", { rank: 1 }));
  cache.put(placeAt("abc|"), answerOf("-remote 2"));
  expect(cache.find(placeAt("abc|")).map(({ answer }) => answer.text)).toEqual(["-remote 2", "bc-remote", "c-draft"]);
});

test("law: the answer cache finds what a full list finds, within its limit", () => {
  const text = fc.string({ maxLength: 6, unit: fc.constantFrom("a", "b") });
  const entries = fc.array(fc.record({ prefix: text, suffix: text, answer: text }), { maxLength: 8 });
  fc.assert(
    fc.property(entries, text, text, (all, prefix, suffix) => {
      const cache = new AnswerCache({ ...options, maxEntries: 5, lookBack: 4 });
      const kept: { key: string; prefix: string; suffix: string; answer: string }[] = [];
      for (const entry of all) {
        cache.put({ uri, ...entry }, answerOf(entry.answer));
        const key = `${entry.prefix}|${entry.suffix}`;
        const known = kept.findIndex((other) => other.key === key);
        if (known >= 0) kept.splice(known, 1);
        kept.push({ key, ...entry });
      }
      const naive = kept
        .slice(-5)
        .filter((entry) => entry.suffix === suffix && prefix.startsWith(entry.prefix))
        .filter((entry) => prefix.length - entry.prefix.length <= 4)
        .filter((entry) => (entry.prefix + entry.answer).startsWith(prefix))
        .filter((entry) => (entry.prefix + entry.answer).length > prefix.length)
        .map(({ answer }) => answer);
      expect(
        cache
          .find({ uri, prefix, suffix })
          .map(({ answer }) => answer.text)
          .sort(),
      ).toEqual(naive.sort());
      expect(cache.size).toBeLessThanOrEqual(5);
    }),
  );
});

test.each([
  ["a + b", "a ", "+ b"],
  ["a + b", "a + b", undefined],
  ["a + b\n", "a + b", undefined],
  ["\n  g();", "\n      ", "g();"],
  ["g();", "\n", undefined],
  ["\n\n  g();", "\r\n\r\n", "  g();"],
])("of %j %j typed leaves %j", (answer, typed, rest) => expect(restOfAnswer(answer, typed)).toBe(rest));
