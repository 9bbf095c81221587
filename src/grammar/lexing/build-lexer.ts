import { getOrInsert } from "../../text/index.ts";
import { type GrammarIssue, placeOf } from "../tables/grammar-issue.ts";
import type { LexicalSource, ModeRule, SourcePlace, TokenRule } from "../tables/grammar-source.ts";
import { ByteAutomaton } from "./byte-automaton.ts";
import { determinise, minimise, type NodeStates } from "./byte-states.ts";
import { charactersOf } from "./character-set.ts";
import type { LexMatch, LexMode, LexTables } from "./lex-tables.ts";
import type { CharacterSet } from "./pattern.ts";

/** The result of building a lexer. */
export interface BuiltLexer {
  /** Missing where the automaton would have too many states; an issue reports it. */
  readonly lex?: LexTables;
  readonly issues: readonly GrammarIssue[];
}

/**
 * What the lexer recognises: a literal, a token, or a reserved word that is no literal of the mode
 * and so is read as no terminal.
 */
type Sought =
  | { readonly kind: "literal"; readonly text: string; readonly readings: readonly Uint16Array[] }
  | { readonly kind: "reserved"; readonly text: string }
  | { readonly kind: "pattern"; readonly rule: TokenRule; readonly readings: readonly Uint16Array[] };

/**
 * Builds the lexer of `lexical`. Does not throw: where the automaton would have too many states,
 * the result has an issue and no lexer.
 *
 * `terminals` are the names of `ParseTables.terminals`: tokens by their name, literals as JSON
 * prints them. A token that is not among them is recognised, but read as no terminal.
 */
export function buildLexer(lexical: LexicalSource, terminals: readonly string[]): BuiltLexer {
  return new LexerBuilder(lexical, terminals).build();
}

class LexerBuilder {
  readonly #lexical: LexicalSource;
  readonly #terminals: readonly string[];
  readonly #terminalOf: ReadonlyMap<string, number>;
  readonly #modes: readonly ModeRule[];
  readonly #reserved: ReadonlySet<string>;
  readonly #newline: CharacterSet;
  readonly #issues: GrammarIssue[] = [];

  readonly #automaton = new ByteAutomaton();
  /** Literals precede reserved words, which precede tokens. */
  readonly #sought: Sought[] = [];
  /** The index in `#sought` of the pattern that ends at each node. */
  readonly #endAt = new Map<number, number>();
  /** The tokens that some lexeme is read as. */
  readonly #winners = new Set<string>();
  /** The reserved words that the `word` token matches. */
  readonly #reservedWords = new Set<string>();

