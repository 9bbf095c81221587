import { addToGroup } from "../../text/index.ts";
import { GrammarIndex } from "../hole/grammar-index.ts";
import type { OpenLexeme } from "../hole/suffix-lexer.ts";
import { isLineBreak } from "../lexing/layouts.ts";
import type { Endings, LexemeEndings } from "../lexing/lex-reach.ts";
import { extensibleStates, type LexTables } from "../lexing/lex-tables.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import type { TokenSet, TokenSets } from "./token-set.ts";
import type { TokenTrie } from "./token-vocabulary.ts";

/** Tokens after which the same lexeme is open. */
export interface OpenTokens {
  readonly open: OpenLexeme;
  readonly tokens: TokenSet;
}

/** Tokens after which the open lexemes have the same endings. */
export interface OpenGroup {
  readonly endings: Endings;
  /** All of these tokens. */
  readonly tokens: TokenSet;
  readonly each: readonly OpenTokens[];
}

/** Tokens that complete a lexeme, and their remaining bytes. */
export interface LexemeEdge {
  /** The match, as an index into the lexer's matches. */
  readonly match: number;
  readonly isTrivia: boolean;
  /** For trivia: whether it contains a line break, and whether it begins with one. */
  readonly hasLineBreak: boolean;
  readonly beganWithLineBreak: boolean;
  /** The modes, as bits, that find another lexeme in the same bytes. */
  readonly rivals: number;
  /** Tokens that end with the lexeme, where it can't be extended. */
  readonly ending: TokenSet;
  /**
   * The remaining bytes of other tokens. Those that complete the lexeme before their first byte are
   * separate, since many lexemes share them.
   */
  readonly rests: readonly TokenRests[];
}

/**
 * All tokens from one lexer state on, by the lexemes that they complete. A token can occur several
 * times: where its last lexeme is open, it may also have ended earlier.
 */
export interface LexemeTree {
  readonly id: number;
  readonly open: readonly OpenGroup[];
  readonly edges: readonly LexemeEdge[];
  /** Tokens before which the open lexeme may have ended, at its longest match so far. */
  readonly endedBefore: TokenSet;
}

/**
 * Tokens of which a prefix has been read, as parts of a trie: from the node `from[i]` on, all
 * tokens through the node `to[i]`, or the one that ends there where `isWhole[i]` is 1.
 */
export interface TokenRests {
  readonly id: number;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly isWhole: Uint8Array;
}

/** Reads all tokens of a vocabulary with a lexer, on demand, and caches the results. */
export class LexemeForest {
  readonly trie: TokenTrie;
  readonly #lex: LexTables;
  readonly #sets: TokenSets;
  readonly #endings: LexemeEndings;
  readonly #isExtensible: Uint8Array;
  readonly #loops: Loops;
  readonly #options: TraversalOptions;
  readonly #trees = new Map<number, LexemeTree>();
  readonly #inside = new Map<number, LexemeTree>();
  readonly #rests = new Map<number, TokenRests[]>();
  readonly #same = new Map<string, LexemeTree>();
  #restCount = 0;
  /** All tokens, from their first byte. */
  readonly all: TokenRests;

  constructor(grammar: CompiledGrammar, trie: TokenTrie, sets: TokenSets) {
    const { lex, layout, virtuals } = grammar;
    this.#lex = lex;
    this.#endings = GrammarIndex.of(grammar).endings;
    this.trie = trie;
    this.#sets = sets;
    this.#options = { hasLines: layout !== undefined, hasRivals: virtuals.some(({ kind }) => kind === "insert") };
    this.#isExtensible = extensibleStates(lex);
    this.#loops = new Loops(lex, trie);
    this.all = this.restsOf({ from: [0], to: [0], isWhole: [0] });
  }

  /** All tokens where a lexeme of `mode` may begin. */
  start(mode: number): LexemeTree {
    return this.after(this.all, mode);
  }

  /** The rests of tokens where a lexeme of `mode` may begin. */
  after(rests: TokenRests, mode: number): LexemeTree {
    const key = rests.id * 64 + mode;
    let tree = this.#trees.get(key);
    if (tree === undefined) {
      const traversal = new TrieTraversal(
        this.#lex,
        this.trie,
        this.#isExtensible,
        this.#loops,
        this.#options,
        undefined,
      );
      traversal.read(rests, this.#lex.modes[mode]!.start);
      tree = this.#treeOf(traversal);
      this.#trees.set(key, tree);
    }
    return tree;
  }

  /**
   * All tokens in an open lexeme; `hasMatched`: whether a shorter part of the lexeme is a match.
   */
  inside(open: OpenLexeme, hasMatched: boolean): LexemeTree {
    const began = this.#options.hasLines && open.beganWithLineBreak;
    const key = open.state * 4 + (began ? 2 : 0) + (hasMatched ? 1 : 0);
    let tree = this.#inside.get(key);
    if (tree === undefined) {
      const traversal = new TrieTraversal(this.#lex, this.trie, this.#isExtensible, this.#loops, this.#options, {
        began,
        hasMatched,
      });
      traversal.read(this.all, open.state);
      tree = this.#treeOf(traversal);
      this.#inside.set(key, tree);
    }
    return tree;
  }

