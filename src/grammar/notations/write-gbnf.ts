import { printCount } from "../lexing/parse-pattern.ts";
import type { CharacterSet } from "../lexing/pattern.ts";
import type { Expression, GrammarSource, Rule } from "../tables/grammar-source.ts";
import { toPlainGrammar } from "../tables/plain-grammar.ts";
import { approximationsOf, type WrittenGrammar } from "./approximations.ts";
import { type PatternWords, printExpression, printPatternAsRule } from "./print-expression.ts";
import { Renaming } from "./rename-rules.ts";
import { type LexerlessGrammar, withoutLexer } from "./without-lexer.ts";

/**
 * Writes a grammar in GBNF, which llama.cpp and XGrammar take.
 *
 * White space and comments become explicit, and left recursion, which llama.cpp does not support,
 * is removed. Where GBNF can't express something, the text accepts more, and an issue reports that.
 */
export function writeGbnf(source: GrammarSource): WrittenGrammar {
  const { start, rules, patterns } = withoutLeftRecursion(withoutLexer(source));
  const names = new Renaming(
    (name) => name.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-+|(?<!-)-+$/g, "") || "rule",
    ["root"],
  );
  const words = {
    name: (name: string) => names.of(name),
    ...{ text: quoted, set: printSet },
    repeat: ((item, count) => item + printCount(count)) satisfies PatternWords["repeat"],
  };
  const lines = [`root ::= ${names.of(start)}`];
  for (const { name, expression } of rules) lines.push(`${names.of(name)} ::= ${printExpression(expression, words)}`);
  for (const [name, pattern] of patterns) lines.push(`${names.of(name)} ::= ${printPatternAsRule(pattern, words)}`);
  const issues = approximationsOf(source, false);
  const comments = issues.map(({ message }) => `# ${message}`);
  return { text: `${[...comments, ...lines].join("\n")}\n`, issues };
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

/**
 * An equivalent grammar without left recursion, for recursive-descent parsers.
 *
 * Rules that begin with each other are solved like equations: `A = A x | y` becomes `A = y R` with
 * `R = x R | ()`. A grammar without left recursion is returned as it is.
 */
function withoutLeftRecursion(grammar: LexerlessGrammar): LexerlessGrammar {
  if (!hasLeftRecursion(grammar)) return grammar;
  const { rules: all, nullable } = toProductions(grammar);
  const rules = withTexts(all);
  const groups = leftGroups(rules);
  const written: Rule[] = [];
  for (const [name, alternatives] of rules) {
    const group = groups.get(name);
    if (group === undefined) written.push({ name, expression: choice(alternatives.map(sequence)) });
  }
  for (const group of new Set(groups.values())) written.push(...solve(group, rules));
  const { start, patterns } = grammar;
  if (!nullable) return { start, rules: written, patterns };
  const whole = `${start} or nothing`;
  const expression: Expression = rules.has(start)
    ? { kind: "optional", item: { kind: "symbol", name: start } }
    : { kind: "sequence", items: [] };
  return { start: whole, rules: [{ name: whole, expression }, ...written], patterns };
}

/** The alternatives of each rule, as non-empty sequences of terminals and names. */
type Productions = ReadonlyMap<string, readonly (readonly Expression[])[]>;

/**
 * The rules and alternatives that some text fits; that of `A = A x` fits none. A rule without
 * alternatives has no notation in GBNF: an empty body is joined with the next rule.
 */
function withTexts(all: Productions): Productions {
  const found = new Set<string>();
  const fits = (items: readonly Expression[]) =>
    items.every((item) => item.kind !== "symbol" || !all.has(item.name) || found.has(item.name));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [name, alternatives] of all) if (alternatives.some(fits)) found.add(name);
  }
  return new Map([...all].flatMap(([name, those]) => (found.has(name) ? [[name, those.filter(fits)]] : [])));
}

function toProductions({ start, rules, patterns }: LexerlessGrammar): { rules: Productions; nullable: boolean } {
  const source: GrammarSource = {
    name: "",
    start,
    rules,
    lexical: {
      tokens: [...patterns].map(([name, pattern]) => ({ name, kind: "token", pattern })),
      reserved: [],
      modes: [],
      virtuals: [],
      newline: { kind: "text", text: "\n" },
    },
  };
  const plain = toPlainGrammar(source);
  const nameOf = (n: number) => (n === plain.start ? start : `${plain.nonterminals[n]}`);
  const names = new Map<number, string>();
  const used = new Set([start, ...patterns.keys()]);
  for (const n of plain.nonterminals.keys()) {
    let name = nameOf(n);
    while (n !== plain.start && used.has(name)) name += "'";
    used.add(name);
    names.set(n, name);
  }
  const productions = new Map<string, Expression[][]>([...names.values()].map((name) => [name, []]));
  for (const { left, right } of plain.productions) {
    const items = Array.from(right, (symbol): Expression => {
      if (symbol >= plain.terminals.length)
        return { kind: "symbol", name: names.get(symbol - plain.terminals.length)! };
      const terminal = plain.terminals[symbol]!;
      return terminal.startsWith('"')
        ? { kind: "literal", text: JSON.parse(terminal) as string }
        : { kind: "symbol", name: terminal };
    });
    productions.get(names.get(left)!)!.push(items);
  }
  if (!productions.has(start)) productions.set(start, []);
  return { rules: productions, nullable: plain.acceptsEmpty };
}

