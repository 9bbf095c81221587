import fc from "fast-check";
import { expect, test } from "vitest";
import {
  anyCharacter,
  characterSet,
  holdsCharacter,
  otherCharacters,
  sharedCharacters,
  unicodeProperty,
  unionOfCharacters,
  whiteSpace,
} from "./character-set.ts";

const anyRanges = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 0x10ffff }), fc.nat({ max: 0x3000 })), { maxLength: 6 })
  .map((all) => all.flatMap(([first, length]) => [first, Math.min(0x10ffff, first + length)]));
const anySet = anyRanges.map(characterSet);

test("characterSet sorts and joins ranges, and leaves out surrogates", () => {
  expect(characterSet([0x62, 0x63, 0x61, 0x61])).toEqual([0x61, 0x63]);
  expect(characterSet([0x61, 0x70, 0x62, 0x63])).toEqual([0x61, 0x70]);
  expect(characterSet([0xd000, 0xe001])).toEqual([0xd000, 0xd7ff, 0xe000, 0xe001]);
  expect(characterSet([0xd900, 0xda00])).toEqual([]);
});

test("law: union, intersection and complement contain the expected characters", () => {
  const anyOne = fc.integer({ min: 0, max: 0x10ffff }).filter((at) => at < 0xd800 || at > 0xdfff);
  fc.assert(
    fc.property(anyRanges, anySet, anyOne, fc.boolean(), fc.nat(), (ranges, other, character, edge, index) => {
      const set = characterSet(ranges);
      // An edge of a range, or anything.
      const near = edge && ranges.length > 0 ? ranges[index % ranges.length]! : character;
      fc.pre(near < 0xd800 || near > 0xdfff);
      const held = ranges.some((first, i) => i % 2 === 0 && first <= near && near <= ranges[i + 1]!);
      expect(holdsCharacter(set, near)).toBe(held);
      expect(holdsCharacter(otherCharacters(set), near)).toBe(!held);
      expect(holdsCharacter(unionOfCharacters(set, other), near)).toBe(held || holdsCharacter(other, near));
      expect(holdsCharacter(sharedCharacters(set, other), near)).toBe(held && holdsCharacter(other, near));
    }),
  );
});

test("law: the complement of the complement is the set, and both together are all characters", () => {
  fc.assert(
    fc.property(anySet, (set) => {
      expect(otherCharacters(otherCharacters(set))).toEqual(set);
      expect(unionOfCharacters(set, otherCharacters(set))).toEqual(anyCharacter);
      expect(sharedCharacters(set, otherCharacters(set))).toEqual([]);
    }),
  );
});

const properties = ["ID_Start", "ID_Continue", "L", "Script=Greek", "White_Space", "Any"];

for (const name of properties) {
  test(`unicodeProperty ${name} has the characters of JavaScript`, () => {
    const one = new RegExp(`^\\p{${name}}$`, "u");
    const set = unicodeProperty(name)!;
    const wrong: string[] = [];
    for (let character = 0; character <= 0x10ffff; character += 1) {
      const isSurrogate = character >= 0xd800 && character <= 0xdfff;
      const expected = !isSurrogate && one.test(String.fromCodePoint(character));
      if (holdsCharacter(set, character) !== expected) wrong.push(character.toString(16));
    }
    expect(wrong).toEqual([]);
  });
}

test("whiteSpace has the characters of JavaScript's \\s", () => {
  for (let character = 0; character <= 0xffff; character += 1) {
    expect(holdsCharacter(whiteSpace, character)).toBe(/\s/.test(String.fromCharCode(character)));
  }
});

test("unicodeProperty is undefined for an unknown property", () => {
  for (const name of ["Nothing", "", "L}|.|\\p{L", "Script=", "Script=Klingon"]) {
    expect(unicodeProperty(name)).toBeUndefined();
  }
});
