import { expect, test } from "vitest";
import { languageById } from "../../src/syntax/index.ts";
import { placeOf } from "./hostile-client.ts";
import { hostileTexts } from "./hostile-texts.ts";

test("the same seed gives the same texts, and another one others", () => {
  const names = (seed: number) => hostileTexts(seed, 100).map(({ name }) => name);
  expect(names(7)).toEqual(names(7));
  expect(names(7).slice(3)).not.toEqual(names(8).slice(3));
});

test("texts are within the limits of ghost text and next edits, of every shape, in ten languages at least", () => {
  const texts = hostileTexts(1, 100);
  expect(texts).toHaveLength(100);
  for (const { text, language, path } of texts) {
    expect(text.length).toBeLessThanOrEqual(2_000_000);
    expect(languageById(language)).toBeDefined();
    expect(path).toMatch(/^src\/text-\d+\.\w+$/);
  }
  expect(new Set(texts.map(({ language }) => language)).size).toBeGreaterThanOrEqual(10);
  expect(new Set(texts.map(({ name }) => name.split(" ")[0])).size).toBeGreaterThan(40);
});

test.each([
  ["const value7: number = 1;", "const value7"],
  ["x = [[[a]]]", "x"],
  ["[[[", ""],
])("%s is changed behind its first name", (text, before) => {
  expect(text.slice(0, placeOf(text))).toBe(before);
});