  constructor(lexical: LexicalSource, terminals: readonly string[]) {
    this.#lexical = lexical;
    this.#terminals = terminals;
    this.#terminalOf = new Map(terminals.map((name, terminal) => [name, terminal]));
    this.#reserved = new Set(lexical.reserved);
    this.#modes = lexical.modes.length > 0 ? lexical.modes : [modeOfAll(lexical, terminals)];
    this.#newline = charactersOf(lexical.newline) ?? [];
    if (this.#newline.length === 0) {
      this.#report(
        "error",
        "newline-not-characters",
        "`newline` takes single characters, such as `/[\\n\\r]/`",
        lexical.places?.newline,
      );
    }
  }

  build(): BuiltLexer {
    const modeStarts = this.#seek();
    const states = this.#automaton.isTooLarge
      ? undefined
      : determinise(this.#automaton, modeStarts, (node) => this.#endAt.has(node));
    if (states === undefined) {
      this.#report("error", "too-many-states", "The tokens need too many states; lower the counts in their patterns");
      return { issues: this.#issues };
    }
    const matches = new MatchTable();
    const labels = Int32Array.from(states.nodesOf, (nodes) => {
      const ends = this.#endsAmong(nodes);
      const match = ends.length === 0 ? 0 : matches.indexOf(this.#matchOf(ends));
      return 2 * match + (nodes.some((node) => this.#automaton.behindNewline.has(node)) ? 1 : 0);
    });
    const { classOf, classCount, stateCount, next, ...least } = minimise(states, labels, (label) => label > 1);
    const match = Uint16Array.from(least.labels, (label) => label >> 1);
    const brokenLine = Uint8Array.from(least.labels, (label) => label & 1);
    const bare = { classOf, classCount, stateCount, next, match, matches: matches.all, brokenLine };
    const modes = this.#modes.map(({ name }, i): LexMode => {
      const start = least.starts[i]!;
      return { name, start, terminals: terminalsFrom(bare, start, this.#terminals.length) };
    });
    this.#reportEmptyLexemes(states);
    this.#reportNeverFound(modes);
    const shortest = shortestLexemes(bare, least.starts, this.#terminals.length);
    return { lex: { ...bare, modes, shortest }, issues: this.#issues };
  }

  /** Adds all patterns to the automaton; returns the start nodes of each mode. */
  #seek(): readonly (readonly number[])[] {
    const { tokens, word } = this.#lexical;
    const ruleOf = new Map(tokens.map((rule) => [rule.name, rule]));
    const members = this.#modes.map((mode) => {
      const names = new Set<string>();
      const literals = new Set<string>();
      for (const member of mode.members) {
        if (typeof member !== "string") literals.add(member.literal);
        else if (ruleOf.has(member)) names.add(member);
        else this.#report("error", "unknown-name", `The mode ${mode.name} holds ${member}, which is no token`, mode);
      }
      const hasWord = word !== undefined && names.has(word);
      const reserved = new Set(hasWord ? this.#lexical.reserved.filter((text) => !literals.has(text)) : []);
      return { names, literals, reserved };
    });
    const literals = this.#addAll(
      members.flatMap((of) => [...of.literals]),
      (text) => ({ kind: "literal", text, readings: this.#reading([{ literal: text }]) }),
    );
    const reserved = this.#addAll(
      members.flatMap((of) => [...of.reserved]),
      (text) => ({ kind: "reserved", text }),
    );
    const patterns = this.#addAll(
      tokens.map((rule) => rule.name).filter((name) => members.some((of) => of.names.has(name))),
      (name) => this.#soughtToken(ruleOf.get(name)!),
    );
    return members.map((of) => [
      ...Array.from(of.literals, (text) => literals.get(text)!),
      ...Array.from(of.reserved, (text) => reserved.get(text)!),
      ...Array.from(of.names, (name) => patterns.get(name)!),
    ]);
  }

  #soughtToken(rule: TokenRule): Sought {
    const readings = rule.kind === "token" ? this.#reading(rule.splitsInto ?? [rule.name]) : [];
    return { kind: "pattern", rule, readings };
  }

  /** The reading as these terminals; none where a name is not a terminal. */
  #reading(names: readonly (string | { readonly literal: string })[]): readonly Uint16Array[] {
    const reading = names.map((name) =>
      this.#terminalOf.get(typeof name === "string" ? name : JSON.stringify(name.literal)),
    );
    return reading.includes(undefined) ? [] : [Uint16Array.from(reading as number[])];
  }

  /** Adds the distinct patterns of `names` to the automaton; returns the start node of each. */
  #addAll(names: readonly string[], soughtOf: (name: string) => Sought): ReadonlyMap<string, number> {
    return new Map(Array.from(new Set(names), (name) => [name, this.#add(soughtOf(name))]));
  }

  #add(sought: Sought): number {
    const automaton = this.#automaton;
    const index = this.#sought.push(sought) - 1;
    const start = automaton.node();
    const end = automaton.node();
    this.#endAt.set(end, index);
    if (sought.kind !== "pattern") automaton.addPattern({ kind: "text", text: sought.text }, start, end);
    else if (sought.rule.kind !== "trivia") automaton.addPattern(sought.rule.pattern, start, end);
    else {
      this.#endAt.set(automaton.node(), index);
      automaton.addPatternInLayers(sought.rule.pattern, this.#newline, start, end);
    }
    return start;
  }

  /** The patterns that end at these nodes, in the order of `#sought`. */
  #endsAmong(nodes: Int32Array): readonly Sought[] {
    const ends = new Set<number>();
    for (const node of nodes) {
      const end = this.#endAt.get(node);
      if (end !== undefined) ends.add(end);
    }
    return [...ends].sort((a, b) => a - b).map((end) => this.#sought[end]!);
  }

  /** The match of a lexeme that all of `ends`, at least one, match. */
  #matchOf(ends: readonly Sought[]): LexMatch {
    const { word } = this.#lexical;
    const literal = ends.find((end) => end.kind === "literal");
    const reserved = ends.find((end) => end.kind === "reserved");
    const token = ends.find((end) => end.kind === "pattern");
    const isWord = token !== undefined && token.rule.name === word;
    if (literal !== undefined) {
      const isReserved = this.#reserved.has(literal.text);
      if (isReserved && isWord) this.#reservedWords.add(literal.text);
      const asWord = isWord && !isReserved ? token.readings : [];
      return { isTrivia: false, readings: [...literal.readings, ...asWord] };
    }
    if (reserved !== undefined && isWord) {
      this.#reservedWords.add(reserved.text);
      return { isTrivia: false, readings: [] };
    }
    if (token === undefined) return { isTrivia: false, readings: [] };
    this.#winners.add(token.rule.name);
    return { isTrivia: token.rule.kind === "trivia", readings: token.readings };
  }

  #reportEmptyLexemes(states: NodeStates): void {
    const empty = new Set(states.starts.flatMap((start) => this.#endsAmong(states.nodesOf[start]!)));
    for (const sought of empty) {
      const name = sought.kind === "pattern" ? sought.rule.name : JSON.stringify(sought.text);
      const message = `${name} matches the empty text; a lexeme has one character at least`;
      this.#report("error", "empty-lexeme", message, sought.kind === "pattern" ? sought.rule : undefined);
    }
  }

  #reportNeverFound(modes: readonly LexMode[]): void {
    const { tokens, word, reserved, places } = this.#lexical;
    const isMember = (name: string | undefined, literal?: string) =>
      this.#modes.some((mode) =>
        mode.members.some((member) => (typeof member === "string" ? member === name : member.literal === literal)),
      );
    for (const rule of tokens) {
      if (isMember(rule.name)) {
        if (this.#winners.has(rule.name)) continue;
        const message = `${rule.name} matches nothing that a literal or a token above it does not match too`;
        this.#report("error", "never-matched", `${message}; put it above, or in a mode without them`, rule);
      } else if (
        this.#terminalOf.has(rule.name) &&
        !modes.some((mode) => mode.terminals[this.#terminalOf.get(rule.name)!])
      ) {
        this.#report("error", "in-no-mode", `No mode looks for ${rule.name}, which rules ask for; add it to one`, rule);
      }
    }
    for (const name of this.#terminals) {
      const text = literalOf(name);
      if (text !== undefined && !isMember(undefined, text)) {
        this.#report("error", "in-no-mode", `No mode looks for ${name}, which rules ask for; add it to one`);
      }
    }
    for (const text of reserved) {
      if (this.#reservedWords.has(text)) continue;
      const why = word === undefined ? "no token is the `word`" : `${word} does not match it`;
      this.#report("warning", "reserved-no-word", `${JSON.stringify(text)} is reserved, but ${why}`, places?.reserved);
    }
  }

  #report(severity: GrammarIssue["severity"], code: string, message: string, at?: SourcePlace): void {
    this.#issues.push({ code, severity, message, ...placeOf(at) });
  }
}

/** The distinct matches, numbered; 0 is the empty one. */
class MatchTable {
  readonly all: LexMatch[] = [{ isTrivia: false, readings: [] }];
  readonly #indexes = new Map<string, number>();

  indexOf(match: LexMatch): number {
    const key = `${match.isTrivia} ${match.readings.join(" ")}`;
    return getOrInsert(this.#indexes, key, () => this.all.push(match) - 1);
  }
}

/** The mode of a grammar without modes: all tokens, and all literals of the rules. */
function modeOfAll(lexical: LexicalSource, terminals: readonly string[]): ModeRule {
  const literals = terminals.map(literalOf).filter((text) => text !== undefined);
  return {
    name: "main",
    members: [...literals.map((literal) => ({ literal })), ...lexical.tokens.map((rule) => rule.name)],
  };
}

/**
 * The text of a literal by its terminal's name; `undefined` for other terminals, whose names have
 * no quotes.
 */
function literalOf(name: string): string | undefined {
  return name.startsWith('"') ? (JSON.parse(name) as string) : undefined;
}

/**
 * For each terminal, 1 where a lexeme from `start` may be read as it, or as a sequence that begins
 * with it.
 */
function terminalsFrom(
  lex: Pick<LexTables, "next" | "classCount" | "stateCount" | "match" | "matches">,
  start: number,
  terminalCount: number,
): Uint8Array {
  const terminals = new Uint8Array(terminalCount);
  const seen = new Uint8Array(lex.stateCount);
  seen[0] = 1;
  const work = [start];
  for (let state = work.pop(); state !== undefined; state = work.pop()) {
    for (let c = 0; c < lex.classCount; c++) {
      const next = lex.next[state * lex.classCount + c]!;
      if (seen[next] === 1) continue;
      seen[next] = 1;
      work.push(next);
      for (const reading of lex.matches[lex.match[next]!]!.readings) terminals[reading[0]!] = 1;
    }
  }
  return terminals;
}

/**
 * A shortest lexeme of each terminal, in bytes of UTF-8; empty for terminals that no whole lexeme
 * is read as.
 *
 * Among lexemes of one length, the first by this order of bytes: lowercase letters, uppercase
 * letters, digits, other printable ASCII, the rest.
 */
function shortestLexemes(
  lex: Pick<LexTables, "classOf" | "classCount" | "stateCount" | "next" | "match" | "matches">,
  starts: readonly number[],
  terminalCount: number,
): readonly Uint8Array[] {
  const shortest = new Array<Uint8Array>(terminalCount).fill(new Uint8Array(0));
  let missing = terminalCount;
  // Breadth-first: the first text that reaches a state is the first of its shortest texts.
  const seen = new Uint8Array(lex.stateCount);
  seen[0] = 1;
  let texts: (readonly [state: number, text: readonly number[]])[] = starts.map((start) => [start, []]);
  while (texts.length > 0 && missing > 0) {
    const longer: typeof texts = [];
    for (const [state, text] of texts) {
      for (const byte of preferredBytes) {
        const next = lex.next[state * lex.classCount + lex.classOf[byte]!]!;
        if (seen[next] === 1) continue;
        seen[next] = 1;
        const read = [...text, byte];
        longer.push([next, read]);
        for (const reading of lex.matches[lex.match[next]!]!.readings) {
          const terminal = reading[0]!;
          if (reading.length > 1 || shortest[terminal]!.length > 0) continue;
          shortest[terminal] = Uint8Array.from(read);
          missing--;
        }
      }
    }
    texts = longer;
  }
  return shortest;
}

/** All bytes, in the order of preference. */
const preferredBytes: readonly number[] = (() => {
  const rank = (byte: number): number => {
    if (byte >= 0x61 && byte <= 0x7a) return 0;
    if (byte >= 0x41 && byte <= 0x5a) return 1;
    if (byte >= 0x30 && byte <= 0x39) return 2;
    return byte > 0x20 && byte < 0x7f ? 3 : 4;
  };
  return Array.from({ length: 256 }, (_, byte) => byte).sort((a, b) => rank(a) - rank(b) || a - b);
})();
