import type { CharacterSet, Pattern } from "../lexing/pattern.ts";
import { isNothing } from "../tables/expressions.ts";
import type { Expression, GrammarSource } from "../tables/grammar-source.ts";
import { approximationsOf, type WrittenGrammar } from "./approximations.ts";
import { Renaming } from "./rename-rules.ts";
import { withoutLeftRecursion } from "./without-left-recursion.ts";
import { withoutLexer } from "./without-lexer.ts";

/**
 * Writes a grammar in GBNF, which llama.cpp and XGrammar take.
 *
 * White space and comments become explicit, and left recursion, which llama.cpp does not support,
 * is removed. Where GBNF can't express something, the text accepts more, and an issue says so.
 */
export function writeGbnf(source: GrammarSource): WrittenGrammar {
  const { start, rules, patterns } = withoutLeftRecursion(withoutLexer(source));
  const names = new Renaming(
    (name) => name.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-+|(?<!-)-+$/g, "") || "rule",
    ["root"],
  );
  const lines = [`root ::= ${names.of(start)}`];
  for (const { name, expression } of rules) lines.push(`${names.of(name)} ::= ${print(expression, names)}`);
  for (const [name, pattern] of patterns) lines.push(`${names.of(name)} ::= ${printPattern(pattern)}`);
  const issues = approximationsOf(source, false);
  const comments = issues.map(({ message }) => `# ${message}`);
  return { text: `${[...comments, ...lines].join("\n")}\n`, issues };
}

function print(expression: Expression, names: Renaming, isPart = false): string {
  switch (expression.kind) {
    case "symbol":
      return names.of(expression.name);
    case "literal":
      return quoted(expression.text);
    case "sequence":
      if (isNothing(expression)) return '""';
      return grouped(expression.items.map((item) => print(item, names, true)).join(" "), isPart);
    case "choice":
      return grouped(expression.items.map((item) => print(item, names, item.kind === "choice")).join(" | "), isPart);
    case "list": {
      const item = print(expression.item, names, true);
      return grouped(`${item} (${print(expression.separator, names, true)} ${item})*`, isPart);
    }
    default:
      return print(expression.item, names, true) + { optional: "?", repeat: "*", repeat1: "+" }[expression.kind];
  }
}

function printPattern(pattern: Pattern, isPart = false): string {
  switch (pattern.kind) {
    case "characters":
      return printSet(pattern.set);
    case "text":
      return quoted(pattern.text);
    case "sequence":
      if (pattern.items.length === 0) return '""';
      return grouped(pattern.items.map((item) => printPattern(item, true)).join(" "), isPart);
    case "choice":
      return grouped(pattern.items.map((item) => printPattern(item, item.kind === "choice")).join(" | "), isPart);
    case "repeat": {
      const { min, max } = pattern;
      const item =
        pattern.item.kind === "repeat" ? `(${printPattern(pattern.item)})` : printPattern(pattern.item, true);
      if (max === Number.POSITIVE_INFINITY) return item + (min === 0 ? "*" : min === 1 ? "+" : `{${min},}`);
      return item + (min === 0 && max === 1 ? "?" : min === max ? `{${min}}` : `{${min},${max}}`);
    }
  }
}

function grouped(text: string, isPart: boolean): string {
  return isPart ? `(${text})` : text;
}

function quoted(text: string): string {
  return `"${Array.from(text, (character) => printCharacter(character.codePointAt(0)!, false)).join("")}"`;
}

function printSet(set: CharacterSet): string {
  let printed = "";
  for (let i = 0; i < set.length; i += 2) {
    const [first, last] = [set[i]!, set[i + 1]!];
    printed += printCharacter(first, true) + (last === first ? "" : `-${printCharacter(last, true)}`);
  }
  return `[${printed}]`;
}

function printCharacter(code: number, inSet: boolean): string {
  if (code === 0x0a) return "\\n";
  if (code === 0x0d) return "\\r";
  if (code === 0x09) return "\\t";
  const text = String.fromCodePoint(code);
  if (code > 0xffff) return `\\U${code.toString(16).toUpperCase().padStart(8, "0")}`;
  if (code > 0x7e) return `\\u${code.toString(16).toUpperCase().padStart(4, "0")}`;
  if (code < 0x20 || (inSet && "^-[]".includes(text))) return `\\x${code.toString(16).toUpperCase().padStart(2, "0")}`;
  return text === "\\" || (text === '"' && !inSet) ? `\\${text}` : text;
}
