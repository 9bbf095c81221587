import { GrammarIndex } from "../hole/grammar-index.ts";
import { backslash, type Indentation, isLineBreak } from "../lexing/layouts.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import type { LexemeForest, TokenRests } from "./lexeme-forest.ts";
import type { TokenSet, TokenSets } from "./token-set.ts";

/**
 * The state of reading the start of a line: its width so far, and the lexer's state in an open
 * comment, else 0.
 */
export interface LineBeginning extends Indentation {
  readonly state: number;
}

/** All tokens at the start of a line, by what follows. */
export interface LineTokens {
  /** Tokens after which the line has no lexeme yet. */
  readonly blank: TokenSet;
  /** Tokens that must be tried one by one. */
  readonly undetermined: TokenSet;
  /** Rests of tokens from the first lexeme of the line on, by its indentation. */
  readonly begun: readonly { readonly indentation: Indentation; readonly rests: TokenRests }[];
}

/** The state after a line break. */
export const lineBreak: LineBeginning = { columns: 0, withNarrowTabs: 0, state: 0 };

/** The most cached results: texts have few indentations. */
const maxCachedLines = 1000;

/** Reads tokens at the start of a line, by the rules of `findLineStart`, and caches the results. */
export class LineForest {
  readonly #grammar: CompiledGrammar;
  readonly #forest: LexemeForest;
  readonly #sets: TokenSets;
  readonly #known = new Map<string, LineTokens>();

  constructor(grammar: CompiledGrammar, forest: LexemeForest, sets: TokenSets) {
    this.#grammar = grammar;
    this.#forest = forest;
    this.#sets = sets;
  }

  /**
   * The state after `bytes` at the start of a line; `undefined` where `bytes` alone do not
   * determine it.
   */
  beginning(bytes: Uint8Array): LineBeginning | undefined {
    let line: LineBeginning | undefined = lineBreak;
    for (const byte of bytes) {
      const next = this.#step(line, byte);
      if (typeof next === "string") return undefined;
      line = next;
    }
    return line.state === 0 || this.#isComment(line.state) ? line : undefined;
  }

  /** Reads rests of tokens from the state `line` on. */
  tokens(rests: TokenRests, line: LineBeginning): LineTokens {
    const key = `${rests.id},${line.columns},${line.withNarrowTabs},${line.state}`;
    let tokens = this.#known.get(key);
    if (tokens === undefined) {
      tokens = this.#read(rests, line);
      // No library: pages load this layer as it is.
      if (this.#known.size >= maxCachedLines) this.#known.clear();
      this.#known.set(key, tokens);
    }
    return tokens;
  }

  #read(rests: TokenRests, line: LineBeginning): LineTokens {
    const { trie } = this.#forest;
    const { end, byte, firstToken, ids, parent } = trie;
    const blank: number[] = [];
    const undetermined: number[] = [];
    const begun = new Map<string, { indentation: Indentation; from: number[]; to: number[]; isWhole: number[] }>();
    const add = (spans: number[], from: number, to: number) => spans.push(firstToken[from]!, firstToken[to]!);
    const begin = ({ columns, withNarrowTabs }: Indentation, from: number, to: number, isWhole: boolean) => {
      const key = `${columns},${withNarrowTabs}`;
      const known = begun.get(key) ?? { indentation: { columns, withNarrowTabs }, from: [], to: [], isWhole: [] };
      begun.set(key, known);
      known.from.push(from);
      known.to.push(to);
      known.isWhole.push(isWhole ? 1 : 0);
    };
    const endAt = (node: number, at: LineBeginning) =>
      add(at.state === 0 || this.#isComment(at.state) ? blank : undetermined, node, node + 1);
    const below = (node: number, at: LineBeginning) => {
      endAt(node, at);
      for (let child = node + 1; child < end[node]!; child = end[child]!) {
        const next = this.#step(at, byte[child]!);
        if (next === "begun") begin(at, node, child, false);
        else if (next === "undetermined") add(undetermined, child, end[child]!);
        else below(child, next);
      }
    };
    for (let i = 0; i < rests.to.length; i++) {
      const to = rests.to[i]!;
      const isWhole = rests.isWhole[i] === 1;
      const path: number[] = [];
      for (let node = to; node !== rests.from[i]; node = parent[node]!) path.push(node);
      let at: LineBeginning | undefined = line;
      let last = rests.from[i]!;
      for (const node of path.reverse()) {
        const next = this.#step(at, byte[node]!);
        if (typeof next === "string") {
          if (next === "begun") begin(at, last, to, isWhole);
          else add(undetermined, to, isWhole ? to + 1 : end[to]!);
          at = undefined;
          break;
        }
        at = next;
        last = node;
      }
      if (at === undefined) continue;
      if (isWhole) endAt(to, at);
      else below(to, at);
    }
    return {
      blank: this.#sets.ofSpans(ids, blank),
      undetermined: this.#sets.ofSpans(ids, undetermined),
      begun: [...begun.values()].map(({ indentation, ...list }) => ({
        indentation,
        rests: this.#forest.restsOf(list),
      })),
    };
  }

  /** The state after one more byte, or `begun` where that byte begins the first lexeme. */
  #step(line: LineBeginning, byte: number): LineBeginning | "begun" | "undetermined" {
    const { next, classOf, classCount, modes } = this.#grammar.lex;
    const each = classOf[byte]!;
    if (line.state !== 0) {
      const state = next[line.state * classCount + each]!;
      if (state !== 0) return { ...line, state };
      if (!this.#isComment(line.state)) return "undetermined";
    }
    const { columns, withNarrowTabs } = line;
    if (byte === 0x20) return { columns: columns + 1, withNarrowTabs: withNarrowTabs + 1, state: 0 };
    if (byte === 0x09) {
      return { columns: (Math.floor(columns / 8) + 1) * 8, withNarrowTabs: withNarrowTabs + 1, state: 0 };
    }
    if (byte === 0x0c || isLineBreak(byte)) return lineBreak;
    // It may be a line continuation.
    if (byte === backslash && columns === 0) return "undetermined";
    const state = next[modes[0]!.start * classCount + each]!;
    if (state === 0) return "begun";
    if (this.#isComment(state)) return { columns, withNarrowTabs, state };
    return this.#canBeComment(state) ? "undetermined" : "begun";
  }

  #isComment(state: number): boolean {
    const { match, matches, brokenLine } = this.#grammar.lex;
    return matches[match[state]!]!.isTrivia && brokenLine[state] === 0;
  }

  #canBeComment(state: number): boolean {
    return GrammarIndex.of(this.#grammar)
      .reach.matches(state)
      .some((reached) => this.#isComment(reached.state));
  }
}
