import type { CharacterSet } from "../lexing/pattern.ts";
import { grouped } from "../tables/expressions.ts";
import type { GrammarSource } from "../tables/grammar-source.ts";
import { approximationsOf, type WrittenGrammar } from "./approximations.ts";
import { printExpression, printPatternAsRule } from "./print-expression.ts";
import { Renaming } from "./rename-rules.ts";
import { withoutLexer } from "./without-lexer.ts";

/**
 * Writes a grammar in the W3C's EBNF, as specifications print it.
 *
 * White space and comments become explicit. Where EBNF can't express something, the text accepts
 * more, and an issue reports that.
 */
export function writeEbnf(source: GrammarSource): WrittenGrammar {
  const { start, rules, patterns } = withoutLexer(source);
  const names = new Renaming((name) => name.replaceAll(/[^A-Za-z0-9_]+/g, "_").replace(/^(?![A-Za-z_])/, "_"));
  const ordered = [...rules].sort((a, b) => Number(b.name === start) - Number(a.name === start));
  const words = { name: (name: string) => names.of(name), text: printText, set: printSet, repeat: printRepeat };
  const lines = ordered.map(({ name, expression }) => `${names.of(name)} ::= ${printExpression(expression, words)}`);
  for (const [name, pattern] of patterns) lines.push(`${names.of(name)} ::= ${printPatternAsRule(pattern, words)}`);
  const issues = approximationsOf(source, false);
  const comments = issues.map(({ message }) => `/* ${message.replaceAll("*/", "* /")} */`);
  return { text: `${[...comments, ...lines].join("\n")}\n`, issues };
}

/** Counts are written out: required items one by one, optional items as nested groups. */
function printRepeat(
  item: string,
  { min, max }: { readonly min: number; readonly max: number },
  isPart: boolean,
): string {
  const items = Array.from({ length: min }, () => item);
  if (max === Number.POSITIVE_INFINITY) {
    if (min === 0) return `${item}*`;
    items[min - 1] = `${item}+`;
  } else if (max > min) {
    const left = max - min;
    items.push(`${`(${item} `.repeat(left - 1)}${item}?${")?".repeat(left - 1)}`);
  }
  return items.length === 0 ? '""' : items.length === 1 ? items[0]! : grouped(items.join(" "), isPart);
}

/**
 * Text in quotes; characters that can't be quoted are written between the quoted parts, by their
 * code points.
 */
function printText(text: string, isPart: boolean): string {
  if (text === "") return '""';
  const pieces = text.match(/[^"\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+|"+|./gsu)!.map((piece) => {
    if (/^"/.test(piece)) return `'${piece}'`;
    return /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(piece) ? printCode(piece.codePointAt(0)!) : `"${piece}"`;
  });
  return grouped(pieces.join(" "), isPart && pieces.length > 1);
}

function printSet(set: CharacterSet): string {
  let printed = "";
  const add = (code: number) => {
    const text = String.fromCodePoint(code);
    // A hexadecimal digit after a code point would be read as a part of it.
    const isPlain = /[A-Za-z0-9]/.test(text) && !(/#x[0-9A-F]+$/.test(printed) && /[0-9A-Fa-f]/.test(text));
    printed += isPlain ? text : printCode(code);
  };
  for (let i = 0; i < set.length; i += 2) {
    add(set[i]!);
    if (set[i + 1] === set[i]) continue;
    printed += "-";
    add(set[i + 1]!);
  }
  return `[${printed}]`;
}

function printCode(code: number): string {
  return `#x${code.toString(16).toUpperCase()}`;
}
