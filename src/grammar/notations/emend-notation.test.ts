import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { smallGrammars } from "../fixtures/small-languages.ts";
import { withoutPlaces } from "../fixtures/without-places.ts";
import { printExpression } from "../tables/expressions.ts";
import type { LexicalSource, ModeRule } from "../tables/grammar-source.ts";
import { type ParsedGrammar, parseGrammar } from "./emend-notation.ts";
import { writeGrammar } from "./write-grammar.ts";

/** The parts that other files include here. */
const files: Readonly<Record<string, string>> = {
  base: 'token Name = /[a-z]+/\nS = A\nA = "a" | Name',
  circle: 'include "circle"\nS = "s"',
  broken: '\n  \nS = "s"\nA = /a/',
};

function parse(text: string): ParsedGrammar {
  return parseGrammar(text, { read: (file) => files[file] });
}

/** A text as a title. */
function oneLine(text: string): string {
  return text.replaceAll("\n", " ⏎ ");
}

function rulesOf(text: string): string[] {
  const { grammar, issues } = parse(text);
  expect(issues).toEqual([]);
  return grammar!.rules.map(({ name, expression }) => `${name} = ${printExpression(expression)}`);
}

function lexicalOf(text: string): LexicalSource {
  const { grammar, issues } = parse(`${text}\nS = "s"`);
  expect(issues).toEqual([]);
  return withoutPlaces(grammar!.lexical);
}

describe("parseGrammar: expressions", () => {
  const cases: readonly (readonly [text: string, printed?: string])[] = [
    ['"a" B'],
    ['"a" | B C | ()'],
    ['("a" | B) C'],
    ["A? B* C+"],
    ["(A B)? (A | B)* C++"],
    ['A % ","'],
    ['"[" A % "," "]"'],
    ['(A % ",")?'],
    ['(A B) % ("," | ";")'],
    ["| A\n  | B", "A | B"],
    ["A # not B\n  C", "A C"],
    [String.raw`"\"\\\n\t\u{1f600}#"`, JSON.stringify('"\\\n\t😀#')],
  ];
  for (const [text, printed = text] of cases) {
    test(oneLine(text), () => expect(rulesOf(`S = ${text}`)).toEqual([`S = ${printed}`]));
  }

  test("law: parseGrammar reads what printExpression prints as the same expression", () => {
    fc.assert(
      fc.property(smallGrammars, (grammar) => {
        const written = grammar.rules.map(({ name, expression }) => `${name} = ${printExpression(expression)}`);
        expect(rulesOf(written.join("\n"))).toEqual(written);
      }),
    );
  });
});

test("law: parseGrammar reads a printed text of any characters as the same text", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary", minLength: 1 }),
    fc.string({ unit: fc.constantFrom(...'"\\/#\n\t\r\b\f\0 \u2028\ufeff'), minLength: 1 }),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const expression = { kind: "literal", text } as const;
      const { grammar, issues } = parse(`S = ${printExpression(expression)}`);
      expect(issues).toEqual([]);
      expect(grammar!.rules[0]!.expression).toEqual(expression);
    }),
  );
});

describe("parseGrammar instantiates rules with parameters", () => {
  const cases: readonly (readonly [title: string, text: string, rules: readonly string[]])[] = [
    [
      "once for all equal uses",
      'S = In<A> In<A> In<"b">\nIn<X> = "(" X ")"\nA = "a"',
      ['S = In<A> In<A> In<"b">', 'A = "a"', 'In<A> = "(" A ")"', 'In<"b"> = "(" "b" ")"'],
    ],
    [
      "with more than names",
      'S = Two<"a" | "b", ()>\nTwo<X, Y> = X* Y',
      ['S = Two<"a" | "b", ()>', 'Two<"a" | "b", ()> = ("a" | "b")* ()'],
    ],
    ["by others", 'S = P<"a">\nP<X> = Q<X>?\nQ<X> = X P<X>', ['S = P<"a">', 'P<"a"> = Q<"a">?', 'Q<"a"> = "a" P<"a">']],
  ];
  for (const [title, text, rules] of cases) test(title, () => expect(rulesOf(text)).toEqual(rules));
});

