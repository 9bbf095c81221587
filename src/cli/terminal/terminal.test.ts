import { expect, test } from "vitest";
import { printable, styled, wantsColour } from "./terminal.ts";

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, true, false],
  [{ TERM: "dumb" }, true, false],
])("%j on a terminal: %s, colours: %s", (environment, isTerminal, expected) => {
  expect(wantsColour(environment, isTerminal)).toBe(expected);
});

test("a style is switched on and off around its text", () => {
  expect(styled("x", "dim", true)).toBe("\u001b[2mx\u001b[22m");
  expect(styled("x", "dim", false)).toBe("x");
  expect(styled("", "dim", true)).toBe("");
});

test.each([
  ["a\tb\nc", "a\tb\nc"],
  ["\u001b[31mred", "␛[31mred"],
  ["\u0000\u007f", "␀␡"],
  ["\u009b31m", "\ufffd31m"],
  ["a\u202eb", "a\ufffdb"],
  ["größe 😀", "größe 😀"],
])("%j is printed as %j", (text, expected) => expect(printable(text)).toBe(expected));
