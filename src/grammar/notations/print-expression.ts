import type { CharacterSet, Pattern } from "../lexing/pattern.ts";
import { grouped, isNothing } from "../tables/expressions.ts";
import type { Expression } from "../tables/grammar-source.ts";

/** How a notation writes the parts of a rule. `isPart`: whether it is an operand of an operator. */
export interface RuleWords {
  readonly name: (name: string) => string;
  readonly text: (text: string, isPart: boolean) => string;
}

/** How a notation without a lexer writes the parts of a pattern. */
export interface PatternWords extends Pick<RuleWords, "text"> {
  readonly set: (set: CharacterSet) => string;
  /** `item` is printed already. */
  readonly repeat: (item: string, pattern: Pattern & { readonly kind: "repeat" }, isPart: boolean) => string;
}

/** An expression in the operators that EBNF, GBNF and Lark share. */
export function printExpression(expression: Expression, words: RuleWords, isPart = false): string {
  const part = (item: Expression): string => printExpression(item, words, true);
  switch (expression.kind) {
    case "symbol":
      return words.name(expression.name);
    case "literal":
      return words.text(expression.text, isPart);
    case "sequence":
      return isNothing(expression) ? '""' : grouped(expression.items.map(part).join(" "), isPart);
    case "choice": {
      const items = expression.items.map((item) => printExpression(item, words, item.kind === "choice"));
      return grouped(items.join(" | "), isPart);
    }
    case "list": {
      const item = part(expression.item);
      return grouped(`${item} (${part(expression.separator)} ${item})*`, isPart);
    }
    default:
      return part(expression.item) + { optional: "?", repeat: "*", repeat1: "+" }[expression.kind];
  }
}

/** A pattern in the operators that rules have in EBNF and GBNF. */
export function printPatternAsRule(pattern: Pattern, words: PatternWords, isPart = false): string {
  const print = (item: Pattern, isPart: boolean): string => printPatternAsRule(item, words, isPart);
  switch (pattern.kind) {
    case "characters":
      return words.set(pattern.set);
    case "text":
      return words.text(pattern.text, isPart);
    case "sequence":
      if (pattern.items.length === 0) return '""';
      return grouped(pattern.items.map((item) => print(item, true)).join(" "), isPart);
    case "choice":
      return grouped(pattern.items.map((item) => print(item, item.kind === "choice")).join(" | "), isPart);
    case "repeat": {
      const { item } = pattern;
      return words.repeat(grouped(print(item, true), item.kind === "repeat"), pattern, isPart);
    }
  }
}
