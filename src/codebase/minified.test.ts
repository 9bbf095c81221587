import { expect, test } from "vitest";
import { tryMinified } from "./minified.ts";

const code = "function add(left: number, right: number): number {\n  return left + right;\n}\n";
const prose = "Words stand here in one long line, as some people write their documents, without a break. ".repeat(5);
const squeezed = "function a(b,c){return b+c};var d=a(1,2);".repeat(10);

test("tryMinified returns undefined for code and prose of any length", () => {
  expect(tryMinified(code.repeat(1000))).toBeUndefined();
  expect(tryMinified(`${prose}\n\n`.repeat(100))).toBeUndefined();
  expect(tryMinified(squeezed)).toBeUndefined();
});

test("tryMinified recognizes long lines with few blanks", () => {
  expect(tryMinified(`${squeezed}\n`.repeat(20))).toBe("lines of 391 characters on average");
  expect(tryMinified(code + prose.repeat(100))).toMatch(/^a line of \d+ characters$/);
});
