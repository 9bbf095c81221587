import { getOrInsert } from "../../text/index.ts";
import { characterSet, sharedCharacters } from "../lexing/character-set.ts";
import type { CharacterSet, Pattern } from "../lexing/pattern.ts";
import type { GrammarIssue } from "../tables/grammar-issue.ts";
import type { Expression, GrammarSource, Rule, TokenRule } from "../tables/grammar-source.ts";
import type { ParsedGrammar } from "./emend-notation.ts";
import { safeName } from "./rename-rules.ts";

/** The right side of a rule of a grammar without a lexer: its terminals are characters. */
export type CharacterExpression =
  | { readonly kind: "symbol"; readonly name: string }
  | { readonly kind: "pattern"; readonly pattern: Pattern }
  | { readonly kind: "sequence"; readonly items: readonly CharacterExpression[] }
  | { readonly kind: "choice"; readonly items: readonly CharacterExpression[] }
  | { readonly kind: "repeat"; readonly item: CharacterExpression; readonly min: number; readonly max: number };

/** A rule of a grammar without a lexer. */
export interface CharacterRule {
  readonly name: string;
  readonly expression: CharacterExpression;
  readonly line: number;
}

/** The highest count of a repetition, since repetitions are written out. */
export const maxRepetitions = 1000;

/**
 * Turns a grammar over characters into one over tokens: each token is one character, or a set of
 * characters.
 *
 * The sets in the rules are split into disjoint ones, so that each character belongs to one token.
 * There is no trivia. The first rule is the start unless `start` names another. Without that rule,
 * and for names that no rule has, the result has errors and no grammar.
 */
export function fromCharacterRules(
  name: string,
  rules: readonly CharacterRule[],
  start: string | undefined = rules[0]?.name,
): ParsedGrammar {
  if (start === undefined || !rules.some((rule) => rule.name === start)) {
    const message =
      start === undefined
        ? "Write a rule; the grammar has none."
        : `Write a rule called ${start}; it is what a whole text is.`;
    return { issues: [{ code: "no-rules", severity: "error", message }] };
  }
  const names = new Set(rules.map((rule) => rule.name));
  const unknown = new Set<string>();
  const issues: GrammarIssue[] = [];
  for (const { expression, line } of rules) {
    for (const symbol of symbolsOf(expression)) {
      if (names.has(symbol) || unknown.has(symbol)) continue;
      unknown.add(symbol);
      issues.push({ code: "unknown-name", severity: "error", message: `There is no rule called ${symbol}.`, line });
    }
  }
  if (issues.length > 0) return { issues };
  const atoms = new Atoms(rules.flatMap(({ expression }) => setsOf(expression)));
  const written = rules.map(
    ({ name, expression, line }): Rule => ({ name: safeName(name), expression: atoms.write(expression), line }),
  );
  const grammar: GrammarSource = {
    name,
    start: safeName(start),
    rules: written,
    lexical: {
      tokens: atoms.tokens(names),
      reserved: [],
      modes: [],
      virtuals: [],
      newline: { kind: "characters", set: [0x0a, 0x0a, 0x0d, 0x0d] },
    },
  };
  return { grammar, issues };
}

/**
 * `item` from `min` to `max` times, written out; `max` is `Infinity` for no limit, and must be
 * small otherwise. Zero times is an empty sequence.
 */
export function repeated(item: Expression, min: number, max: number): Expression {
  if (min === 0 && max === Number.POSITIVE_INFINITY) return { kind: "repeat", item };
  if (min === 1 && max === Number.POSITIVE_INFINITY) return { kind: "repeat1", item };
  const items: Expression[] = Array.from({ length: min }, () => item);
  if (max === Number.POSITIVE_INFINITY) items.push({ kind: "repeat", item });
  else {
    let rest: Expression | undefined;
    for (let i = min; i < max; i++) {
      rest = { kind: "optional", item: rest === undefined ? item : { kind: "sequence", items: [item, rest] } };
    }
    if (rest !== undefined) items.push(rest);
  }
  return items.length === 1 ? items[0]! : { kind: "sequence", items };
}

