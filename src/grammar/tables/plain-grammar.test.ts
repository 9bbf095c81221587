import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainWordsOf, smallGrammars, wordsOf } from "../fixtures/small-languages.ts";
import { parseGrammar } from "../notations/emend-notation.ts";
import { toPlainGrammar } from "./plain-grammar.ts";

function productionsOf(text: string): string[] {
  const plain = toPlainGrammar(parseGrammar(text).grammar!);
  const name = (symbol: number): string =>
    plain.terminals[symbol] ?? plain.nonterminals[symbol - plain.terminals.length]!;
  return plain.productions.map(({ left, right }) => `${plain.nonterminals[left]} = ${right.map(name).join(" ")}`);
}

describe("toPlainGrammar lowers rules to productions", () => {
  const cases: readonly (readonly [title: string, text: string, productions: readonly string[]])[] = [
    ["what may be missing is left out", 'S = "a" "b"? "c"', ['S = "a" "b" "c"', 'S = "a" "c"']],
    ["what repeats is left recursion", 'S = "a" "b"*', ['S = "a" "b"+', 'S = "a"', '"b"+ = "b"', '"b"+ = "b"+ "b"']],
    ["a list", 'S = ("a" % ",")?', ['S = "a"', 'S = S "," "a"']],
    ["a choice inside has a name", 'S = ("a" | "b") "c"', ['S = "a" | "b" "c"', '"a" | "b" = "a"', '"a" | "b" = "b"']],
    ["names for one symbol are taken out", 'S = A "x"\nA = B\nB = "b"', ['S = "b" "x"']],
    ["circles become one", 'S = A | "x"\nA = B | "a"\nB = S | "b"', ['S = "x"', 'S = "a"', 'S = "b"']],
    ["equal rules are one", 'S = A B\nA = "x" A | "y"\nB = "x" B | "y"', ["S = A A", 'A = "x" A', 'A = "y"']],
    ["what never ends is left out", 'S = "a" | A\nA = "(" A ")"', ['S = "a"']],
    ["nothing but the empty text", "S = ()", []],
  ];
  for (const [title, text, productions] of cases) test(title, () => expect(productionsOf(text)).toEqual(productions));
});

test("toPlainGrammar makes few productions of many optional parts", () => {
  const parts = Array.from({ length: 40 }, (_, i) => `"t${i}"?`);
  const productions = productionsOf(`S = ${parts.join(" ")}`);
  expect(productions.length).toBeLessThan(200);
});

test("toPlainGrammar keeps a closing bracket of the layout beside its opening one", () => {
  const parts = Array.from({ length: 12 }, (_, i) => `"t${i}"?`).join(" ");
  const productions = productionsOf(`layout Line In Out\nsuspend "(" ")"\nS = "s" "(" ${parts} ")" | Line In S Out`);
  for (const production of productions) {
    expect(production.includes('")"')).toBe(production.includes('"("'));
    expect(production.indexOf('")"')).toBeOneOf([-1, production.length - 3]);
  }
});

test("law: the productions derive the language of the rules", () => {
  fc.assert(
    fc.property(smallGrammars, (grammar) => {
      expect([...plainWordsOf(toPlainGrammar(grammar), 5)].sort()).toEqual([...wordsOf(grammar, 5)].sort());
    }),
  );
});

test("law: a plain grammar has no empty right side, unit cycle or useless nonterminal", () => {
  fc.assert(
    fc.property(smallGrammars, (grammar) => {
      const { productions, nonterminals, terminals } = toPlainGrammar(grammar);
      const reached = new Set(productions.flatMap(({ right }) => right));
      const derives = new Map(nonterminals.map((_, n) => [n, new Set<number>()]));
      for (const { left, right } of productions) {
        expect(right.length).toBeGreaterThan(0);
        if (right.length === 1) derives.get(left)!.add(right[0]! - terminals.length);
      }
      const [, ...used] = nonterminals.keys();
      expect(used.filter((n) => !reached.has(terminals.length + n))).toEqual([]);
      for (const n of nonterminals.keys()) {
        const alone = new Set(derives.get(n));
        for (const next of alone) for (const further of derives.get(next) ?? []) alone.add(further);
        expect(alone).not.toContain(n);
      }
    }),
  );
});
