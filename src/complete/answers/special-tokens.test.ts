import fc from "fast-check";
import { expect, test } from "vitest";
import { findSpecialToken, specialTokens } from "./special-tokens.ts";

const cut = (text: string, language = "typescript", before = "") => {
  const at = findSpecialToken(text, { tokens: specialTokens, language, before });
  return at < 0 ? text : text.slice(0, at);
};

test.each([
  ["a + b;<|endoftext|>", "a + b;"],
  ["a<|fim_middle|>b<|fim_pad|>", "a"],
  ["x<｜fim▁hole｜>", "x"],
  ["x<|a_new_family|>", "x"],
  ["f(x)<fim_suffix>", "f(x)"],
  ["f(x) <EOT>", "f(x) "],
  ["[SUFFIX]f", ""],
  ["headers[PREFIX]", "headers[PREFIX]"],
  ["// show <filename>", "// show <filename>"],
  ["f();\n<filename>b.ts", "f();\n"],
  ["f(x)</s>", "f(x)"],
  ["a<|fi", "a"],
  ["a <| b", "a <| b"],
  ["a < b", "a < b"],
  ["a || b", "a || b"],
  ["<PREVIOUS>", "<PREVIOUS>"],
])("special tokens are cut from %s", (text, expected) => expect(cut(text)).toBe(expected));

test("code that looks like a special token is kept in languages that have it", () => {
  expect(cut("old</s>", "html")).toBe("old</s>");
  expect(cut("[PREFIX]", "typescript", "headers")).toBe("[PREFIX]");
});

test("law: no special token is left, whatever surrounds it", () => {
  const code = fc.stringMatching(/^[\w ();=.]*$/);
  fc.assert(
    fc.property(code, fc.constantFrom(...specialTokens), code, (before, token, after) => {
      fc.pre(before === "" || !/^\[|^<filename>$/.test(token));
      return !cut(before + token + after).includes(token);
    }),
  );
});
