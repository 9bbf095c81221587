import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectIndentUnit, indentationAt, indentationWidth, indentText } from "./indentation.ts";
import { fixtures } from "./node/fixtures/read-fixtures.ts";

describe("detectIndentUnit", () => {
  const cases: readonly (readonly [text: string, expected: string | undefined])[] = [
    ["", undefined],
    ["a\nb\n", undefined],
    ["a\n  b\n", "  "],
    ["a\r\n    b\r\n", "    "],
    ["a\n\tb\n", "\t"],
    ["a\n\tb\n\t  c\nd\n  e\n", "\t"],
    ["a\n   b\n", "   "],
    ["a\n  b\n    c\n      d\n", "  "],
    ["a(b,\n  c)\nd\n    e\n    f\n        g\n", "    "],
    ["/*\n * a\n * b\n */\na\n    b\n", "    "],
    ["a\n\n\n  b\n\n    c", "  "],
  ];
  for (const [text, expected] of cases) {
    test(JSON.stringify(text), () => {
      const unit = detectIndentUnit(text);
      expect(unit && indentText(unit)).toBe(expected);
    });
  }

  /** The usual style of each language, which its fixture follows. */
  const wide = new Set(["c", "cpp", "csharp", "java", "php", "python", "rust"]);
  for (const { name, language, text } of fixtures) {
    test(name, () => {
      const expected = language === "go" ? "\t" : wide.has(language) ? "    " : "  ";
      expect(indentText(detectIndentUnit(text)!)).toBe(expected);
    });
  }
});

describe("indentationAt", () => {
  const cases: readonly (readonly [marked: string, expected: string])[] = [
    ["|", ""],
    ["  a|", "  "],
    ["|  a", "  "],
    [" | a", "  "],
    ["a\n\t b|\n    c", "\t "],
    ["a\r\n  b|", "  "],
    ["a\r  b|", "  "],
    ["  a|\n", "  "],
    ["  a\n|", ""],
  ];
  for (const [marked, expected] of cases) {
    test(JSON.stringify(marked), () => {
      expect(indentationAt(marked.replace("|", ""), marked.indexOf("|"))).toBe(expected);
    });
  }
});

test("indentationWidth extends a tab to the next tab stop", () => {
  expect(indentationWidth("", 4)).toBe(0);
  expect(indentationWidth("  ", 4)).toBe(2);
  expect(indentationWidth("\t", 4)).toBe(4);
  expect(indentationWidth("  \t", 4)).toBe(4);
  expect(indentationWidth("    \t ", 4)).toBe(9);
});

test("detectIndentUnit returns the unit that a text was indented by", () => {
  const unit = fc.constantFrom("\t", "  ", "   ", "    ", "        ");
  fc.assert(
    fc.property(unit, fc.array(fc.boolean(), { maxLength: 30 }), (step, deeper) => {
      let depth = 0;
      const lines = ["a", `${step}b`];
      for (const inwards of deeper) {
        depth = inwards ? depth + 1 : Math.max(0, depth - 1);
        lines.push(`${step.repeat(depth)}c`);
      }
      expect(indentText(detectIndentUnit(lines.join("\n"))!)).toBe(step);
    }),
  );
});
