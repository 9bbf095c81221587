import { getOrInsert } from "../../text/index.ts";
import { choiceOf } from "../lexing/parse-pattern.ts";
import type { Pattern } from "../lexing/pattern.ts";
import { withoutEmpty } from "../lexing/pattern-language.ts";
import { compileGrammar } from "../tables/compile-grammar.ts";
import { simplifyExpression, symbolsIn } from "../tables/expressions.ts";
import type { Expression, GrammarSource, Rule } from "../tables/grammar-source.ts";
import { modesAfterTerminals } from "../tables/modes-after-terminals.ts";
import { withoutTextless } from "./without-textless.ts";

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
 * The language becomes the same or larger: a terminal may be shorter than its longest match, trivia
 * are allowed everywhere behind a terminal that has them behind it in some place, every condition
 * holds, and every insertion is allowed.
 */
export function withoutLexer(source: GrammarSource): LexerlessGrammar {
  const { rules, start, lexical } = withoutTextless(source);
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
  const isTight = tightTerminals(source);
  const ruleNames = new Set(rules.map(({ name }) => name));
  const followed = (item: Expression, terminal: string): Expression =>
    blank === undefined || isTight.has(terminal)
      ? item
      : { kind: "sequence", items: [item, { kind: "symbol", name: blank }] };
  const write = (expression: Expression): Expression => {
    switch (expression.kind) {
      case "symbol":
        return ruleNames.has(expression.name) ? expression : followed(expression, expression.name);
      case "literal":
        return followed(expression, JSON.stringify(expression.text));
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

const tightOf: WeakMap<GrammarSource, ReadonlySet<string>> = new WeakMap();

/**
 * The names of the terminals behind which no trivia is read: all modes in which the text behind
 * them is read have none. Empty with a layout, where lines may end in any mode. Computed once for
 * each grammar.
 */
function tightTerminals(source: GrammarSource): ReadonlySet<string> {
  return getOrInsert(tightOf, source, () => {
    const { tokens, modes, layout } = source.lexical;
    const trivia = new Set(tokens.flatMap(({ name, kind }) => (kind === "trivia" ? name : [])));
    const hasTrivia = modes.map(({ members }) => members.some((each) => typeof each === "string" && trivia.has(each)));
    if (layout !== undefined || hasTrivia.every(Boolean)) return new Set();
    // Which modes read a text follows from the states of the parser.
    const { compiled } = compileGrammar(source);
    if (compiled === undefined) return new Set();
    const after = modesAfterTerminals(compiled);
    return new Set(compiled.tables.terminals.filter((_, t) => !after[t]!.some((mode) => hasTrivia[mode])));
  });
}

/** Whether a repetition of the pattern equals a repetition of its item. */
function isMany(pattern: Pattern): pattern is Pattern & { readonly kind: "repeat" } {
  return pattern.kind === "repeat" && pattern.min <= 1 && pattern.max === Number.POSITIVE_INFINITY;
}