test("parseGrammar reads tokens of each kind", () => {
  const lexical = lexicalOf(
    String.raw`
token Number = /{Digits}(\.{Digits})?/
fragment Digits = /{Digit}+/
fragment Digit = /[0-9]/
trivia Space = / +/
never Open = /"[^"]*/
split Access = /\?\.5/ as "?" Number
word Number
reserved "if"
  "else"
newline /\n/`,
  );
  expect(lexical.tokens.map(({ name, kind, splitsInto }) => [name, kind, splitsInto])).toEqual([
    ["Number", "token", undefined],
    ["Space", "trivia", undefined],
    ["Open", "never", undefined],
    ["Access", "token", [{ literal: "?" }, "Number"]],
  ]);
  expect(lexical.word).toBe("Number");
  expect(lexical.reserved).toEqual(["if", "else"]);
  expect(lexical.newline).toEqual(lexicalOf("newline /\\u000a/").newline);
});

describe("parseGrammar: modes contain", () => {
  const tokens = ["Name", "RegExp", "Text"].map((name) => `token ${name} = /${name}/\n`).join("");
  const rules = '\ntrivia Space = / /\nS = "/" "{" "}"';
  const cases: readonly (readonly [title: string, text: string, modes: Readonly<Record<string, string>>])[] = [
    ["nothing where there is none", "", {}],
    ["all in the first", "mode main", { main: 'Name RegExp Text Space "/" "{" "}"' }],
    [
      "what others add is theirs",
      'mode main\nmode regexp = main - "/" + RegExp\nmode text = Text "{"',
      { main: 'Name Space "/" "}"', regexp: 'Name Space "}" RegExp', text: 'Text "{"' },
    ],
    [
      "the first mode takes some back",
      'mode main + "{" - "}"\nmode text = Text "{"\nmode regexp = text + RegExp Space',
      { main: 'Name "/" "{"', text: 'Text "{"', regexp: 'Text "{" RegExp Space' },
    ],
    [
      "a mode of a later one",
      "mode main\nmode a = b + Text\nmode b = RegExp",
      {
        main: 'Name Space "/" "{" "}"',
        a: "RegExp Text",
        b: "RegExp",
      },
    ],
    ["a first mode of its own", "mode main = Name\nmode other = main + Text", { main: "Name", other: "Name Text" }],
  ];
  const membersOf = ({ members }: ModeRule): string =>
    members.map((each) => (typeof each === "string" ? each : JSON.stringify(each.literal))).join(" ");
  for (const [title, text, modes] of cases) {
    test(title, () => {
      const { grammar, issues } = parse(tokens + text + rules);
      expect(issues).toEqual([]);
      expect(Object.fromEntries(grammar!.lexical.modes.map((mode) => [mode.name, membersOf(mode)]))).toEqual(modes);
    });
  }
});

describe("parseGrammar: terminals without text", () => {
  const cases: readonly (readonly [text: string, when: object])[] = [
    ["require X = no newline", { newline: "without" }],
    ["require X = newline", { newline: "with" }],
    ["require X = glued, next not Name", { glued: true, nextNotIn: ["Name"] }],
    ['require X = next "(" Name', { nextIn: [{ literal: "(" }, "Name"] }],
    ['insert X = newline | next "}" end', { newline: "with", nextIn: [{ literal: "}" }, "end"] }],
  ];
  for (const [text, when] of cases) {
    test(text, () => expect(lexicalOf(text).virtuals).toEqual([{ name: "X", kind: text.split(" ")[0], when }]));
  }

  test("of the layout", () => {
    expect(lexicalOf('layout Line In Out\nsuspend "(" ")"\nsuspend "{" "}" , Open "}"').layout).toEqual({
      newline: "Line",
      indent: "In",
      dedent: "Out",
      brackets: [
        { open: [{ literal: "(" }], close: [{ literal: ")" }] },
        { open: [{ literal: "{" }, "Open"], close: [{ literal: "}" }] },
      ],
    });
  });
});

test("parseGrammar reads `same` and `opening`, and writeGrammar writes them", () => {
  const { grammar } = parse('opening "= a" "b"\nsame Name\ntoken Name = /[a-z]+/\nS = Name "=" Name');
  expect(grammar).toMatchObject({ same: [{ name: "Name", line: 1 }], openings: ["= a", "b"] });
  const { grammar: again } = parseGrammar(writeGrammar(grammar!));
  expect(again).toMatchObject({ same: [{ name: "Name" }], openings: ["= a", "b"] });
});

