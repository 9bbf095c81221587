import { describe, expect, test, vi } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { Reader } from "../reading/reader.ts";
import { openHole } from "./fill-session.ts";
import { GrammarIndex } from "./grammar-index.ts";
import { canEndInTrivia } from "./open-trivia.ts";

const grammars = { javascript: compileLanguage("javascript"), python: compileLanguage("python") };
const encoder = new TextEncoder();

describe("canEndInTrivia", () => {
  test.each<[keyof typeof grammars, string, boolean]>([
    ["javascript", "a = 1;", false],
    ["javascript", "a = 1; // b", true],
    ["javascript", "a = 1; /* b", true],
    ["javascript", "a = 1; /* b */ c", false],
    ["javascript", "a /* b */ = 1; // c", true],
    // The lexer alone does not tell the two.
    ["javascript", 'a = "// b"', true],
    ["javascript", "a / b", false],
    ["python", "a = 1", false],
    ["python", "a = 1  # b", true],
    ["python", "\n    # a", true],
    ["python", "# a\nb", false],
  ])("%s: %j is %j", (language, text, expected) => {
    const { lex } = grammars[language];
    const { endings } = GrammarIndex.of(grammars[language]);
    expect(canEndInTrivia(lex, endings, encoder.encode(text))).toBe(expected);
  });
});

describe("row 14: the long first line behind a hole", () => {
  test.each<[string, string, string, boolean, number]>([
    ["is not read where no comment is open at its end", "// a", `${"f(".repeat(400)}a${")".repeat(400)};`, true, 0],
    ["is read where one may be", "// a", `${"a + ".repeat(400)}a; // b`, false, 1],
    ["is not read for a filling that hides nothing", "a + ", `${"a + ".repeat(400)}a; // b`, false, 0],
  ])("%s", (_, filling, line, hides, readings) => {
    const opening = openHole(grammars.javascript, { before: "", behind: line });
    if (opening.kind !== "open") throw new Error(opening.kind);
    const read = vi.spyOn(Reader.prototype, "read");
    expect(opening.hole.hidesCode(filling, line)).toBe(hides);
    const long = read.mock.calls.filter(([, bytes]) => bytes.length >= line.length);
    read.mockRestore();
    expect(long).toHaveLength(readings);
  });
});
