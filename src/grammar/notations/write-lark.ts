import { printPattern } from "../lexing/parse-pattern.ts";
import type { CharacterSet, Pattern } from "../lexing/pattern.ts";
import { withoutEmpty } from "../lexing/pattern-language.ts";
import { isNothing, simplifyExpression } from "../tables/expressions.ts";
import type { GrammarSource } from "../tables/grammar-source.ts";
import { approximationsOf, type WrittenGrammar } from "./approximations.ts";
import { printExpression } from "./print-expression.ts";
import { Renaming } from "./rename-rules.ts";
import { withSplitTerminals } from "./split-terminals.ts";
import { withoutTextless } from "./without-textless.ts";

/**
 * Writes a grammar in Lark's notation, which llguidance (vLLM, SGLang) takes.
 *
 * Tokens stay tokens, with trivia ignored between them. Where Lark can't express something, the
 * text accepts more, and an issue reports that; for a grammar with several modes it may also refuse
 * texts of the language.
 */
export function writeLark(grammar: GrammarSource): WrittenGrammar {
  const source = withSplitTerminals(withoutTextless(grammar));
  const { rules, lexical } = source;
  const ruleNames = new Renaming((name) => snake(name, "rule").toLowerCase(), ["start"]);
  const tokenNames = new Renaming((name) => snake(name, "TOKEN").toUpperCase());
  const isRule = new Set(rules.map(({ name }) => name));
  const nameOf = (name: string) => (isRule.has(name) ? ruleNames.of(name) : tokenNames.of(name));
  const issues = approximationsOf(source, true);
  const lines = issues.map(({ message }) => `// ${message}`);
  lines.push(`start: ${ruleNames.of(source.start)}`);
  for (const { name, expression } of rules) {
    const simple = simplifyExpression(expression);
    lines.push(
      `${ruleNames.of(name)}: ${isNothing(simple) ? "" : printExpression(simple, { name: nameOf, text: quoted })}`.trimEnd(),
    );
  }
  lines.push("");
  for (const { name, pattern, kind } of lexical.tokens) {
    const some = kind === "token" ? withoutEmpty(pattern) : undefined;
    if (some !== undefined) lines.push(`${tokenNames.of(name)}: /${inLark(some)}/`);
  }
  const trivia = lexical.tokens.filter(({ kind }) => kind === "trivia");
  if (lexical.modes.length > 1 && trivia.length > 1) {
    // As separate terminals, the white space of one mode would hide that of another.
    lines.push(`%ignore /${trivia.map(({ pattern }) => inLark(pattern)).join("|")}/`);
  } else {
    for (const { name, pattern } of trivia) {
      lines.push(`${tokenNames.of(name)}: /${inLark(pattern)}/`, `%ignore ${tokenNames.of(name)}`);
    }
  }
  if (lexical.layout !== undefined) lines.push(`%ignore /(${inLark(lexical.newline)})+/`);
  return { text: `${lines.join("\n").trimEnd()}\n`, issues };
}

/** A name of letters, digits and `_` that begins with a letter. */
function snake(name: string, otherwise: string): string {
  const plain = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^[_0-9]+|(?<!_)_+$/g, "");
  return plain === "" ? otherwise : plain;
}

function quoted(text: string): string {
  const characters = Array.from(text, (character) => {
    const code = character.codePointAt(0)!;
    return character === '"' || character === "\\" ? `\\${character}` : printable(code) ? character : printCode(code);
  });
  return `"${characters.join("")}"`;
}

function inLark(pattern: Pattern): string {
  return printPattern(pattern, { character: printCharacter, set: printSet });
}

function printCharacter(code: number): string {
  const character = String.fromCodePoint(code);
  if ("\\/^$.*+?()[]{}|".includes(character)) return `\\${character}`;
  return printable(code) ? character : printCode(code);
}

function printSet(set: CharacterSet): string {
  let printed = "";
  for (let i = 0; i < set.length; i += 2) {
    const [first, last] = [set[i]!, set[i + 1]!];
    printed += printMember(first) + (last === first ? "" : `-${printMember(last)}`);
  }
  return `[${printed}]`;
}

/**
 * Punctuation is written by code point, since regular expressions differ in what is special in a
 * class.
 */
function printMember(code: number): string {
  const text = String.fromCodePoint(code);
  return /[A-Za-z0-9_]/.test(text) ? text : printCode(code);
}

function printCode(code: number): string {
  const digits = code.toString(16).toUpperCase();
  if (code > 0xffff) return `\\U${digits.padStart(8, "0")}`;
  return code > 0xff ? `\\u${digits.padStart(4, "0")}` : `\\x${digits.padStart(2, "0")}`;
}

function printable(code: number): boolean {
  return code >= 0x20 && code < 0x7f;
}
