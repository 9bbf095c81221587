import { choiceOf } from "../lexing/parse-pattern.ts";
import type { Pattern } from "../lexing/pattern.ts";
import { patternsOverlap } from "../lexing/pattern-language.ts";
import { literalsIn, symbolsIn } from "../tables/expressions.ts";
import type { Expression, GrammarSource, ModeRule, Rule, TokenRule } from "../tables/grammar-source.ts";
import { keyOf } from "./resolve-modes.ts";

type Member = ModeRule["members"][number];

/**
 * Infers the modes of a grammar for a context-aware lexer, such as tree-sitter's. Empty where no
 * tokens clash.
 *
 * A token clashes when it matches a text that the `word` token or trivia also match: the text
 * between quotes, for one. The main mode has no clashing tokens, and no tokens that occur only
 * beside them. Each rule where a clashing token may come next gets a mode of all its terminals,
 * without trivia.
 */
export function inferModes({ rules, lexical }: GrammarSource): ModeRule[] {
  const common = lexical.tokens.filter(({ name, kind }) => kind === "trivia" || name === lexical.word);
  if (common.length === 0) return [];
  const commonPattern = choiceOf(common.map(({ pattern }) => pattern));
  const clashing = new Set(
    lexical.tokens
      .filter(
        ({ name, kind, pattern }) =>
          kind === "token" && name !== lexical.word && patternsOverlap(pattern, commonPattern),
      )
      .map(({ name }) => name),
  );
  if (clashing.size === 0) return [];
  const tokens = new Set(lexical.tokens.map(({ name }) => name));
  const byName = new Map(rules.map((rule) => [rule.name, rule.expression]));

  const firstOf = (expression: Expression, path: readonly string[], into: Map<string, Member>): boolean => {
    switch (expression.kind) {
      case "literal":
        into.set(JSON.stringify(expression.text), { literal: expression.text });
        return false;
      case "symbol": {
        const rule = byName.get(expression.name);
        if (rule !== undefined)
          return path.includes(expression.name) || firstOf(rule, [...path, expression.name], into);
        // A condition has no text: the first terminal comes after it.
        if (!tokens.has(expression.name)) return true;
        into.set(expression.name, expression.name);
        return false;
      }
      case "sequence":
        return expression.items.every((item) => firstOf(item, path, into));
      case "choice":
        return expression.items.map((item) => firstOf(item, path, into)).some(Boolean);
      case "optional":
      case "repeat":
        firstOf(expression.item, path, into);
        return true;
      case "repeat1":
      case "list":
        return firstOf(expression.item, path, into);
    }
  };

  /** Collects the terminals of a rule, and the first terminals of its parts. */
  const placesIn = (expression: Expression, into: Map<string, Member>): void => {
    if (expression.kind === "literal" || expression.kind === "symbol") firstOf(expression, [], into);
    else if ("items" in expression) for (const item of expression.items) placesIn(item, into);
    else placesIn(expression.item, into);
    if (expression.kind === "list") placesIn(expression.separator, into);
  };

  const inner: { readonly rule: string; readonly mode: ModeRule }[] = [];
  for (const rule of rules) {
    const places = new Map<string, Member>();
    placesIn(rule.expression, places);
    if ([...places.keys()].some((key) => clashing.has(key))) {
      inner.push({ rule: rule.name, mode: { name: `in_${rule.name}`, members: [...places.values()] } });
    }
  }
  const innerRules = new Set(inner.map(({ rule }) => rule));
  const outer = rules.filter(({ name }) => !innerRules.has(name));
  // The first terminals of a rule with its own mode are recognised outside of it.
  const openings = new Map<string, Member>();
  for (const { expression } of outer)
    for (const name of symbolsIn(expression)) {
      const rule = innerRules.has(name) ? byName.get(name) : undefined;
      if (rule !== undefined) firstOf(rule, [], openings);
    }
  const mentioned = new Set(outer.flatMap(({ expression }) => [...symbolsIn(expression)]));
  const main = new Map<string, Member>();
  for (const { name, kind } of lexical.tokens) {
    const isOutside = kind !== "token" || name === lexical.word || mentioned.has(name) || openings.has(name);
    if (isOutside && !clashing.has(name)) main.set(name, name);
  }
  for (const { expression } of outer) {
    for (const text of literalsIn(expression)) main.set(JSON.stringify(text), { literal: text });
  }
  for (const [key, member] of openings) if (typeof member !== "string") main.set(key, member);
  return [{ name: "main", members: [...main.values()] }, ...widest(inner.map(({ mode }) => mode))];
}

/** The modes that are not contained in another one, each once. */
function widest(modes: readonly ModeRule[]): ModeRule[] {
  const keys = modes.map(({ members }) => new Set(members.map(keyOf)));
  const isWithin = (i: number, j: number) => [...keys[i]!].every((key) => keys[j]!.has(key));
  return modes.filter((_, i) => !modes.some((_, j) => i !== j && isWithin(i, j) && (j < i || !isWithin(j, i))));
}

/**
 * Modes in which no two tokens match the same text, so that the parser chooses between them.
 *
 * Trivia belong to all modes. None are needed where no tokens clash. Keywords and the `word` token,
 * which matches them, share a mode, where both readings are kept.
 */
export function modesApart(rules: readonly Rule[], tokens: readonly TokenRule[], word?: string): ModeRule[] {
  const trivia = tokens.filter(({ kind }) => kind !== "token");
  const lexemes = [
    ...[...new Set(rules.flatMap(({ expression }) => [...literalsIn(expression)]))].map((text) => ({
      member: { literal: text } as Member,
      pattern: { kind: "text", text } as Pattern,
    })),
    ...tokens.filter(({ kind }) => kind === "token").map(({ name, pattern }) => ({ member: name as Member, pattern })),
  ];
  const isKeyword = (a: (typeof lexemes)[number], b: (typeof lexemes)[number]) =>
    (a.member === word && typeof b.member !== "string") || (b.member === word && typeof a.member !== "string");
  const groups: (typeof lexemes)[] = [];
  const free: typeof lexemes = [];
  const clashes = new Map(
    lexemes.map((lexeme) => [
      lexeme,
      lexemes.filter(
        (other) => other !== lexeme && !isKeyword(lexeme, other) && patternsOverlap(lexeme.pattern, other.pattern),
      ),
    ]),
  );
  for (const lexeme of lexemes) {
    const others = clashes.get(lexeme)!;
    if (others.length === 0) {
      free.push(lexeme);
      continue;
    }
    const group = groups.find((each) => !each.some((other) => others.includes(other)));
    if (group === undefined) groups.push([lexeme]);
    else group.push(lexeme);
  }
  return groups.map((group, i) => ({
    name: i === 0 ? "main" : `main${i + 1}`,
    members: [...[...free, ...group].map(({ member }) => member), ...trivia.map(({ name }) => name)],
  }));
}