describe("parseGrammar: included files", () => {
  test("can have their declarations replaced and extended", () => {
    expect(rulesOf('include "base"\nA |= "b"\nB = "c"')).toEqual(["S = A", 'A = "a" | Name | "b"', 'B = "c"']);
    expect(rulesOf('include "base"\nA = "b"')).toEqual(["S = A", 'A = "b"']);
  });

  test("are named in their issues", () => {
    expect(parse('include "broken"').issues).toMatchObject([{ file: "broken", line: 3, column: 4 }]);
  });
});

describe("parseGrammar reports errors with their position (at ‸)", () => {
  const cases: readonly (readonly [text: string, message: string | RegExp])[] = [
    ['S = ‸"a', /^Close the text that begins with "a/],
    ["token T = ‸/a", /^Close the pattern/],
    ["S = ‸'a'", 'The notation knows no "\'"; text goes in double quotes.'],
    ['  ‸S = "a"', /^Start the first declaration at the left margin/],
    ['S = "a"\n‸| "b"', /indent this line/],
    ['S = "a" ‸= "b"', /does not belong here/],
    ["S ‸= ", /^Here a name, a text in quotes or a group should come, but/],
    ['S = (‸"a" ', /`\)` should come/],
    ['S = ‸""', /Write \(\) for nothing/],
    ['S = "a" % "b" ‸% "c"', /parentheses/],
    ['S = ‸"\\q"', /knows the escapes/],
    ['S = ‸"\\u{d800}"', /knows the escapes/],
    ["S = ‸P<S>", "There is no rule P that takes parameters."],
    ["S = ‸P<S, S>\nP<X> = X", "P takes 1 parameters, not 2."],
    ['S = P<"a">\nP<X> = ‸P<(X X)>', /endlessly many rules/],
    ['S = P<"a">\nP<X> = ‸X<S>', /stands for an expression/],
    ["‸S<X> = X", /cannot be it/],
    ['S = "a"\n‸S = "b"', /^Choose another name than S/],
    ['token T = /a/\n‸T = "b"', /^Choose another name than T/],
    ['‸end = "b"', /^Choose another name than `end`/],
    ['‸A |= "b"\nS = "s"', /^Write `A = …` first/],
    ['S = "s"\ntoken T = /a‸)/', /./],
    ['S = "s"\n‸tokens T = /a/', /^Write `tokens = …` for a rule, or begin with one of: include, grammar/],
    ['S = "s"\nmode main\nmode a = b\nmode ‸b = a', /start from each other/],
    ['S = "s"\nmode main\nmode other ‸+ S', /as the first mode alone holds all tokens/],
    ['S = "s"\nmode ‸main - "x"', /there is none to take away/],
    ['S = "s"\nrequire X = ‸end', /^Here one of the conditions/],
    ['S = "s"\ninsert X = ‸glued', /^Here one of the conditions/],
    ['S = "s"\nlayout A ‸B ', /three names/],
    ['S = "s"\nopening ‸S', /a text in quotes/],
    ['S = "s"\n‸same ', /the name of a rule or a token/],
    ['S = "s"\nsplit A = /a/ as ‸"a" ', /two terminals or more/],
    [`S = ${"(".repeat(101)}‸${"(".repeat(99_999)}`, /^Name a part of this/],
    [`S = "s"${"?".repeat(100)}‸${"?".repeat(99_999)}`, /does not belong here/],
    ['include ‸"nothing"\nS = "s"', "There is no file nothing to include."],
    ['include ‸"circle"', "circle includes itself; leave this out."],
  ];
  for (const [marked, message] of cases) {
    test(oneLine(marked).slice(0, 80), () => {
      const before = marked.split("‸")[0]!.split("\n");
      const [issue] = parse(marked.replace("‸", "")).issues;
      expect(issue?.message).toMatch(message);
      expect([issue?.line, issue?.column]).toEqual([before.length - 1, before.at(-1)!.length]);
    });
  }
});

test("parseGrammar reports a text without rules as a whole", () => {
  const message = expect.stringMatching(/^Write a rule/);
  expect(parse("").issues).toEqual([{ code: "no-rules", severity: "error", line: 0, message }]);
});

test("law: parseGrammar never throws", () => {
  const pieces = fc.constantFrom(
    ...'token S = /a/ " | ( ) ? * + % < > , - |= \n mode require insert next end layout'.split(" "),
  );
  fc.assert(fc.property(fc.array(pieces, { maxLength: 20 }), (all) => void parse(all.join(" "))));
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parse(text)));
});
