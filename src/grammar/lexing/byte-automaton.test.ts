import fc from "fast-check";
import { expect, test } from "vitest";
import { invariant } from "../../text/index.ts";
import { anyPattern, anySomeText } from "../fixtures/patterns.ts";
import { ByteAutomaton, bytesOfCharacters } from "./byte-automaton.ts";
import { type ByteStates, determinise, minimise } from "./byte-states.ts";
import { characterSet, holdsCharacter, unicodeProperty } from "./character-set.ts";
import { parsePattern, printPattern } from "./parse-pattern.ts";
import type { CharacterSet, Pattern } from "./pattern.ts";

const encoder = new TextEncoder();

/**
 * The automaton of each pattern, all in one: what `labelOf` gives for a text is the last pattern
 * that matches it, from 1.
 */
function automatonOf(patterns: readonly Pattern[]) {
  const automaton = new ByteAutomaton();
  const endAt = new Map<number, number>();
  const starts = patterns.map((pattern, i) => {
    const start = automaton.node();
    const end = automaton.node();
    endAt.set(end, i + 1);
    automaton.addPattern(pattern, start, end);
    return start;
  });
  const states = determinise(automaton, [starts], (node) => endAt.has(node))!;
  const labels = Int32Array.from(states.nodesOf, (nodes) => Math.max(0, ...[...nodes].map((n) => endAt.get(n) ?? 0)));
  const least = minimise(states, labels, (label) => label > 0);
  const run = (of: ByteStates, bytes: Uint8Array) => {
    let state = of.starts[0]!;
    for (const byte of bytes) state = of.next[state * of.classCount + of.classOf[byte]!]!;
    return state;
  };
  return {
    states,
    least,
    labelOf: (bytes: Uint8Array) => least.labels[run(least, bytes)]!,
    labelBefore: (bytes: Uint8Array) => labels[run(states, bytes)]!,
  };
}

test("law: random patterns match the same texts as in JavaScript", () => {
  fc.assert(
    fc.property(anyPattern, fc.array(anySomeText, { minLength: 1, maxLength: 20 }), (pattern, texts) => {
      const { labelOf } = automatonOf([pattern]);
      const reference = new RegExp(`^(?:${printPattern(pattern)})$`, "u");
      for (const text of texts) expect([text, labelOf(encoder.encode(text)) > 0]).toEqual([text, reference.test(text)]);
    }),
    { numRuns: 1000 },
  );
});

test("law: minimise keeps the labels of all texts and leaves no equivalent states", () => {
  const anyPatterns = fc.array(anyPattern, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(anyPatterns, fc.array(anySomeText, { minLength: 1, maxLength: 20 }), (patterns, texts) => {
      const { least, labelOf, labelBefore, states } = automatonOf(patterns);
      for (const text of texts) {
        // Cut anywhere, within characters too.
        const bytes = encoder.encode(text);
        for (let end = 0; end <= bytes.length; end++) {
          expect(labelOf(bytes.subarray(0, end))).toBe(labelBefore(bytes.subarray(0, end)));
        }
      }
      expect(least.stateCount).toBeLessThanOrEqual(states.stateCount);
      expect(distinguishable(least.next, least.classCount, least.labels)).toBe(true);
    }),
  );
});

/** Whether any two states are distinguished by some text; the table-filling method. */
function distinguishable(next: Uint16Array, classCount: number, labels: Int32Array): boolean {
  const count = labels.length;
  const apart = new Set<number>();
  for (let changed = true; changed; ) {
    changed = false;
    for (let a = 0; a < count; a++) {
      for (let b = a + 1; b < count; b++) {
        if (apart.has(a * count + b)) continue;
        let differs = labels[a] !== labels[b];
        for (let c = 0; c < classCount && !differs; c++) {
          const pair = [next[a * classCount + c]!, next[b * classCount + c]!].sort((x, y) => x - y);
          differs = apart.has(pair[0]! * count + pair[1]!);
        }
        if (!differs) continue;
        apart.add(a * count + b);
        changed = true;
      }
    }
  }
  return apart.size === (count * (count - 1)) / 2;
}

const sets: readonly (readonly [name: string, set: CharacterSet])[] = [
  ["\\p{ID_Start}", unicodeProperty("ID_Start")!],
  ["\\p{L}", unicodeProperty("L")!],
  ["all", characterSet([0, 0x10ffff])],
  ["the edges of lengths", characterSet([0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff, 0x10ffff])],
];

for (const [name, set] of sets) {
  test(`bytesOfCharacters encodes each character of ${name} and nothing else`, () => {
    const { labelOf, least } = automatonOf([{ kind: "characters", set }]);
    const { classCount, classOf, next, starts } = least;
    const wrong: string[] = [];
    for (let character = 0; character <= 0x10ffff; character++) {
      if (character >= 0xd800 && character <= 0xdfff) continue;
      const isMatch = labelOf(encoder.encode(String.fromCodePoint(character))) > 0;
      if (isMatch !== holdsCharacter(set, character)) wrong.push(character.toString(16));
    }
    expect(wrong).toEqual([]);
    // Counts the texts of bytes that lead to a match: as many as there are characters.
    let texts = new Map<number, number>([[starts[0]!, 1]]);
    let matched = 0;
    while (texts.size > 0) {
      const longer = new Map<number, number>();
      for (const [state, count] of texts) {
        if (least.labels[state]! > 0) matched += count;
        for (const byte of classOf.keys()) {
          const to = next[state * classCount + classOf[byte]!]!;
          if (to !== 0) longer.set(to, (longer.get(to) ?? 0) + count);
        }
      }
      texts = longer;
    }
    expect(matched).toBe(set.reduce((sum, end, i) => sum + (i % 2 === 0 ? -end : end + 1), 0));
  });
}

test("bytesOfCharacters shares equal continuations", () => {
  const { edges } = bytesOfCharacters(characterSet([0x10000, 0x10ffff]));
  // The end, three continuations, the first bytes, and what is special behind the first and the
  // last of those.
  expect(edges.length).toBe(7);
});

test("ByteAutomaton stops at its limit for a pattern with a large count", () => {
  const parsed = parsePattern("((((a{1000}){1000}){1000}){1000}){1000}");
  invariant("pattern" in parsed, "no pattern");
  const automaton = new ByteAutomaton();
  automaton.addPattern(parsed.pattern, automaton.node(), automaton.node());
  expect(automaton.isTooLarge).toBe(true);
});
