import { expect, test } from "vitest";
import { printPlace, printSureness } from "./print-completion.ts";

/** `text` has the place at `|`. */
function print(text: string, ghost: string, colour = false): string {
  const offset = text.indexOf("|");
  return printPlace({ text: text.replace("|", ""), offset, ghost, colour });
}

test("prints the ghost text in its line, between the lines around it", () => {
  expect(print("a\nb\nc\nd\ne(|)\nf\ng\nh\ni\n", "x, y")).toBe(`\
  2 │ b
  3 │ c
  4 │ d
  5 │ e(«x, y»)
  6 │ f
  7 │ g
  8 │ h`);
});

test("prints further lines of ghost text without a number", () => {
  expect(print("if (a) {|\n}\n", "\n  b();\n  c();")).toBe(`\
  1 │ if (a) {«
    │   b();
    │   c();»
  2 │ }`);
});

test("aligns numbers, shows tabs, and marks the place when there is no suggestion", () => {
  const text = `${"\n".repeat(8)}\ta\n\tb|c\n`;
  expect(print(text, "")).toBe("   7 │\n   8 │\n   9 │     a\n  10 │     b«»c");
});

test("prints dim ghost text without marks on terminals with colours", () => {
  expect(print("a|b", "x", true)).toBe("\u001b[2m  1 │\u001b[22m a\u001b[2mx\u001b[22mb");
});

test("escapes control characters of a file", () => {
  expect(print("a\u001b[2J|\u0007", "\u001b]0;x")).toBe("  1 │ a␛[2J«␛]0;x»␇");
});

test("cuts long lines around ghost text", () => {
  expect(print(`${"x".repeat(500)}\n|`, "y")).toBe(`  1 │ ${"x".repeat(160)}…\n  2 │ «y»`);
});

test.each([
  [0, "<1%"],
  [0.004, "<1%"],
  [0.724, "72%"],
  [0.98, "98%"],
  [0.999, ">99%"],
])("a probability of %d is printed as %s", (probability, expected) =>
  expect(printSureness(probability)).toBe(expected),
);
