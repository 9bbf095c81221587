import fc from "fast-check";
import { expect, test } from "vitest";
import { smallGrammars, wordsOf } from "../fixtures/small-languages.ts";
import type { Expression, GrammarSource } from "../tables/grammar-source.ts";
import { parseGrammar } from "./emend-notation.ts";
import { withSplitTerminals } from "./split-terminals.ts";
import { writeLark } from "./write-lark.ts";

/** The parts of split tokens, by the names of these. */
const splits: Readonly<Record<string, string>> = { x: "ab", y: "bca", z: "aa" };

/** `grammar`, whose literals are letters, with the split tokens. */
function withSplits(grammar: GrammarSource): GrammarSource {
  const tokens = Object.entries(splits).map(([name, parts]) => ({
    ...{ name, kind: "token" as const, pattern: { kind: "text" as const, text: parts } },
    splitsInto: [...parts].map((literal) => ({ literal })),
  }));
  return { ...grammar, lexical: { ...grammar.lexical, tokens } };
}

/** Split tokens as literals, since {@link wordsOf} knows no tokens. */
function asLiterals(expression: Expression): Expression {
  if (expression.kind === "symbol") {
    return expression.name in splits ? { kind: "literal", text: expression.name } : expression;
  }
  if (expression.kind === "literal") return expression;
  if ("items" in expression) return { kind: expression.kind, items: expression.items.map(asLiterals) };
  if (expression.kind !== "list") return { kind: expression.kind, item: asLiterals(expression.item) };
  return { kind: "list", item: asLiterals(expression.item), separator: asLiterals(expression.separator) };
}

/** All ways to write a word with split tokens in place of parts of it. */
function* splitWords(word: string): Generator<string> {
  if (word === "") yield "";
  for (const [written, parts] of [[word[0] ?? "", word[0] ?? ""], ...Object.entries(splits)] as const) {
    if (parts === "" || !word.startsWith(parts)) continue;
    for (const rest of splitWords(word.slice(parts.length))) yield written + rest;
  }
}

test("row 32: law: split tokens stand wherever their parts stand side by side, and nowhere else", () => {
  let split = 0;
  fc.assert(
    fc.property(smallGrammars, (grammar) => {
      const { rules, ...others } = withSplitTerminals(withSplits(grammar));
      const written = wordsOf(
        { ...others, rules: rules.map((rule) => ({ ...rule, expression: asLiterals(rule.expression) })) },
        4,
      );
      const partsOf = (word: string) => word.replaceAll(/[xyz]/g, (name) => splits[name]!);
      const expected = new Set([...wordsOf(grammar, 4)].flatMap((word) => [...splitWords(word)]));
      expect([...written].filter((word) => partsOf(word).length <= 4).sort()).toEqual([...expected].sort());
      if ([...expected].some((word) => /[xyz]/.test(word))) split += 1;
    }),
  );
  expect(split).toBeGreaterThan(10);
});

test.each([
  ['S = "?" A\nA = N | "-" A', 's: "?" a | Q a_from_q\na: N | "-" a\na_from_q:'],
  ['S = A ("," A)* "?"\nA = B? N\nB = N "?"', 's: a ("," a)* "?"\na: b? N | b_to_q\nb: N "?"\nb_to_q: N Q'],
  [
    'S = (N "?")* "."',
    's: repeat_n "."\nrepeat_n: (N "?" repeat_n | N Q repeat_n_from_q)?\nrepeat_n_from_q: "?" repeat_n | Q repeat_n_from_q',
  ],
  ['S = N "?"', 's: N "?"'],
  ['S = ("?" N)+ N', 's: ("?" N | Q)+ N'],
])("row 32: writeLark writes a split token in the rules %j", (rules, expected) => {
  const { grammar } = parseGrammar(`token N = /[0-9]/\nsplit Q = /\\?[0-9]/ as "?" N\n${rules}\n`);
  const [text] = writeLark(grammar!).text.split("\n\n");
  expect(text!.replaceAll(/^(\/\/.*|start:.*)\n/gm, "")).toBe(expected);
});
