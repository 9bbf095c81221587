import { componentsOf } from "./components.ts";
import { literalsIn, symbolsIn } from "./expressions.ts";
import { type GrammarIssue, placeOf } from "./grammar-issue.ts";
import type { Expression, GrammarSource, NextTerminal, Rule, SourcePlace, VirtualRule } from "./grammar-source.ts";
import { layoutBrackets, layoutTerminals, type PlainGrammar, toPlainGrammar } from "./plain-grammar.ts";

/**
 * Finds the faults of a grammar: undeclared or misused names, rules that derive no text or can't be
 * reached, and conditions that test nothing or never hold. Does not throw. `plain` is `source` in
 * productions; it is computed unless given.
 *
 * Without errors, `compileGrammar` finds a meaning for every name. `buildLexer` reports what
 * depends on the lexer.
 */
export function checkGrammar(
  source: GrammarSource,
  plain: PlainGrammar = toPlainGrammar(source),
): readonly GrammarIssue[] {
  const check = new Check(source);
  check.names();
  check.lexicalNames();
  check.conditions();
  check.reach();
  check.ends();
  check.brackets(plain);
  check.rows(plain);
  return check.issues;
}

class Check {
  readonly issues: GrammarIssue[] = [];
  readonly #source: GrammarSource;
  readonly #rules: ReadonlyMap<string, Rule>;
  /** The kind of each name that has no rule: a token's kind, `split`, `condition` or `layout`. */
  readonly #kinds = new Map<string, string>();
  readonly #literals: ReadonlySet<string>;
  /** Names in reachable rules, and literals in quotes. */
  readonly #used = new Set<string>();

