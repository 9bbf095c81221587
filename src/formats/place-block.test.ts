import { describe, expect, test } from "vitest";
import type { Ask } from "./ask.ts";
import { placeAsks } from "./place-asks.ts";
import { block, shown } from "./place-cases.laws.ts";

// Lines are parted by `|`; see `shown` for what stands behind them.

const cases: Readonly<Record<string, readonly (readonly [before: string, ask: Ask, after: string])[]>> = {
  "as it is": [
    ["a|b|c|", block("b", "X|Y"), "a|X|Y|c|"],
    ["a|b|c|", block("b", ""), "a|c|"],
    ["a|b|c", block("c", "X"), "a|b|X"],
    ["a|b|c|", block("a|b|c", "a|c"), "a|c|"],
    ["a|b|", block("b", "b"), "a|b| !no-change"],
    ["a|b|", block("x", "y"), "a|b| !not-found"],
    ["one|two|", block("", "three"), "one|two|three|"],
    ["one|two", block("", "three"), "one|two|three"],
    ["", block("", "one"), "one|"],
    ["one|", block("", ""), "one| !no-change"],
    ["a|b|", block("", "x", { near: 1 }), "a|x|b|"],
    ["a|b|", block("", "x", { near: 2 }), "a|b|x|"],
    ["a|b|", block("", "x", { near: 3 }), "a|b| !no-such-line"],
    ["a|b|", block("", "x", { near: Number.NaN }), "a|b| !no-such-line"],
    ["f:|g:|", block("", "x", { headings: ["f:"] }), "f:|x|g:|"],
    ["f:|g:|", block("", "x", { headings: ["h:"] }), "f:|g:| !not-found"],
    ["b|b|b|", block("b", "c", { isEvery: true }), "c|c|c|"],
    ["b|b|b|", block("b|b", "c", { isEvery: true }), "c|b|"],
  ],
  "several places": [
    ["x = 1|y|x = 1|", block("x = 1", "x = 2"), "x = 1|y|x = 1| !ambiguous"],
    ["x = 1|y|x = 1|", block("x = 1", "x = 2", { isAtEnd: true }), "x = 1|y|x = 2|"],
    ["x = 1|y|x = 1|", block("x = 1", "x = 2", { near: 2 }), "x = 1|y|x = 2|"],
    ["x = 1|y|z|x = 1|", block("x = 1", "x = 2", { near: 2 }), "x = 1|y|z|x = 2| (moved)"],
    ["x = 1|y|x = 1|", block("x = 1", "x = 2", { near: Number.NaN }), "x = 1|y|x = 1| !ambiguous"],
    ["x = 1|y|x = 1|", block("x = 1", "x = 2", { near: 1 }), "x = 1|y|x = 1| !ambiguous"],
    ["f:|x = 1|g:|x = 1|", block("x = 1", "x = 2", { headings: ["g:"] }), "f:|x = 1|g:|x = 2|"],
    ["f:|x = 1|g:|x = 1|", block("x = 1", "x = 2", { headings: ["h:"] }), "f:|x = 1|g:|x = 1| !ambiguous"],
    ["a {|}|b {|}|", block("}", "};"), "a {|}|b {|}| !ambiguous"],
    ["a {|}|b {|}|", block("}", "};", { near: 2 }), "a {|}|b {|}| !ambiguous"],
    ["a {|}|b {|}|", block("}", "};", { near: 0 }), "a {|}|b {|}| !ambiguous"],
    ["a {|}|b {|}|", block("}", "};", { near: 3 }), "a {|}|b {|};|"],
    ["a {|}|", block("  }", "  };"), "a {|}| !not-found"],
    ["a||b||c|", block("|", "X"), "a||b||c| !not-found"],
  ],
  blanks: [
    ["a  |bb|", block("a|bb", "a|cc"), "a  |cc| (white-space)"],
    ["aa|bb|", block("aa  |bb ", "aa  |cc "), "aa|cc | (white-space)"],
    ["  if aa:|    bb|", block("if aa:|  bb", "if aa:|  bb|  cc"), "  if aa:|    bb|    cc| (indentation)"],
    ["if aa:|  bb|", block("  if aa:|    bb", "  if aa:|    cc"), "if aa:|  cc| (indentation)"],
    [
      "\tif aa:|\t\tbb|",
      block("  if aa:|    bb", "  if aa:|    bb|      cc"),
      "\tif aa:|\t\tbb|\t\t\tcc| (indentation)",
    ],
    ["  if aa:|      bb|", block("if aa:|  bb", "if aa:|  cc"), "  if aa:|      cc| (indentation)"],
    ["  aa|bb|", block("aa|  bb", "aa|  cc"), "  aa|bb| !not-found"],
    ["  if  aa:|    bb|", block("if aa:|  bb", "if aa:|  cc"), "  if  aa:|    cc| (white-space indentation)"],
    ["aa|bb|", block("|aa|", "|cc|"), "cc|bb| (blank-lines)"],
    ["aa||bb|", block("aa|bb", "aa|cc"), "aa||cc| (blank-lines)"],
    ["aa|bb|", block("aa||bb", "aa||cc"), "aa|cc| (blank-lines)"],
    ["aa||bb|", block("aa|bb", "aa|cc|bb"), "aa|cc||bb| (blank-lines)"],
  ],
  characters: [
    ["say(“hi”)|bb|", block('say("hi")|bb', 'say("hi")|cc'), "say(“hi”)|cc| (typography)"],
    ["say(“hi”, aa)|", block('say("hi", aa)', 'say("hi", bb)'), "say(“hi”, bb)| (typography)"],
    ['say("hi")|bb|', block("say(“hi”)|bb", "say(“hi”)|say(“ho”)"), 'say("hi")|say("ho")| (typography)'],
    ['say("hi – you")|', block("say(“hi – you”)", "say(“ho – you”)"), 'say("ho – you")| (typography)'],
    ["  say(“hi”, aa)|", block('say("hi", aa)', 'say("ho", aa)'), "  say(“ho”, aa)| (typography indentation)"],
    ["aa\u00a0– bb|", block("aa - bb", "cc"), "cc| (typography)"],
    ["caf\u00e9|x|", block("cafe\u0301|x", "cafe\u0301|y"), "caf\u00e9|y| (typography)"],
    ["if (aa < bb)|", block("if (aa &lt; bb)", "if (aa &gt; bb)"), "if (aa > bb)| (escapes)"],
    ["aa|\tbb|", block("aa\\n\\tbb", "aa\\n\\tcc"), "aa|\tcc| (escapes)"],
    ["x = '\\d+'|", block("x = '\\\\d+'", "x = '\\\\w+'"), "x = '\\w+'| (escapes)"],
    ["aa|  bb|", block("1: aa|2:   bb", "1: aa|2:   cc"), "aa|  cc| (display-prefix)"],
    ["aa|  bb|", block("1: aa|3:   bb", "1: cc"), "aa|  bb| !not-found"],
    ["aa|  bb|", block("1\taa|2\t  bb", "aa|  cc"), "aa|  cc| (display-prefix)"],
  ],
  "left out": [
    ["aa|bb|cc|dd|", block("aa|...|dd", "AA|...|DD"), "AA|bb|cc|DD| (elision)"],
    ["aa|bb|", block("aa|...|dd", "AA|...|DD"), "aa|bb| !not-found"],
    ["aa|bb|aa|dd|", block("aa|...|dd", "AA|...|DD"), "aa|bb|aa|dd| !not-found"],
    ["dd|bb|aa|", block("aa|...|dd", "AA|...|DD"), "dd|bb|aa| !not-found"],
    ["aa|bb|", block("aa", "// ... existing code ..."), "aa|bb| !elided-code"],
    ["aa|// ...|", block("aa|// ...", "cc|// ..."), "cc|// ...|"],
  ],
  "already there": [
    ["aa|new line|", block("aa|old line", "aa|new line"), "aa|new line| !already-applied"],
    ["aa|}|", block("aa|old line|}", "aa|}"), "aa|}| !not-found"],
  ],
};

