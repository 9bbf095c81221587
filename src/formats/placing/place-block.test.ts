import { describe, expect, test } from "vitest";
import type { EditOperation } from "../edit-operation.ts";
import { block, shown } from "./place-cases.laws.ts";
import { resolveOperations } from "./resolve-operations.ts";

// Lines are separated by `|`; see `shown` for the notation of results.

const bodies = ["a", "b", "c"].map((name) => `${name}() {|  return 1;|}|`);
const threeBodies = bodies.join("");

/** The three functions with a line of one of them changed. */
function threeWith(changed: number): string {
  return bodies.map((body, i) => (i === changed ? body.replace("1", "2") : body)).join("");
}

const cases: Readonly<Record<string, readonly (readonly [before: string, ask: EditOperation, after: string])[]>> = {
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
    ["a||b|c|d|e|f||", { ...block("", "x", { near: 1 }), search: [""] } as EditOperation, "a|x|b|c|d|e|f||"],
    ["a||b|c|d|e|f||", { ...block("", "x", { near: 2 }), search: [""] } as EditOperation, "a||b|c|d|e|f|| !ambiguous"],
    ["a {|}|", block("  }", "  };"), "a {|}| !ambiguous"],
    ["a {|} |}|", block("  }", "  };"), "a {|} |}| !ambiguous"],
    ["a {|}|", block("  ]", "  ];"), "a {|}| !not-found"],
    ["a||b||c|", block("|", "X"), "a||b||c| !not-found"],
  ],
  "row 22: headings beside a line number": [
    [threeBodies, block("  return 1;", "  return 2;", { near: 0, headings: ["c() {"] }), `${threeWith(2)} (moved)`],
    [threeBodies, block("  return 1;", "  return 2;", { near: 0, headings: ["b() {"] }), `${threeWith(1)} (moved)`],
    [threeBodies, block("  return 1;", "  return 2;", { near: 4, headings: ["b() {"] }), threeWith(1)],
    [threeBodies, block("  return 1;", "  return 2;", { near: 20, headings: ["a() {"] }), `${threeBodies} !ambiguous`],
    // The number fits, and the heading selects another place.
    [threeBodies, block("  return 1;", "  return 2;", { near: 1, headings: ["c() {"] }), `${threeBodies} !ambiguous`],
    [threeBodies, block("  return 1;", "  return 2;", { near: 4, headings: ["z() {"] }), threeWith(1)],
    // The heading is the first line of the block, or occurs several times.
    ["a|x = 1|b|a|x = 1|", block("a|x = 1", "a|x = 2", { near: 2, headings: ["a"] }), "a|x = 1|b|a|x = 2| (moved)"],
    ["a|x = 1|a|x = 1|", block("x = 1", "x = 2", { near: 3, headings: ["a"] }), "a|x = 1|a|x = 2|"],
    ["a|b|", block("", "x", { near: 1, headings: ["z"] }), "a|x|b|"],
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
    // A superfluous blank line on both sides does not belong to the file.
    ["xx||aa||bb|", { ...block("||aa", ""), replace: [""] } as EditOperation, "xx||bb| (blank-lines)"],
    ["xx||aa||bb|", { ...block("||  aa", ""), replace: [""] } as EditOperation, "xx||bb| (blank-lines indentation)"],
    ["xx||aa||bb|", block("||aa", "|"), "xx|||bb| (blank-lines)"],
    ["xx||aa|bb|", block("||aa|", "||cc|"), "xx||cc|bb| (blank-lines)"],
    ["xx|aa||bb|", block("aa||", "cc||"), "xx|cc||bb| (blank-lines)"],
    ["aa||bb|", block("aa|bb", "aa|cc"), "aa||cc| (blank-lines)"],
    ["aa|bb|", block("aa||bb", "aa||cc"), "aa|cc| (blank-lines)"],
    ["aa||bb|", block("aa|bb", "aa|cc|bb"), "aa|cc||bb| (blank-lines)"],
  ],
  "row 23: typography of a changed line beside lines that come": [
    ["it’s a — b|", block("it's a - b", "it's c - b|and more"), "it’s c — b|and more| (typography)"],
    ["  it’s a\u00a0b|  x|", block("it's a b|x", "y|it's a c|x"), "  y|  it’s a\u00a0c|  x| (typography indentation)"],
    ["a|“b” – c|d|", block('a|"b" - c|d', 'a|"b" - e|f|d'), "a|“b” – e|f|d| (typography)"],
    // New lines keep the characters that the file has elsewhere in the same context.
    [
      'x("a")|see “b” c|',
      block("x(“a”)", "x(“a”)|see “b” c|y(“d”)"),
      'x("a")|see “b” c|y("d")|see “b” c| (typography)',
    ],
    ["10\u00a0km … far|", block("10 km ... far", "new|10 km ... near"), "new|10\u00a0km … near| (typography)"],
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

const blankAt = (near: number) => ({ ...block("", "", { near }), search: [""] }) as EditOperation;
const spaced = "x||a||b||";
const returns = "a|return 1;|b|return 1;|c|return 1;|";

test.each<[what: string, before: string, asks: readonly EditOperation[], after: string]>([
  ["right, right", spaced, [block("a", "A", { near: 2 }), blankAt(1)], "x|A||b||"],
  [
    "2 less, and another blank line 2 lines on",
    spaced,
    [block("a", "A", { near: 0 }), blankAt(1)],
    "x||A||b|| !ambiguous",
  ],
  ["1 less, and no blank line 1 line on", spaced, [block("a", "A", { near: 1 }), blankAt(1)], "x|A||b||"],
  ["2 less, then right", spaced, [block("a", "A", { near: 0 }), block("b", "B", { near: 4 }), blankAt(1)], "x|A||B||"],
  [
    "2 less, the same line 2 lines on",
    returns,
    [block("b", "B", { near: 0 }), block("return 1;", "return 2;", { near: 1 })],
    "a|return 1;|B|return 1;|c|return 1;| !ambiguous",
  ],
  [
    "2 less, and a heading",
    returns,
    [block("b", "B", { near: 0 }), block("return 1;", "return 2;", { near: 1, headings: ["a"] })],
    "a|return 2;|B|return 1;|c|return 1;|",
  ],
  ["2 less, lines between them added", spaced, [block("a", "A|A", { near: 0 }), blankAt(1)], "x||A|A||b|| !ambiguous"],
])("line numbers that are %s: %s", (_, before, asks, after) => {
  expect(shown(before, asks)).toBe(after);
});

describe("the first of several equal places", () => {
  test("is taken with takesFirst, and reported", () => {
    expect(shown("x = 1|y|x = 1|", block("x = 1", "x = 2"), { takesFirst: true })).toBe("x = 2|y|x = 1| (repeated)");
  });

  test("is not taken for a lone brace or a lenient match", () => {
    expect(shown("a {|}|b {|}|", block("}", "};"), { takesFirst: true })).toBe("a {|}|b {|}| !ambiguous");
    expect(shown("  x = 1|  x = 1|", block("x = 1", "x = 2"), { takesFirst: true })).toBe(
      "  x = 1|  x = 1| !ambiguous",
    );
  });
});

describe("search lines that are missing in the file", () => {
  for (const [search, hint] of [
    ["totl(order)", "Line 2 is most like them."],
    ["totl(order)|subtract(item)", "Lines 2 to 3 are most like them."],
  ] as const) {
    test(`${search}: ${hint}`, () => {
      const files = new Map([["a.ts", "first\ntotal(order)\nsubtract(items)\n"]]);
      const { refusals } = resolveOperations([block(search, "X")], files);
      expect(refusals.map(({ message }) => message)).toEqual([`The lines to replace are not in the file. ${hint}`]);
    });
  }
});
