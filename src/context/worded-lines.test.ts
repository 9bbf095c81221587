import fc from "fast-check";
import { expect, test } from "vitest";
import { WordTable } from "./word-table.ts";
import { type WordKind, wordLines } from "./worded-lines.ts";

function words(text: string, kind: WordKind): string[][] {
  const table = new WordTable();
  const lines = wordLines(text, table, { kind });
  return Array.from({ length: lines.count }, (_, line) =>
    Array.from(lines.words.subarray(lines.starts[line], lines.starts[line + 1]), (id) => table.wordOf(id)),
  );
}

const identifiers: readonly (readonly [text: string, words: string])[] = [
  ["parseURLPart", "parseURLPart parse url part"],
  ["snake_case_name", "snake_case_name snake case name"],
  ["MAX_SIZE", "MAX_SIZE max size"],
  ["$scope _x", "$scope scope _x"],
  ["Cart", "Cart cart"],
  ["cart", "cart"],
  ["sha256Sum", "sha256Sum sha256 sum"],
  ["a 12 0xff 1_000", ""],
  ["naïve größe", "naïve größe"],
  ["if (a.b) { return 'go on'; }", "if return go on"],
  ["x".repeat(129), ""],
];
for (const [text, expected] of identifiers) {
  test(`identifiers of the text ${text.slice(0, 30)}`, () =>
    expect(words(text, "identifiers").flat().join(" ")).toBe(expected));
}

const plain: readonly (readonly [text: string, words: string])[] = [
  ["parseURLPart snake_part 12", "parseURLPart snake part 12"],
  ["if (this.total) return the sum", "total sum"],
];
for (const [text, expected] of plain) {
  test(`plain words of the text ${text}`, () => expect(words(text, "plain").flat().join(" ")).toBe(expected));
}

test("words are read by line for any line ending, and a clipped text ends with a whole line", () => {
  expect(words("one\r\ntwo\rthree\n", "identifiers")).toEqual([["one"], ["two"], ["three"], []]);
  const table = new WordTable();
  const clip = (text: string, maxCharacters: number) => wordLines(text, table, { kind: "identifiers", maxCharacters });
  expect([...clip("one\ntwo\nthree", 9).offsets]).toEqual([0, 4, 8]);
  expect([...clip("one and two", 5).offsets]).toEqual([0, 5]);
});

test("looking up known words adds none to the word table", () => {
  const table = new WordTable();
  const known = wordLines("openCart", table, { kind: "identifiers" }).words;
  const size = table.size;
  const found = wordLines("openCart closeCart", table, { kind: "identifiers", knownOnly: true }).words;
  expect(table.size).toBe(size);
  expect([...found]).toEqual([...known, known[2]]);
});

test("law: every word has its own number in the word table", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3_000 }), (texts) => {
      const table = new WordTable();
      const toUnits = (text: string) => Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
      const ids = new Map<string, number>();
      for (const text of texts) {
        const id = table.intern(toUnits(text), 0, text.length);
        expect(ids.get(text) ?? id).toBe(id);
        ids.set(text, id);
      }
      expect(table.size).toBe(ids.size);
      for (const [text, id] of ids) {
        expect(table.wordOf(id)).toBe(text);
        expect(table.find(toUnits(text), 0, text.length)).toBe(id);
      }
    }),
    { numRuns: 20 },
  );
});