for (const [name, list] of Object.entries(cases)) {
  describe(`a block ${name}`, () => {
    for (const [before, ask, after] of list) {
      test(`${before} with ${JSON.stringify(ask)}`, () => expect(shown(before, ask)).toBe(after));
    }
  });
}

describe("the first of several places", () => {
  test("is taken where the rules say so, and told", () => {
    expect(shown("x = 1|y|x = 1|", block("x = 1", "x = 2"), { takesFirst: true })).toBe("x = 2|y|x = 1| (repeated)");
  });

  test("is not taken for a lone brace, nor for lines that were found leniently", () => {
    expect(shown("a {|}|b {|}|", block("}", "};"), { takesFirst: true })).toBe("a {|}|b {|}| !ambiguous");
    expect(shown("  x = 1|  x = 1|", block("x = 1", "x = 2"), { takesFirst: true })).toBe(
      "  x = 1|  x = 1| !ambiguous",
    );
  });
});

describe("lines that are not there", () => {
  for (const [search, told] of [
    ["totl(order)", "Line 2 is most like them."],
    ["totl(order)|subtract(item)", "Lines 2 to 3 are most like them."],
  ] as const) {
    test(`${search}: ${told}`, () => {
      const files = new Map([["a.ts", "first\ntotal(order)\nsubtract(items)\n"]]);
      const { refusals } = placeAsks([block(search, "X")], files);
      expect(refusals.map(({ message }) => message)).toEqual([`The lines to replace are not in the file. ${told}`]);
    });
  }
});
