import { expect, test } from "vitest";
import { languageById } from "../languages/index.ts";
import { tryClosingTag } from "./closing-tag.ts";

/** The written part of a closing tag's name, and the possible names. */
function read(language: string, text: string): string {
  const tag = tryClosingTag(text, languageById(language)!);
  return tag === undefined ? "none" : [tag.typed, ...tag.names].join(" | ");
}

test.each([
  ["typescriptreact", "const a = <Section>\n  <List items={items} />\n</", " | Section"],
  ["typescriptreact", "const a = <Table>\n  <abs>1</abs>\n</T", "T | Table"],
  ["typescriptreact", "const a = <A.B onClick={() => x > 1}>text</", " | A.B"],
  ["typescriptreact", 'const a = <div title="a > b"><b>x</b></d', "d | div"],
  ["typescriptreact", "const a = <>\n  <b>x</b>\n</", " | "],
  ["typescriptreact", "const a = <ul>{b.map((c) => <li>{c}</", " | li"],
  ["typescriptreact", "const a = <ul>{b.map((c) => <li>{c}</li>)}</", " | ul"],
  ["typescriptreact", "function f<T>(a: T) {\n  return <p>{a}</", " | p"],
  ["javascript", "const a = <p>a</p>;\nconst b = <q>{c < d}</", " | q"],
  ["javascriptreact", "// <div>\nconst a = '<b>' + <i>x</", " | i"],
  ["typescriptreact", "const a = <div>{b(</", "none"],
  ["typescriptreact", "const a = b </", "none"],
  ["typescript", "const a = b </", "none"],
  ["html", "<ul>\n  <li>a <br> b\n  <li>c</", " | li | ul"],
  ["html", "<table><tr><td>a</", " | td | tr | table"],
  ["html", "<main><div><p>a</", " | p | div"],
  ["html", "<div><p>a</p>\n<!-- <b> --><img src='a'></", " | div"],
  ["html", "<div><script>if (a < b) c('<p>');</script></", " | div"],
  ["vue", "<template>\n  <my-item :a='b'>\n    <c />\n  </my", "my | my-item"],
  ["xml", "<a><link>b</", " | link"],
  ["css", "a </", "none"],
])("the closing tag in %s at %j: %s", (language, text, expected) => expect(read(language, text)).toBe(expected));
