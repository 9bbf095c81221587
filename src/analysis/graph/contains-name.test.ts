import fc from "fast-check";
import { expect, test } from "vitest";
import { containsAnyName } from "./contains-name.ts";

test.each([
  ["one", "const one = 1", true],
  ["one", "someone, oneself, one1, $one", false],
  ["one", "oneself or one", true],
  ["one", "//one", true],
  ["one", "this.#one", false],
  ["#one", "this.#one", true],
  ["#one", "this.#ones", false],
  ["$one", "call($one)", true],
  ["one two", "// two alone", true],
  ["größe", "größer als die Größe", false],
  ["größe", "größe()", true],
  ["", "anything", false],
])("containsAnyName searches %s in `%s`: %s", (names, text, expected) => {
  expect(containsAnyName(text, new Set(names.split(" ").filter((name) => name !== "")))).toBe(expected);
});

test("law: containsAnyName finds among many names what a search for each of them finds", () => {
  const word = fc
    .array(fc.constantFrom("a", "b", "ß", "𝒳", "$", "#", "-", " "), { maxLength: 4 })
    .map((all) => all.join(""));
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 8 }),
      fc.array(word, { minLength: 20, maxLength: 40 }),
      (pieces, listed) => {
        const text = pieces.join("(");
        // The letters of `text` are none of these, so that they fill the set without being found.
        const names = new Set(
          [...listed, ...Array.from({ length: 20 }, (_, i) => `z${i}`)].filter((name) => name !== ""),
        );
        const expected = [...names].some((name) => containsAnyName(text, new Set([name])));
        found += expected ? 1 : 0;
        expect(containsAnyName(text, names)).toBe(expected);
      },
    ),
  );
  expect(found).toBeGreaterThan(10);
});
