import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { firstTextId, isNewline, maxIndentSteps, newlineBlank, newlineId, newlineSteps, TokenKind } from "./token.ts";
import { Vocabulary } from "./vocabulary.ts";

const kinds = [TokenKind.name, TokenKind.number, TokenKind.punctuation];
const anyName = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b", "é", "😀", "A", "\ud83d"), minLength: 1, maxLength: 3 }),
  fc.constantFrom("if", "import", "toString", "__proto__", "constructor"),
  fc.nat(3000).map((n) => `n${n}`),
);

interface Step {
  readonly act: "add" | "release" | "get";
  readonly name: string;
  readonly kind: number;
}
const anyStep: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom("add", "add", "release", "get"),
  name: anyName,
  kind: fc.constantFrom(...kinds),
});

const idOf = (vocabulary: Vocabulary, name: string, kind: number): number => vocabulary.get(name, 0, name.length, kind);

/** Follows the steps in a vocabulary and in a plain map, which have to agree all along. */
function follow(vocabulary: Vocabulary, steps: readonly Step[], counts = new Map<string, number>()): typeof counts {
  for (const { act, name, kind } of steps) {
    const key = `${kind} ${name}`;
    const count = counts.get(key) ?? 0;
    const id = idOf(vocabulary, name, kind);
    expect(id >= firstTextId ? vocabulary.counts[id] : 0).toBe(count);
    const added = act === "add" ? vocabulary.add(`(${name})`, 1, 1 + name.length, kind) : undefined;
    expect(added === undefined ? name : vocabulary.names[added]).toBe(name);
    // A name that is there keeps its id.
    expect(count > 0 ? (added ?? id) : id).toBe(id);
    if (act === "add") {
      counts.set(key, count + 1);
    } else if (act === "release" && count > 0) {
      vocabulary.release(id);
      if (count === 1) counts.delete(key);
      else counts.set(key, count - 1);
    }
  }
  expect(vocabulary.size).toBe(counts.size);
  return counts;
}

/** The names that begin with `prefix`, as a visit of its first letters finds them. */
function beginningWith(vocabulary: Vocabulary, prefix: string): string[] {
  const found: string[] = [];
  vocabulary.visitInitial(prefix, (id) => found.push(vocabulary.names[id]!));
  return found.filter((name) => name.startsWith(prefix)).sort();
}

describe("a vocabulary", () => {
  law("counts like a map", [fc.array(anyStep, { maxLength: 200 })], (steps) => {
    follow(new Vocabulary(), steps);
  });

  law("holds no name twice, and gives ids out again", [fc.array(anyStep, { maxLength: 60 })], (steps) => {
    const vocabulary = new Vocabulary();
    const counts = follow(vocabulary, steps);
    const living = vocabulary.names.filter((name) => name !== "");
    expect(living.length).toBe(counts.size);
    const { limit } = vocabulary;
    const spare = limit - firstTextId - counts.size;
    for (let i = 0; i < spare; i++) vocabulary.add(`new${i}`, 0, 4 + i.toString().length - 1, TokenKind.name);
    expect(vocabulary.limit).toBe(limit);
  });

  law(
    "finds just the names with a beginning by its first letters",
    [fc.array(anyStep, { maxLength: 60 }), anyName],
    (steps, prefix) => {
      const vocabulary = new Vocabulary();
      const counts = follow(vocabulary, steps);
      const names = [...counts.keys()].filter((key) => key.startsWith(`${TokenKind.name} `)).map((key) => key.slice(2));
      expect(beginningWith(vocabulary, prefix)).toEqual(names.filter((name) => name.startsWith(prefix)).sort());
    },
  );

  law("is the same after a round trip through its tables", [fc.array(anyStep), fc.array(anyStep)], (steps, more) => {
    const before = new Vocabulary();
    const counts = follow(before, steps);
    const after = Vocabulary.of(before.names, before.tables());
    expect([after.names, after.tables()]).toEqual([before.names, before.tables()]);
    follow(after, more, counts);
  });

  it("grows beyond its first tables and shrinks again", () => {
    const vocabulary = new Vocabulary();
    const names = Array.from({ length: 20_000 }, (_, i) => `name${i}`);
    const ids = names.map((name) => vocabulary.add(name, 0, name.length, TokenKind.name));
    expect(names.map((name) => idOf(vocabulary, name, TokenKind.name))).toEqual(ids);
    const [odd, even] = [names.filter((_, i) => i % 2 === 1), ids.filter((_, i) => i % 2 === 0)];
    for (const id of even) vocabulary.release(id);
    expect(odd.map((name) => idOf(vocabulary, name, TokenKind.name))).toEqual(ids.filter((_, i) => i % 2 === 1));
    for (const name of odd) vocabulary.release(idOf(vocabulary, name, TokenKind.name));
    expect(vocabulary.size).toBe(0);
    expect(names.every((name) => idOf(vocabulary, name, TokenKind.name) === -1)).toBe(true);
  });

  it("distinguishes keywords from names and finds both by name", () => {
    const vocabulary = new Vocabulary();
    const [word, name] = ["while", "whale"].map((text) => vocabulary.add(text, 0, 5, TokenKind.name)) as [
      number,
      number,
    ];
    expect([vocabulary.kinds[word], vocabulary.kinds[name]]).toEqual([TokenKind.keyword, TokenKind.name]);
    expect(idOf(vocabulary, "while", TokenKind.name)).toBe(word);
    expect(beginningWith(vocabulary, "w")).toEqual(["whale", "while"]);
  });

  it("has the same hash of a text as every other vocabulary", () => {
    const [one, other] = [new Vocabulary(), new Vocabulary()];
    other.add("first", 0, 5, TokenKind.name);
    const hash = (vocabulary: Vocabulary): number => vocabulary.hashes[vocabulary.add("next", 0, 4, TokenKind.name)]!;
    expect(hash(one)).toBe(hash(other));
  });

  it("never frees the tokens of line breaks", () => {
    const vocabulary = new Vocabulary();
    vocabulary.release(newlineId(0, false));
    expect(vocabulary.add("a", 0, 1, TokenKind.name)).toBe(firstTextId);
  });

  it.each([
    ["a count short", (tables: Uint8Array[]) => [tables[0]!.slice(4), tables[1]!]],
    ["a kind too many", (tables: Uint8Array[]) => [tables[0]!, new Uint8Array(tables[1]!.length + 1)]],
    ["one table", (tables: Uint8Array[]) => tables.slice(0, 1)],
  ])("refuses tables with %s", (_, broken) => {
    const vocabulary = new Vocabulary();
    expect(() => Vocabulary.of(vocabulary.names, broken(vocabulary.tables()))).toThrow("differ in length");
  });
});

describe("a line break token", () => {
  law(
    "lists its steps, as far as they are distinguished",
    [fc.integer({ min: -9, max: 9 }), fc.boolean()],
    (steps, blank) => {
      const id = newlineId(steps, blank);
      const bounded = Math.max(-maxIndentSteps, Math.min(steps, maxIndentSteps));
      expect([isNewline(id), newlineSteps(id), newlineBlank(id)]).toEqual([true, bounded, blank]);
    },
  );
});
