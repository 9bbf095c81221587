import { expect, test } from "vitest";
import { keepTypography } from "./keep-typography.ts";

test.each([
  ['say("a", b)', 'say("a", c)', "say(“a”, b)", "say(“a”, c)"],
  ['say("a", b)', "say('a', b)", "say(“a”, b)", "say('a', b)"],
  ["a b", "a c", "a\u00a0b", "a\u00a0c"],
  ["a b", "a c", "a  b", "a c"],
  ["a b", "a c", "x y", "a c"],
  ["a b", "a c", "a b", "a c"],
])("from %j to %j in %j gives %j", (before, after, own, expected) => {
  expect(keepTypography([before], [after], [own])).toEqual([expected]);
});

// Lines are separated by `|`.
test.each([
  ["It's here.", "It's there.|A new line.", "It’s here.", "It’s there.|A new line."],
  ["It's here.", "A new line.|It's there.", "It’s here.", "A new line.|It’s there."],
  ["a - b|it's c", "it's d", "a — b|it’s c", "it’s d"],
  ["a\u0020b, it's|x", "a\u0020b,|it's|y|z", "a\u00a0b, it’s|x", "a\u00a0b,|it’s|y|z"],
  ["so ... it's", "and|so ... it's not", "so … it’s", "and|so … it’s not"],
  ["it's|a  b 'c'", "it's|x|a b 'd'", "it’s|a b ‘c’", "it’s|x|a b 'd'"],
  ["it's a", "", "it’s a", ""],
])("row 23: from %j to %j in %j gives %j, whatever the number of lines", (before, after, own, expected) => {
  const [old, fresh, there, put] = [before, after, own, expected].map((text) => text.split("|"));
  expect(keepTypography(old!, fresh!, there!)).toEqual(put);
});

// Found by `bench:formats:differential`: the new code got the curly quotes of the comment before
// it.
test.each([
  ['// see "limits".', 'volume = call(ticket, "vendor");', "// see “limits”."],
  ["// it's late - wait", "const name = 'it - b';", "// it’s late — wait"],
  ['a "b"|# the "end" here', 'f("c", "d")|g("e")', "a “b”|# the “end” here"],
  ["x costs 10 each", "total = price * amount - 3", "x costs 10\u00a0each"],
])("from %j to unrelated %j in %j gives the new lines as they are", (before, after, own) => {
  expect(keepTypography(before.split("|"), after.split("|"), own.split("|"))).toEqual(after.split("|"));
});

test.each([
  ['log("a", old)', 'log("a", fresh, more, words)', "log(“a”, old)", "log(“a”, fresh, more, words)"],
  ['the "old" word', 'the "new" word', "the “old” word", "the “new” word"],
  ['x = "old"', 'x = "new"', "x = “old”", "x = “new”"],
])("from %j to %j in %j keeps the typography of a line that shares words", (before, after, own, expected) => {
  expect(keepTypography([before], [after], [own])).toEqual([expected]);
});