/** For each left-recursive rule, the group of rules with which it is mutually left-recursive. */
function leftGroups(rules: Productions): Map<string, readonly string[]> {
  const begins = new Map<string, Set<string>>();
  for (const [name, alternatives] of rules) {
    begins.set(
      name,
      new Set(alternatives.flatMap(([first]) => (first?.kind === "symbol" && rules.has(first.name) ? first.name : []))),
    );
  }
  // All rules that a rule may begin with; the sets grow during the loop.
  const all = new Map([...begins].map(([name, first]) => [name, new Set(first)]));
  for (const reached of all.values())
    for (const name of reached) for (const next of begins.get(name)!) reached.add(next);
  const groups = new Map<string, readonly string[]>();
  for (const [name, reached] of all) {
    if (!reached.has(name) || groups.has(name)) continue;
    const group = [...reached].filter((other) => all.get(other)!.has(name));
    for (const member of group) groups.set(member, group);
  }
  return groups;
}

/**
 * Each rule of a group becomes an alternative that begins outside of the group, followed by a rest:
 * `rest(from, to)` is the text after a `from` at the start of a `to`.
 */
function solve(group: readonly string[], rules: Productions): Rule[] {
  const rest = (from: string, to: string) => `${from} to ${to}`;
  const isMember = (item: Expression | undefined): item is Expression & { kind: "symbol" } =>
    item?.kind === "symbol" && group.includes(item.name);
  const written: Rule[] = [];
  for (const to of group) {
    const beginnings: Expression[] = [];
    for (const from of group) {
      for (const items of rules.get(from)!) {
        if (!isMember(items[0])) beginnings.push(sequence([...items, { kind: "symbol", name: rest(from, to) }]));
      }
      const continuations: Expression[] = [];
      for (const next of group) {
        for (const [first, ...others] of rules.get(next)!) {
          if (!isMember(first) || first.name !== from) continue;
          continuations.push(sequence([...others, { kind: "symbol", name: rest(next, to) }]));
        }
      }
      const item = choice(continuations);
      written.push({ name: rest(from, to), expression: from === to ? { kind: "optional", item } : item });
    }
    written.push({ name: to, expression: choice(beginnings) });
  }
  return written;
}

function sequence(items: readonly Expression[]): Expression {
  return items.length === 1 ? items[0]! : { kind: "sequence", items };
}

function choice(items: readonly Expression[]): Expression {
  return items.length === 1 ? items[0]! : { kind: "choice", items };
}

function hasLeftRecursion({ rules, patterns }: LexerlessGrammar): boolean {
  const byName = new Map(rules.map(({ name, expression }) => [name, expression]));
  const nullable = new Set<string>();
  const isNullable = (expression: Expression): boolean => {
    switch (expression.kind) {
      case "symbol": {
        const pattern = patterns.get(expression.name);
        return nullable.has(expression.name) || (pattern?.kind === "repeat" && pattern.min === 0);
      }
      case "literal":
        return expression.text === "";
      case "sequence":
        return expression.items.every(isNullable);
      case "choice":
        return expression.items.some(isNullable);
      case "optional":
      case "repeat":
        return true;
      default:
        return isNullable(expression.item);
    }
  };
  for (let before = -1; before !== nullable.size; ) {
    before = nullable.size;
    for (const [name, expression] of byName) if (isNullable(expression)) nullable.add(name);
  }
  const firsts = (expression: Expression, into: Set<string>): void => {
    if (expression.kind === "symbol") into.add(expression.name);
    else if (expression.kind === "sequence") {
      for (const item of expression.items) {
        firsts(item, into);
        if (!isNullable(item)) return;
      }
    } else if ("items" in expression) for (const item of expression.items) firsts(item, into);
    else if ("item" in expression) {
      firsts(expression.item, into);
      if (expression.kind === "list" && isNullable(expression.item)) firsts(expression.separator, into);
    }
  };
  return rules.some(({ name }) => {
    const reached = new Set<string>();
    firsts(byName.get(name)!, reached);
    for (const next of reached) {
      const expression = byName.get(next);
      if (expression !== undefined) firsts(expression, reached);
    }
    return reached.has(name);
  });
}
