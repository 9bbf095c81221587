import { expect, test } from "vitest";
import { literalsOf } from "./literals.ts";

test.each([
  ["a = \"b\" + 'c' + `d`;", ["b", "c", "d"]],
  ["a = \"\" + 'b\\'c' + \"d'e\";", ["b\\'c", "d'e"]],
  ['// it\'s\nf(\'a\'); /* "b" */ f("c");', ["a", "c"]],
  ["a = `b\n{c}\nd`;", ["b\n{c}\nd"]],
  ["don't\nf('a')", ["a"]],
  ["f('https://a.b/c')", ["https://a.b/c"]],
])("literalsOf finds the string literals of %j", (text, expected) => {
  expect(literalsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual(expected);
});
