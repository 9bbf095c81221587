import { expect, test } from "vitest";
import { ClosingTags, fitClosingTag } from "./fit-closing-tag.ts";

const placeAt = (language: string, text: string) => {
  const [prefix, suffix] = text.split("‸") as [string, string];
  return { language, prefix, suffix };
};

test.each([
  ["typescriptreact", "a = <Section>\n  <List />\n</‸\n", "div>", "Section>"],
  ["typescriptreact", "a = <Table>\n  <abs>x</abs>\n</T‸\n", "abs>", "able>"],
  ["typescriptreact", "a = <Table>\n</T‸>\n", "abs", "able"],
  ["typescriptreact", "a = <Table>\n</‸\n", "Table>", "Table>"],
  ["typescriptreact", "a = <Table>\n</‸\n", "Ta", "Ta"],
  ["typescriptreact", "a = <>\n</‸\n", "div>", ">"],
  ["typescriptreact", "a = <Table>\n</X‸\n", "abs>", undefined],
  ["html", "<ul><li>a</‸", "ul>", "ul>"],
  ["html", "<ul><li>a</‸", "div>", "li>"],
  ["vue", "<a><b-c></‸", "a>", "b-c>"],
  ["typescript", "const a = b </‸", "c/.d", "c/.d"],
])("row 27: the name of a closing tag in %s: %j + %j: %j", (language, text, answer, expected) => {
  expect(fitClosingTag(answer, placeAt(language, text))).toBe(expected);
});

test.each([
  ["typescriptreact", "a = <Table>\n  b‸", "</div>", true],
  ["typescriptreact", "a = <Table>\n  b‸", " c</Table>", false],
  ["typescriptreact", "a = <Table>\n  ‸", "<b>c</b></Table>", false],
  ["typescriptreact", "a = <Table>\n  ‸", "<b>c</i>", true],
  ["html", "<ul><li>a‸", "</ul>", false],
  ["html", "<ul><li>a‸", "</ol>", true],
])("row 27: a closing tag of another element in %s: %j + %j: %s", (language, text, answer, expected) => {
  expect(new ClosingTags(placeAt(language, text)).closeOther(answer)).toBe(expected);
});