  /** Interns trees: modes, and lexer states, mostly agree on tokens. */
  #treeOf(traversal: TrieTraversal): LexemeTree {
    const { ids } = this.trie;
    const open = [...traversal.open].map(([key, spans]) => [key, this.#sets.ofSpans(ids, spans)] as const);
    const edges = [...traversal.ended.values()].map((ended) => ({
      match: ended.match,
      isTrivia: this.#lex.matches[ended.match]!.isTrivia,
      hasLineBreak: ended.hasLineBreak,
      beganWithLineBreak: ended.began,
      rivals: ended.rivals,
      ending: this.#sets.ofSpans(ids, ended.ending),
      rests: [ended.atOnce, ended.later].filter(({ to }) => to.length > 0).map((rests) => this.restsOf(rests)),
    }));
    const endedBefore = this.#sets.ofSpans(ids, traversal.endedBefore);
    const key = [
      ...open.map(([each, tokens]) => `${each}:${tokens.id}`),
      ...[...traversal.ended.keys()].map((each, i) => {
        const { ending, rests } = edges[i]!;
        return `${each},${ending.id},${rests.map(({ id }) => id).join()}`;
      }),
      endedBefore.id,
    ].join(" ");
    let tree = this.#same.get(key);
    if (tree === undefined) {
      tree = { id: this.#same.size, open: this.#groupsOf(open), edges, endedBefore };
      this.#same.set(key, tree);
    }
    return tree;
  }

  #groupsOf(open: readonly (readonly [key: number, tokens: TokenSet])[]): readonly OpenGroup[] {
    const groups = new Map<Endings, OpenTokens[]>();
    for (const [key, tokens] of open) {
      const each = { state: key >>> 1, beganWithLineBreak: (key & 1) === 1 };
      const endings = this.#endings.of(each.state);
      addToGroup(groups, endings, { open: each, tokens });
    }
    return [...groups].map(([endings, each]) => ({
      endings,
      tokens: this.#sets.union(each.map(({ tokens }) => tokens)),
      each,
    }));
  }

  /** Interns rests of tokens, so that most lexemes share theirs. */
  restsOf({ from, to, isWhole }: RestList): TokenRests {
    let hash = 0;
    for (let i = 0; i < to.length; i++) hash = (Math.imul(hash, 31) + from[i]! * 7 + to[i]! * 2 + isWhole[i]!) | 0;
    const known = this.#rests.get(hash) ?? [];
    const same = known.find(
      (rests) =>
        rests.to.length === to.length &&
        to.every((node, i) => rests.to[i] === node && rests.from[i] === from[i] && rests.isWhole[i] === isWhole[i]),
    );
    if (same !== undefined) return same;
    const rests = {
      id: this.#restCount++,
      from: Uint32Array.from(from),
      to: Uint32Array.from(to),
      isWhole: Uint8Array.from(isWhole),
    };
    this.#rests.set(hash, [...known, rests]);
    return rests;
  }
}

/** A lexeme that tokens complete. */
interface Ended {
  readonly match: number;
  readonly hasLineBreak: boolean;
  readonly began: boolean;
  readonly rivals: number;
  /** Spans in the trie's list of tokens. */
  readonly ending: number[];
  /**
   * The rests of tokens that end the lexeme before their first byte, and of those that end it
   * later.
   */
  readonly atOnce: RestList;
  readonly later: RestList;
}

/** Rests that are not interned yet. */
export interface RestList {
  readonly from: number[];
  readonly to: number[];
  readonly isWhole: number[];
}

/** The properties of lexemes that are kept apart besides their matches. */
interface TraversalOptions {
  /** Whether trivia that begins with a line break is distinguished. */
  readonly hasLines: boolean;
  /** Whether lexemes are distinguished by what other modes find in their bytes. */
  readonly hasRivals: boolean;
}

/** The lexeme that was open before the tokens. */
interface Before {
  readonly began: boolean;
  readonly hasMatched: boolean;
}

/**
 * Decides where all tokens below a trie node leave the lexer's state unchanged, as most letters in
 * a word do.
 */
class Loops {
  readonly #lex: LexTables;
  readonly #words: number;
  /** The classes of bytes below each node, as bits. */
  readonly #below: Uint32Array;
  /** The classes of bytes that lead from each state to itself. */
  readonly #looping: (Uint32Array | undefined)[] = [];

