import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyPattern } from "../fixtures/patterns.ts";
import { characterSet, otherCharacters, unicodeProperty } from "./character-set.ts";
import { parsePattern, printPattern } from "./parse-pattern.ts";
import type { Pattern } from "./pattern.ts";

const text = (of: string): Pattern => ({ kind: "text", text: of });
const characters = (...ranges: readonly (string | number)[]): Pattern => ({
  kind: "characters",
  set: characterSet(ranges.map((end) => (typeof end === "number" ? end : end.codePointAt(0)!))),
});
const sequence = (...items: readonly Pattern[]): Pattern => ({ kind: "sequence", items });
const choice = (...items: readonly Pattern[]): Pattern => ({ kind: "choice", items });
const repeat = (item: Pattern, min: number, max = Number.POSITIVE_INFINITY): Pattern => ({
  kind: "repeat",
  item,
  min,
  max,
});
const nothing = sequence();

const fragments = new Map<string, Pattern>([
  ["Digit", characters("0", "9")],
  ["Either", choice(text("a"), text("b"))],
]);

describe("parsePattern reads", () => {
  const cases: readonly (readonly [source: string, pattern: Pattern])[] = [
    ["", nothing],
    ["abc", text("abc")],
    ["ab*", sequence(text("a"), repeat(text("b"), 0))],
    ["(ab)+c?", sequence(repeat(text("ab"), 1), repeat(text("c"), 0, 1))],
    ["(?:ab)c", text("abc")],
    ["a|b|", choice(text("a"), text("b"), nothing)],
    ["a(b|c)", sequence(text("a"), choice(text("b"), text("c")))],
    ["(a|b)|c", choice(text("a"), text("b"), text("c"))],
    ["x{2}y{2,}z{2,5}", sequence(repeat(text("x"), 2, 2), repeat(text("y"), 2), repeat(text("z"), 2, 5))],
    ["x{1}", text("x")],
    ["{Digit}{2}", repeat(characters("0", "9"), 2, 2)],
    ["{Either}x", sequence(choice(text("a"), text("b")), text("x"))],
    ["[a-c_]", characters("a", "c", "_", "_")],
    ["[-a]", characters("-", "-", "a", "a")],
    ["[a-]", characters("-", "-", "a", "a")],
    ["[\\d-]", characters("-", "-", "0", "9")],
    ["[[{(.|?*+$^]", characters(..."[[{{((..||??**++$$^^")],
    ["[\\]\\\\\\-\\/]", characters(..."]]\\\\--//")],
    ["[^]", characters(0, 0x10ffff)],
    ["[]", characters()],
    ["[^\\n]", { kind: "characters", set: otherCharacters(characterSet([10, 10])) }],
    ["[^\\s\\S]", characters()],
    [".", { kind: "characters", set: otherCharacters(characterSet([10, 10, 13, 13])) }],
    ["\\.\\/\\{\\-\\_", text("./{-_")],
    ["\\n\\r\\t\\v\\f\\0", text("\n\r\t\v\f\0")],
    ["\\x41\\u0042\\u{1f600}", text("AB😀")],
    ["\\ud83d\\ude00", text("😀")],
    ["[😀-😂]", characters("😀", "😂")],
    ["\\d\\w", sequence(characters("0", "9"), characters("0", "9", "A", "Z", "_", "_", "a", "z"))],
    ["\\D", { kind: "characters", set: otherCharacters(characterSet([0x30, 0x39])) }],
    ["\\p{ID_Start}", { kind: "characters", set: unicodeProperty("ID_Start")! }],
    ["\\P{L}", { kind: "characters", set: otherCharacters(unicodeProperty("L")!) }],
    ["[\\p{Script=Greek}_]", { kind: "characters", set: characterSet([...unicodeProperty("Script=Greek")!, 95, 95]) }],
  ];
  for (const [source, pattern] of cases) {
    test(`/${source}/`, () => expect(parsePattern(source, fragments)).toEqual({ pattern }));
  }
});

test("parsePattern: a dot is every character but the given line ends", () => {
  const set = otherCharacters([0x2028, 0x2029]);
  expect(parsePattern(".", undefined, [0x2028, 0x2029])).toEqual({ pattern: { kind: "characters", set } });
});

describe("parsePattern refuses, with the offset of the mark", () => {
  const cases: readonly (readonly [source: string, about: RegExp])[] = [
    ["a‸(b", /never closed/],
    ["a‸)b", /closes no group/],
    ["‸[ab", /never closed/],
    ["‸[a-", /never closed/],
    ["‸]", /closes nothing/],
    ["‸}", /closes nothing/],
    ["a‸{", /no count/],
    ["a‸{,2}", /no count/],
    ["a‸{3,2}", /larger number/],
    ["a‸{1001}", /up to 1000/],
    ["‸{2}", /no count/],
    ["‸{Missing}", /no fragment called Missing/],
    ["‸*a", /Nothing stands before/],
    ["a|‸+", /Nothing stands before/],
    ["a*‸*", /follows another/],
    ["a*‸?", /follows another/],
    ["‸^a", /anchors/],
    ["a‸$", /anchors/],
    ["‸\\b", /word boundaries/],
    ["(a)‸\\1", /references back/],
    ["‸\\01", /references back/],
    ["‸\\q", /no escape/],
    ["a‸\\", /ends in a backslash/],
    ["‸(?=a)", /look-around/],
    ["‸\\x4", /hexadecimal/],
    ["‸\\u12", /hexadecimal/],
    ["‸\\u{110000}", /last character/],
    ["‸\\ud83d", /surrogate/],
    ["‸\\u{d83d}\\ude00", /surrogate/],
    ["‸\\p{Nothing}", /no Unicode property called Nothing/],
    ["‸\\pL", /property such as/],
    ["[‸z-a]", /lower character/],
    ["[‸\\d-z]", /from one character/],
    [`${"(".repeat(200)}‸(a`, /200 deep/],
  ];
  for (const [marked, about] of cases) {
    test(marked.slice(-20), () => {
      const offset = marked.indexOf("‸");
      const parsed = parsePattern(marked.replace("‸", ""), fragments);
      expect(parsed).toEqual({ error: expect.stringMatching(about), offset });
    });
  }
});

test("law: parsePattern reads what printPattern prints as the same pattern", () => {
  fc.assert(
    fc.property(anyPattern, (pattern) => {
      expect(parsePattern(printPattern(pattern))).toEqual({ pattern });
    }),
  );
});

test("law: parsePattern never throws, and its patterns are in normal form", () => {
  const anySource = fc
    .array(fc.constantFrom(..."ab\\(|)[]{}^-?*+.,/012npux𝒳"), { maxLength: 12 })
    .map((all) => all.join(""));
  let [valid, invalid] = [0, 0];
  fc.assert(
    fc.property(anySource, (source) => {
      const parsed = parsePattern(source);
      const isValid = "pattern" in parsed;
      expect(isValid ? 0 : parsed.offset).toBeLessThanOrEqual(source.length);
      expect(isValid ? parsePattern(printPattern(parsed.pattern)) : parsed).toEqual(parsed);
      if (isValid) valid += 1;
      else invalid += 1;
    }),
    { numRuns: 2000 },
  );
  expect(valid).toBeGreaterThan(200);
  expect(invalid).toBeGreaterThan(500);
});
