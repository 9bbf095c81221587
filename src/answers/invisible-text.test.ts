import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutInvisible } from "./invisible-text.ts";

test.each([
  ["plain code", "const a = 'b';\n\tc();\r\n", "const a = 'b';\n\tc();\r\n"],
  ["other scripts", "const größe = '你好 мир';", "const größe = '你好 мир';"],
  ["an override", "if (level != 'user\u202e \u2066// admin\u2069 \u2066') {", "if (level != 'user // admin ') {"],
  ["marks of direction", "a\u200eb\u200fc\u061cd", "abcd"],
  ["spaces without a width", "pass\u200bword\ufeff \u2060= 1", "password = 1"],
  ["joiners within a name", "is\u200dAdmin, is\u200cAdmin", "isAdmin, isAdmin"],
  ["letters that are blank", "const \u3164 = 1, a\u115f = 2;", "const  = 1, a = 2;"],
  ["controls", "a\u0000\u001b[31mb\u0085", "a[31mb"],
  ["selectors behind letters", "a\ufe0fb\u{e0100}1\ufe0f", "ab1"],
  ["tags", "a\u{e0041}\u{e0042}", "a"],
  ["Persian spelling", "'می\u200cخواهم'", "'می\u200cخواهم'"],
  ["Hindi spelling", "'क्\u200dष क्\u200cष'", "'क्\u200dष क्\u200cष'"],
  ["a family", "'👨\u200d👩\u200d👧'", "'👨\u200d👩\u200d👧'"],
  ["looks and skins", "'❤\ufe0f\u200d🔥 👩🏽\u200d🚀 1\ufe0f\u20e3'", "'❤\ufe0f\u200d🔥 👩🏽\u200d🚀 1\ufe0f\u20e3'"],
  [
    "a flag",
    "'🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'",
    "'🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'",
  ],
])("invisible characters are removed except in words and signs: %s", (_, text, expected) =>
  expect(withoutInvisible(text)).toBe(expected),
);

test("law: no bidirectional override is left, whatever surrounds it", () => {
  const unit = fc.constantFrom("a", "'", "ی", "👨", "\u200d", "\u200c", "\u202e", "\u2066", "\u2069", "\ufe0f", "\n");
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
      expect(withoutInvisible(units.join(""))).not.toMatch(
        /[\u202a-\u202e\u2066-\u2069]|a[\u200c\u200d]|[\u200c\u200d]a/,
      );
    }),
  );
});
