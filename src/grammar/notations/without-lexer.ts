import { choiceOf } from "../lexing/parse-pattern.ts";
import type { Pattern } from "../lexing/pattern.ts";
import { withoutEmpty } from "../lexing/pattern-language.ts";
import { simplifyExpression, symbolsIn } from "../tables/expressions.ts";
import type { Expression, GrammarSource, Rule } from "../tables/grammar-source.ts";
import { followersOf, terminalKey } from "./followers.ts";

/** A grammar whose terminals are texts and patterns, for notations without a lexer. */
export interface LexerlessGrammar {
  readonly start: string;
  readonly rules: readonly Rule[];
  /** The patterns of the symbols that are not rules. */
  readonly patterns: ReadonlyMap<string, Pattern>;
}

/**
 * Makes the trivia between terminals explicit, and drops what needs a lexer.
 *
 * The language becomes the same or larger: a terminal may be shorter than its longest match, every
 * condition holds, and every insertion is allowed.
 */
export function withoutLexer({ rules, start, lexical }: GrammarSource): LexerlessGrammar {
  const taken = new Set([...rules.map(({ name }) => name), ...lexical.tokens.map(({ name }) => name)]);
  const fresh = (wanted: string): string => {
    let name = wanted;
    for (let i = 2; taken.has(name); i++) name = `${wanted}${i}`;
    taken.add(name);
    return name;
  };
  const trivia = lexical.tokens.filter(({ kind }) => kind === "trivia");
  const blanks = trivia.map(({ pattern }) => (isMany(pattern) ? pattern.item : pattern));
  if (lexical.layout !== undefined) blanks.push(lexical.newline);
  const blank = blanks.length === 0 ? undefined : fresh("Blank");
  const isTrivia = new Set(trivia.map(({ name }) => name));
  const textless = new Set(lexical.virtuals.map(({ name }) => name));
  if (lexical.layout !== undefined) {
    for (const name of [lexical.layout.newline, lexical.layout.indent, lexical.layout.dedent]) textless.add(name);
  }
  // Tokens of modes without trivia are followed by trivia only where another mode has the token,
  // too, or where a token may come next that no mode without trivia has.
  const spaced = new Set<string>();
  const tight = new Set<string>();
  for (const { members } of lexical.modes) {
    const hasTrivia = members.some((member) => typeof member === "string" && isTrivia.has(member));
    for (const member of members) (hasTrivia ? spaced : tight).add(terminalKey(member));
  }
  if (tight.size > 0) {
    for (const [terminal, next] of followersOf(rules, textless)) {
      if ([...next].some((key) => !tight.has(key))) spaced.add(terminal);
    }
  }
  const isSpaced = (member: string | { readonly literal: string }) =>
    lexical.modes.length === 0 || lexical.layout !== undefined || spaced.has(terminalKey(member));
  const ruleNames = new Set(rules.map(({ name }) => name));
  const followed = (item: Expression, member: string | { readonly literal: string }): Expression =>
    blank === undefined || !isSpaced(member)
      ? item
      : { kind: "sequence", items: [item, { kind: "symbol", name: blank }] };
  const write = (expression: Expression): Expression => {
    switch (expression.kind) {
      case "symbol":
        if (textless.has(expression.name)) return { kind: "sequence", items: [] };
        return ruleNames.has(expression.name) ? expression : followed(expression, expression.name);
      case "literal":
        return followed(expression, { literal: expression.text });
      case "sequence":
      case "choice":
        return { kind: expression.kind, items: expression.items.map(write) };
      case "list":
        return { kind: "list", item: write(expression.item), separator: write(expression.separator) };
      default:
        return { kind: expression.kind, item: write(expression.item) };
    }
  };
  const written = rules.map(
    ({ name, expression }): Rule => ({ name, expression: simplifyExpression(write(expression)) }),
  );
  const used = new Set(written.flatMap(({ expression }) => [...symbolsIn(expression)]));
  const patterns = new Map<string, Pattern>();
  for (const { name, pattern } of lexical.tokens) {
    const some = used.has(name) && !ruleNames.has(name) ? withoutEmpty(pattern) : undefined;
    if (some !== undefined) patterns.set(name, some);
  }
  if (blank === undefined) return { start, rules: written, patterns };
  patterns.set(blank, { kind: "repeat", item: choiceOf(blanks), min: 0, max: Number.POSITIVE_INFINITY });
  const whole = fresh("Text");
  const items: Expression[] = [
    { kind: "symbol", name: blank },
    { kind: "symbol", name: start },
  ];
  return { start: whole, rules: [{ name: whole, expression: { kind: "sequence", items } }, ...written], patterns };
}

/** Whether a repetition of the pattern equals a repetition of its item. */
function isMany(pattern: Pattern): pattern is Pattern & { readonly kind: "repeat" } {
  return pattern.kind === "repeat" && pattern.min <= 1 && pattern.max === Number.POSITIVE_INFINITY;
}