  constructor(lex: LexTables, { byte, parent, size }: TokenTrie) {
    this.#lex = lex;
    const words = (lex.classCount + 31) >>> 5;
    this.#words = words;
    const below = new Uint32Array(size * words);
    for (let node = size - 1; node > 0; node--) {
      const to = parent[node]! * words;
      for (let word = 0; word < words; word++) below[to + word]! |= below[node * words + word]!;
      const each = lex.classOf[byte[node]!]!;
      below[to + (each >>> 5)]! |= 1 << (each & 31);
    }
    this.#below = below;
  }

  /** Whether every byte below `node` leads from `state` to itself. */
  holds(state: number, node: number): boolean {
    const looping = this.#looping[state] ?? this.#find(state);
    const words = this.#words;
    for (let word = 0; word < words; word++) {
      if ((this.#below[node * words + word]! & ~looping[word]!) !== 0) return false;
    }
    return true;
  }

  #find(state: number): Uint32Array {
    const { next, classCount } = this.#lex;
    const looping = new Uint32Array(this.#words);
    for (let each = 0; each < classCount; each++) {
      if (next[state * classCount + each] === state) looping[each >>> 5]! |= 1 << (each & 31);
    }
    this.#looping[state] = looping;
    return looping;
  }
}

/** One traversal of a trie with the lexer. */
class TrieTraversal {
  /** Spans of tokens by open lexeme: twice its state, plus 1 where it began with a line break. */
  readonly open = new Map<number, number[]>();
  readonly ended = new Map<number, Ended>();
  /** Spans of tokens before which the lexeme may have ended. */
  readonly endedBefore: number[] = [];
  readonly #lex: LexTables;
  readonly #trie: TokenTrie;
  readonly #isExtensible: Uint8Array;
  readonly #loops: Loops;
  readonly #hasLines: boolean;
  readonly #hasRivals: boolean;
  readonly #before: Before | undefined;
  /** Whether the current lexeme began with a line break. */
  #began = false;
  /** The node where it began. */
  #start = 0;
  /** The last result of `#rivalsOf`, and the lexeme it is about. */
  #rivals = 0;
  #rivalsStart = -1;
  #rivalsEnd = -1;

  constructor(
    lex: LexTables,
    trie: TokenTrie,
    isExtensible: Uint8Array,
    loops: Loops,
    { hasLines, hasRivals }: TraversalOptions,
    before: Before | undefined,
  ) {
    this.#lex = lex;
    this.#trie = trie;
    this.#isExtensible = isExtensible;
    this.#loops = loops;
    this.#hasLines = hasLines;
    this.#hasRivals = hasRivals && before === undefined;
    this.#before = before;
  }

  read(rests: TokenRests, start: number): void {
    for (let i = 0; i < rests.to.length; i++)
      this.#readOne(rests.from[i]!, rests.to[i]!, rests.isWhole[i]! === 1, start);
  }

  #readOne(from: number, to: number, isWhole: boolean, start: number): void {
    const { next, classOf, classCount, match } = this.#lex;
    const path: number[] = [];
    for (let node = to; node !== from; node = this.#trie.parent[node]!) path.push(node);
    const first = path.at(-1);
    this.#began =
      this.#before?.began ?? (this.#hasLines && first !== undefined && isLineBreak(this.#trie.byte[first]!));
    this.#start = from;
    let state = start;
    let matched = this.#before !== undefined && match[start] !== 0 ? from : -1;
    let matchState = matched < 0 ? 0 : start;
    for (let i = path.length - 1; i >= 0; i--) {
      const node = path[i]!;
      const target = next[state * classCount + classOf[this.#trie.byte[node]!]!]!;
      if (target === 0) {
        if (matched >= 0) this.#addRest(matchState, matched, to, isWhole);
        return;
      }
      state = target;
      if (match[state] === 0) continue;
      matched = node;
      matchState = state;
    }
    if (isWhole) this.#endAt(to, state, matched, matchState);
    else this.#below(to, state, matched, matchState);
  }

  /**
   * Reads the tokens at `node` and below, with the lexer in `state` and the last match at the node
   * `matched` (-1 for none).
   */
  #below(node: number, state: number, matched: number, matchState: number): void {
    const { next, classOf, classCount, match } = this.#lex;
    const { end, byte, firstToken } = this.#trie;
    if (firstToken[node] !== firstToken[node + 1]) this.#endAt(node, state, matched, matchState);
    const last = end[node]!;
    if (last === node + 1) return;
    const isWithinOne = match[state] !== 0 || matched < 0;
    if (isWithinOne && (node !== this.#start || !this.#hasLines) && this.#loops.holds(state, node)) {
      this.#keepOpen(state * 2 + (this.#began ? 1 : 0), node + 1, last);
      if (match[state] === 0 && this.#before?.hasMatched === true) this.#addSpan(this.endedBefore, node + 1, last);
      return;
    }
    for (let child = node + 1; child < last; child = end[child]!) {
      if (this.#hasLines && this.#before === undefined && node === this.#start) this.#began = isLineBreak(byte[child]!);
      const target = next[state * classCount + classOf[byte[child]!]!]!;
      if (target === 0) this.#endBefore(child, matched, matchState);
      else if (match[target] === 0) this.#below(child, target, matched, matchState);
      else this.#below(child, target, child, target);
    }
  }

  /** Records a token that ends in a lexeme. */
  #endAt(node: number, state: number, matched: number, matchState: number): void {
    if (matched === node && this.#isExtensible[state] === 0) {
      this.#addSpan(this.#endedOf(matchState, node).ending, node, node + 1);
      return;
    }
    const key = state * 2 + (this.#began ? 1 : 0);
    this.#keepOpen(key, node, node + 1);
    if (matched === node) return;
    if (matched >= 0) this.#addRest(matchState, matched, node, true);
    else if (this.#before?.hasMatched === true) this.#addSpan(this.endedBefore, node, node + 1);
  }

  #keepOpen(key: number, from: number, to: number): void {
    let open = this.open.get(key);
    if (open === undefined) {
      open = [];
      this.open.set(key, open);
    }
    this.#addSpan(open, from, to);
  }

  /** Adds the tokens that end at the nodes from `from` up to, and without, `to`. */
  #addSpan(spans: number[], from: number, to: number): void {
    const { firstToken } = this.#trie;
    const first = firstToken[from]!;
    const last = firstToken[to]!;
    if (spans.at(-1) === first) spans[spans.length - 1] = last;
    else spans.push(first, last);
  }

  /** The lexeme ends before `child`. */
  #endBefore(child: number, matched: number, matchState: number): void {
    if (matched >= 0) this.#addRest(matchState, matched, child, false);
    else if (this.#before?.hasMatched === true) {
      this.#addSpan(this.endedBefore, child, this.#trie.end[child]!);
    }
  }

  #addRest(matchState: number, from: number, to: number, isWhole: boolean): void {
    const ended = this.#endedOf(matchState, from);
    const rests = from === 0 ? ended.atOnce : ended.later;
    rests.from.push(from);
    rests.to.push(to);
    rests.isWhole.push(isWhole ? 1 : 0);
  }

  #endedOf(matchState: number, node: number): Ended {
    const { match, matches, brokenLine } = this.#lex;
    const each = match[matchState]!;
    const { isTrivia } = matches[each]!;
    const isBroken = isTrivia && brokenLine[matchState] === 1;
    const rivals = this.#hasRivals && !isTrivia ? this.#rivalsOf(each, node) : 0;
    const key = ((each * 2 + (isBroken ? 1 : 0)) * 2 + (this.#began ? 1 : 0)) * 0x1_0000 + rivals;
    let ended = this.ended.get(key);
    if (ended === undefined) {
      ended = {
        match: each,
        hasLineBreak: isBroken,
        began: this.#began,
        rivals,
        ending: [],
        atOnce: { from: [], to: [], isWhole: [] },
        later: { from: [], to: [], isWhole: [] },
      };
      this.ended.set(key, ended);
    }
    return ended;
  }

  /**
   * The modes that find another lexeme than `found` in the bytes from the lexeme's start to `node`.
   */
  #rivalsOf(found: number, node: number): number {
    if (this.#rivalsStart === this.#start && this.#rivalsEnd === node) return this.#rivals;
    const { next, classOf, classCount, match, matches, modes } = this.#lex;
    const bytes = this.#trie.bytesBetween(this.#start, node);
    let rivals = 0;
    for (let mode = 0; mode < modes.length; mode++) {
      let state = modes[mode]!.start;
      let matched = 0;
      for (const byte of bytes) {
        state = next[state * classCount + classOf[byte]!]!;
        if (state === 0) break;
        if (match[state] !== 0) matched = match[state]!;
      }
      if (matched !== found && matches[matched]!.readings.length > 0) rivals |= 1 << mode;
    }
    this.#rivalsStart = this.#start;
    this.#rivalsEnd = node;
    this.#rivals = rivals;
    return rivals;
  }
}