/** Disjoint sets of characters, whose unions are the sets of the grammar. */
class Atoms {
  readonly #sets: readonly CharacterSet[];
  readonly #names = new Map<string, string>();
  readonly #made = new Map<string, Expression>();

  constructor(sets: readonly CharacterSet[]) {
    // Characters between two neighbouring borders belong to the same sets. Ranges that belong to
    // the same sets are joined.
    const distinct = [...new Map(sets.map((set) => [set.join(), set])).values()];
    const borders = [...new Set(distinct.flatMap((set) => set.map((code, i) => (i % 2 === 0 ? code : code + 1))))];
    borders.sort((a, b) => a - b);
    const bySets = new Map<string, number[]>();
    for (let i = 0; i + 1 < borders.length; i++) {
      const range = characterSet([borders[i]!, borders[i + 1]! - 1]);
      const key = distinct.flatMap((set, j) => (sharedCharacters(set, range).length > 0 ? j : [])).join();
      if (key !== "") bySets.set(key, [...(bySets.get(key) ?? []), ...range]);
    }
    this.#sets = [...bySets.values()].map(characterSet);
  }

  tokens(taken: ReadonlySet<string>): TokenRule[] {
    return this.#sets.flatMap((set): TokenRule[] => {
      const name = this.#names.get(set.join());
      return name === undefined || taken.has(name)
        ? []
        : [{ name, kind: "token", pattern: { kind: "characters", set } }];
    });
  }

  write(expression: CharacterExpression): Expression {
    switch (expression.kind) {
      case "symbol":
        return { kind: "symbol", name: safeName(expression.name) };
      case "pattern":
        return this.#writePattern(expression.pattern);
      case "repeat":
        return repeated(this.write(expression.item), expression.min, expression.max);
      default:
        return { kind: expression.kind, items: expression.items.map((item) => this.write(item)) };
    }
  }

  #writePattern(pattern: Pattern): Expression {
    switch (pattern.kind) {
      case "characters":
        return this.#writeSet(pattern.set);
      case "text": {
        const items = Array.from(pattern.text, (character) => {
          const code = character.codePointAt(0)!;
          return this.#writeSet([code, code]);
        });
        return items.length === 1 ? items[0]! : { kind: "sequence", items };
      }
      case "repeat":
        return repeated(this.#writePattern(pattern.item), pattern.min, pattern.max);
      default:
        return { kind: pattern.kind, items: pattern.items.map((item) => this.#writePattern(item)) };
    }
  }

  #writeSet(set: CharacterSet): Expression {
    const key = set.join();
    return getOrInsert(this.#made, key, () => {
      const items = this.#sets
        .filter((atom) => sharedCharacters(atom, set).length > 0)
        .map((atom) => this.#writeAtom(atom));
      return items.length === 1 ? items[0]! : { kind: "choice", items };
    });
  }

  #writeAtom(set: CharacterSet): Expression {
    if (set.length === 2 && set[0] === set[1]) return { kind: "literal", text: String.fromCodePoint(set[0]!) };
    const key = set.join();
    const name = this.#names.get(key) ?? `Character${this.#names.size + 1}`;
    this.#names.set(key, name);
    return { kind: "symbol", name };
  }
}

function setsOf(expression: CharacterExpression): CharacterSet[] {
  if (expression.kind === "symbol") return [];
  if (expression.kind === "pattern") return setsOfPattern(expression.pattern);
  return "items" in expression ? expression.items.flatMap(setsOf) : setsOf(expression.item);
}

function setsOfPattern(pattern: Pattern): CharacterSet[] {
  switch (pattern.kind) {
    case "characters":
      return [pattern.set];
    case "text":
      return Array.from(pattern.text, (character) => [character.codePointAt(0)!, character.codePointAt(0)!]);
    case "repeat":
      return setsOfPattern(pattern.item);
    default:
      return pattern.items.flatMap(setsOfPattern);
  }
}

function symbolsOf(expression: CharacterExpression): string[] {
  if (expression.kind === "symbol") return [expression.name];
  if (expression.kind === "pattern") return [];
  return "items" in expression ? expression.items.flatMap(symbolsOf) : symbolsOf(expression.item);
}