  constructor(source: GrammarSource) {
    const { rules, lexical } = source;
    this.#source = source;
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]));
    this.#literals = new Set([
      ...rules.flatMap((rule) => [...literalsIn(rule.expression)]),
      ...lexical.tokens.flatMap(({ splitsInto = [] }) =>
        splitsInto.flatMap((part) => (typeof part === "string" ? [] : [part.literal])),
      ),
    ]);
    for (const { name, kind, splitsInto } of lexical.tokens) {
      this.#kinds.set(name, kind === "token" ? (splitsInto === undefined ? "token" : "split") : kind);
    }
    for (const { name } of lexical.virtuals) this.#kinds.set(name, "condition");
    for (const name of layoutTerminals(lexical)) this.#kinds.set(name, "layout");
  }

  /** Each name is declared once, and rules use only names that can occur in a rule. */
  names(): void {
    const { rules, lexical, start } = this.#source;
    const seen = new Set<string>();
    const terminals = layoutTerminals(lexical).map((name) => ({ ...lexical.layout, name }));
    for (const named of [...lexical.tokens, ...lexical.virtuals, ...terminals, ...rules]) {
      const { name } = named;
      if (name === "end")
        this.#error("name-of-end", "Rename end: the name is reserved for the end of the text.", named);
      else if (seen.has(name)) {
        const message = `Rename one of the two declarations of ${name}.`;
        this.#error("declared-twice", message, named);
      }
      seen.add(name);
    }
    if (!this.#rules.has(start)) this.#error("no-start", `Add the rule ${start}: it is the start rule.`);
    for (const rule of rules) {
      for (const name of new Set(symbolsIn(rule.expression))) this.#checkSymbol(name, rule);
    }
  }

  #checkSymbol(name: string, rule: Rule): void {
    if (this.#rules.has(name)) return;
    const kind = this.#kinds.get(name);
    if (name === "end") {
      this.#error(
        "end-in-rule",
        `Remove end from ${rule.name}: the end of the text is only allowed in conditions.`,
        rule,
      );
    } else if (kind === undefined) {
      const message = `Declare ${name}, or correct the name: ${rule.name} uses it, but no rule or token has this name.`;
      this.#error("unknown-name", message, rule);
    } else if (kind === "trivia" || kind === "never" || kind === "split") {
      const what = { trivia: "declared by `trivia`", never: "declared by `never`", split: "declared by `split`" }[kind];
      this.#error("not-a-terminal", `Declare ${name} by \`token\`: ${rule.name} uses it, but it is ${what}.`, rule);
    }
  }

  /** Names in the lexical part are names of lexemes. */
  lexicalNames(): void {
    const { tokens, word, modes, layout } = this.#source.lexical;
    if (word !== undefined && this.#kinds.get(word) !== "token") {
      this.#error(
        "unknown-name",
        `Declare the token ${word}, which \`word\` names.`,
        this.#source.lexical.places?.word,
      );
    }
    for (const rule of tokens) {
      for (const part of rule.splitsInto ?? []) this.#checkTerminal(part, `the split token ${rule.name}`, rule);
    }
    for (const mode of modes) {
      for (const member of mode.members) {
        if (typeof member !== "string") {
          if (this.#literals.has(member.literal)) continue;
          const message = `Remove ${JSON.stringify(member.literal)} from the mode ${mode.name}: no rule uses it.`;
          this.#warn("unused-literal", message, mode);
        } else if (!["token", "split", "trivia", "never"].includes(this.#kinds.get(member) ?? "")) {
          this.#error("unknown-name", `Declare the token ${member}, which the mode ${mode.name} contains.`, mode);
        }
      }
    }
    const opens = new Set<string>();
    const closes = new Set<string>();
    for (const { open, close } of layout?.brackets ?? []) {
      for (const terminal of open) opens.add(this.#checkTerminal(terminal, "`suspend`", layout));
      for (const terminal of close) closes.add(this.#checkTerminal(terminal, "`suspend`", layout));
    }
    for (const name of opens) {
      if (!closes.has(name)) continue;
      this.#error("bracket-both-ways", `Make ${name} either an opening or a closing bracket.`, layout);
    }
  }

  /** Each condition tests something, and the terminals that it names exist. */
  conditions(): void {
    for (const rule of this.#source.lexical.virtuals) {
      const { newline, glued, nextIn, nextNotIn } = rule.when;
      const where = `the condition ${rule.name}`;
      for (const terminal of [...(nextIn ?? []), ...(nextNotIn ?? [])]) {
        if (terminal !== "end") this.#checkTerminal(terminal, where, rule);
      }
      if (rule.kind === "insert" ? newline !== "with" && nextIn === undefined : isEmpty(rule)) {
        const what = rule.kind === "insert" ? "`newline` or `next …`" : "`newline`, `no newline`, `glued` or `next …`";
        this.#error("no-condition", `Give ${rule.name} a condition: ${what}.`, rule);
      }
      if (rule.kind === "require" && newline === "with" && glued === true) {
        const message = `Remove \`newline\` or \`glued\` from ${rule.name}: no terminal is glued after a line break.`;
        this.#error("never-true", message, rule);
      }
    }
  }

  /** Reports `terminal` where it is not a terminal with text; returns its name. */
  #checkTerminal(terminal: NextTerminal, where: string, at?: SourcePlace): string {
    if (typeof terminal !== "string") {
      const name = JSON.stringify(terminal.literal);
      if (!this.#literals.has(terminal.literal)) {
        this.#warn("unused-literal", `Remove ${name} from ${where}: no rule uses it.`, at);
      }
      return name;
    }
    const kind = this.#kinds.get(terminal);
    if (kind === "condition" || kind === "layout") {
      this.#error(
        "not-a-lexeme",
        `Remove ${terminal} from ${where}: it has no text, so the lexer cannot match it.`,
        at,
      );
    } else if (kind !== "token") {
      this.#error("unknown-name", `Declare the token ${terminal}, which ${where} names.`, at);
    }
    return terminal;
  }

  /** Every rule is reachable, and rules use every token and condition. */
  reach(): void {
    const { rules, lexical, start } = this.#source;
    const reached = new Set([start]);
    for (const name of reached) {
      const rule = this.#rules.get(name);
      if (rule === undefined) continue;
      for (const symbol of symbolsIn(rule.expression)) {
        this.#used.add(symbol);
        reached.add(symbol);
      }
      for (const literal of literalsIn(rule.expression)) this.#used.add(JSON.stringify(literal));
    }
    for (const rule of rules) {
      if (reached.has(rule.name)) continue;
      const message = `Use ${rule.name} in a rule, or remove it: it is not reachable from ${start}.`;
      this.#warn("unreachable-rule", message, rule);
    }
    const inSplits = new Set(lexical.tokens.flatMap(({ splitsInto = [] }) => splitsInto));
    for (const rule of lexical.tokens) {
      const { name, kind, splitsInto } = rule;
      if (kind !== "token" || splitsInto !== undefined || this.#used.has(name) || inSplits.has(name)) continue;
      const message = `Use ${name} in a rule, or declare it by \`never\` if no rule is to accept it.`;
      this.#warn("unused-token", message, rule);
    }
    const terminals = layoutTerminals(lexical).map((name) => ({ ...lexical.layout, name }));
    for (const rule of [...lexical.virtuals, ...terminals]) {
      if (!this.#used.has(rule.name)) this.#warn("unused-terminal", `Use ${rule.name} in a rule, or remove it.`, rule);
    }
  }

  /** Every rule derives some text. */
  ends(): void {
    const ending = new Set<string>();
    const blocker = (expression: Expression): string | undefined => {
      switch (expression.kind) {
        case "symbol":
          return this.#rules.has(expression.name) && !ending.has(expression.name) ? expression.name : undefined;
        case "sequence":
          return expression.items.map(blocker).find((name) => name !== undefined);
        case "choice": {
          const blockers = expression.items.map(blocker);
          return blockers.includes(undefined) ? undefined : blockers[0];
        }
        case "repeat1":
        case "list":
          return blocker(expression.item);
        default:
          return undefined;
      }
    };
    for (let before = -1; before !== ending.size; ) {
      before = ending.size;
      for (const { name, expression } of this.#rules.values()) if (blocker(expression) === undefined) ending.add(name);
    }
    for (const rule of this.#rules.values()) {
      const name = blocker(rule.expression);
      if (name === undefined) continue;
      const why = name === rule.name ? `contains ${name}` : `contains ${name}, which derives no text`;
      const message = `Add an alternative to ${rule.name} that ends: each of its alternatives ${why}.`;
      if (rule.name === this.#source.start) this.#error("never-ends", message, rule);
      else this.#warn("never-ends", message, rule);
    }
  }

  /**
   * A closing bracket of the layout, or the end of a block, ends its production, and that
   * production also holds the opening one: the parser leaves a bracket as soon as it is read.
   */
  brackets(plain: PlainGrammar): void {
    const { terminals, nonterminals, productions } = plain;
    const { opens, closes } = layoutBrackets(this.#source.lexical);
    if (closes.size === 0) return;
    const openAfter = openBrackets(plain, opens, closes);
    const reported = new Set<string>();
    for (const { left, right } of productions) {
      const end = right.findIndex((symbol) => closes.has(terminals[symbol] ?? ""));
      const name = nonterminals[left]!;
      if (end < 0 || reported.has(name)) continue;
      const closing = terminals[right[end]!]!;
      const rule = this.#rules.get(name);
      if (end < right.length - 1) {
        const message = `End ${name} with ${closing}, and move what follows it to a rule that uses ${name}.`;
        this.#error("bracket-inside", message, rule);
      } else if (openAfter(right) < 0) {
        const message = `Move ${closing} from ${name} to the rule that contains the opening bracket.`;
        this.#error("bracket-unopened", message, rule);
      } else continue;
      reported.add(name);
    }
  }

  /** Only a limited number of conditions can come between two terminals of a text. */
  rows(plain: PlainGrammar): void {
    const conditions = this.#source.lexical.virtuals.filter(({ kind }) => kind === "require").map(({ name }) => name);
    if (conditions.length === 0) return;
    const repeated = repeatedCondition(plain, new Set(conditions));
    if (repeated === undefined) return;
    const { nonterminal, condition } = repeated;
    const rule = this.#rules.get(nonterminal) ?? this.#ruleHolding(plain, nonterminal);
    const message = `Add text between the conditions in ${rule?.name ?? nonterminal}: ${condition} can repeat there without limit.`;
    this.#error("repeated-condition", message, rule);
  }

  /** A rule that uses `part`, a nonterminal that is made for a part of an expression. */
  #ruleHolding({ terminals, nonterminals, productions }: PlainGrammar, part: string): Rule | undefined {
    const holding = new Set([nonterminals.indexOf(part)]);
    for (const nonterminal of holding) {
      const rule = this.#rules.get(nonterminals[nonterminal]!);
      if (rule !== undefined) return rule;
      for (const { left, right } of productions) if (right.includes(terminals.length + nonterminal)) holding.add(left);
    }
    return undefined;
  }

  #error(code: string, message: string, at?: SourcePlace): void {
    this.issues.push({ code, severity: "error", message, ...placeOf(at) });
  }

  #warn(code: string, message: string, at?: SourcePlace): void {
    this.issues.push({ code, severity: "warning", message, ...placeOf(at) });
  }
}

function isEmpty({ when }: VirtualRule): boolean {
  return Object.values(when).every((part) => part === undefined || part === false);
}

/**
 * How many brackets a sequence of symbols leaves open; negative where it closes more than it opens.
 */
function openBrackets(
  { terminals, productions }: PlainGrammar,
  opens: ReadonlySet<string>,
  closes: ReadonlySet<string>,
): (symbols: readonly number[]) => number {
  const bySymbol = new Map(terminals.map((name, t) => [t, opens.has(name) ? 1 : closes.has(name) ? -1 : 0]));
  const openAfter = (symbols: readonly number[]): number =>
    symbols.reduce((open, symbol) => open + (bySymbol.get(symbol) ?? Number.NaN), 0);
  // The brackets of a nonterminal are those of its first production whose brackets are known.
  for (let before = -1; before !== bySymbol.size; ) {
    before = bySymbol.size;
    for (const { left, right } of productions) {
      const open = openAfter(right);
      if (!Number.isNaN(open) && !bySymbol.has(terminals.length + left)) bySymbol.set(terminals.length + left, open);
    }
  }
  return openAfter;
}

/** A place where a condition can repeat without limit. */
interface RepeatedCondition {
  /** The nonterminal in which it repeats, by name. */
  readonly nonterminal: string;
  /** The condition, by name. */
  readonly condition: string;
}

/**
 * A condition that can repeat without text between, so that the same text has endlessly many
 * derivations; `undefined` where there is none. `conditions` are the names of the terminals that
 * state one.
 *
 * Such a repetition needs a nonterminal that derives itself with nothing but conditions, and at
 * least one, on one side.
 */
function repeatedCondition(plain: PlainGrammar, conditions: ReadonlySet<string>): RepeatedCondition | undefined {
  const { terminals, nonterminals, productions } = plain;
  const first = terminals.length;
  const conditionOf = symbolsOfConditionsAlone(plain, conditions);
  for (const side of ["left", "right"] as const) {
    const edges: Set<number>[] = nonterminals.map(() => new Set());
    const growing: { readonly from: number; readonly to: number; readonly condition: number }[] = [];
    for (const { left, right } of productions) {
      const symbols = side === "left" ? right : right.toReversed();
      let condition: number | undefined;
      for (const symbol of symbols) {
        if (symbol >= first) {
          edges[left]!.add(symbol - first);
          if (condition !== undefined) growing.push({ from: left, to: symbol - first, condition });
        }
        if (!conditionOf.has(symbol)) break;
        condition ??= conditionOf.get(symbol);
      }
    }
    const component = componentsOf(edges.map((targets) => [...targets]));
    const found = growing.find(({ from, to }) => component[from] === component[to]);
    if (found !== undefined) return { nonterminal: nonterminals[found.from]!, condition: terminals[found.condition]! };
  }
  return undefined;
}

/** The symbols that can derive conditions alone, each with one of these conditions. */
function symbolsOfConditionsAlone(
  { terminals, productions }: PlainGrammar,
  conditions: ReadonlySet<string>,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const [t, name] of terminals.entries()) if (conditions.has(name)) found.set(t, t);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { left, right } of productions) {
      const nonterminal = terminals.length + left;
      if (!found.has(nonterminal) && right.every((symbol) => found.has(symbol))) {
        found.set(nonterminal, found.get(right[0]!)!);
      }
    }
  }
  return found;
}
