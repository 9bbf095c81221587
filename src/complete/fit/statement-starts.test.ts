import { afterAll, beforeAll, expect, test } from "vitest";
import type { Syntax } from "../../syntax/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { SharedStarts } from "./statement-starts.ts";

const syntax = openSyntax();
beforeAll(() => syntax.load("typescript"));
afterAll(() => syntax[Symbol.dispose]());

const place = { uri: "file:///a.ts", prefix: "function f() {\n  ", suffix: "\n}\n", language: "typescript" };

/** Starts whose parses are counted. */
function open(): { readonly starts: SharedStarts; readonly parsed: string[] } {
  const parsed: string[] = [];
  const tryParse: Syntax["tryParse"] = (document) => {
    parsed.push(document.text);
    return syntax.tryParse(document);
  };
  return { starts: new SharedStarts({ ...syntax, tryParse }), parsed };
}

test("a line is parsed once for all requests", () => {
  const { starts, parsed } = open();
  for (let i = 0; i < 3; i++) {
    expect(starts.at({ ...place }).startsAt("a();\n  b();", 5)).toBe(true);
    expect(starts.at({ ...place }).startsAt("a(\n  b);", 3)).toBe(false);
    expect(starts.at({ ...place }).blocks()?.blocks).toHaveLength(1);
  }
  expect(parsed).toHaveLength(3);
});

test("another text, place or language is parsed again", () => {
  const { starts, parsed } = open();
  const others = [{}, { uri: "file:///b.ts" }, { suffix: "}\n" }, { prefix: "{ " }, { language: "javascript" }];
  for (const other of others) starts.at({ ...place, ...other }).startsAt("a();\n  b();", 5);
  expect(parsed).toHaveLength(5);
  // The first of five is forgotten.
  starts.at(place).startsAt("a();\n  b();", 5);
  expect(parsed).toHaveLength(6);
});
