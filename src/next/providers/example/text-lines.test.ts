import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type CodeTokens, codeTokens } from "./example-tokens.ts";
import { TextLines } from "./text-lines.ts";

test("law: the tokens of a range of lines equal those of the range as one text", () => {
  const unit = fc.constantFrom(
    "a",
    "b",
    "(",
    ")",
    "{",
    "}",
    '"',
    "'",
    "=",
    "=",
    ".",
    "?",
    " ",
    "\r",
    "\n",
    "\r\n",
    "é",
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), fc.nat(8), fc.nat(8), (source, from, count) => {
      const text = new TextLines(source);
      const first = Math.min(from, text.lines.count - 1);
      const to = Math.min(first + 1 + count, text.lines.count);
      // Fills the cache of one line.
      text.tokens(first + 1, first + 2);
      const whole = codeTokens(source, text.lines.start(first), text.lines.endWithBreak(to - 1));
      expect(all(text.tokens(first, to))).toEqual(all(whole));
    }),
  );
});

function all({ source, end, list, partners, openers }: CodeTokens) {
  return { source, end, list, partners, openers };
}
