import { EmendError } from "../../text/index.ts";
import type { Filling } from "../hole/filling.ts";
import type { Hole } from "../hole/hole.ts";
import { isLineBreak, suspended } from "../lexing/layouts.ts";
import type { Lexeme, Reading } from "../reading/reader.ts";
import { broken, glued, type Spacing, withTrivia } from "../reading/spacing.ts";
import type { Front, StackNode } from "../reading/stack.ts";
import { PairMap } from "../tables/pair-map.ts";
import { GrammarVocabulary } from "./grammar-vocabulary.ts";
import type { LexemeEdge, LexemeTree, OpenGroup, TokenRests } from "./lexeme-forest.ts";
import { type LineBeginning, lineBreak } from "./line-tokens.ts";
import { addCommonTokens, addTokens, hasToken, idsIn, isEmpty } from "./token-set.ts";
import type { TokenTrie, Vocabulary } from "./token-vocabulary.ts";
import { dependsOnRivals, knownOf, stepOn, type TokenVerdict, type Undecided } from "./verdicts.ts";

/** Fills a hole token by token, and computes which tokens may come next. */
export class TokenMasker {
  readonly hole: Hole;
  readonly vocabulary: Vocabulary;
  readonly #of: GrammarVocabulary;
  /** The filling after each token, from the empty one on. */
  readonly #steps: Filling[];
  #hasEnded = false;

  /**
   * `vocabulary`: tokens, or a `GrammarVocabulary` that several holes share. Throws
   * {@link EmendError} `vocabulary-invalid` where that was made for another grammar.
   */
  constructor(hole: Hole, vocabulary: Vocabulary | GrammarVocabulary) {
    this.hole = hole;
    const { grammar } = hole.reader.parser;
    this.#of = vocabulary instanceof GrammarVocabulary ? vocabulary : new GrammarVocabulary(grammar, vocabulary);
    if (this.#of.grammar !== grammar) {
      throw new EmendError("vocabulary-invalid", "The vocabulary was prepared for another grammar than the hole's.");
    }
    this.vocabulary = this.#of.vocabulary;
    this.#steps = [hole.empty];
  }

  /** The current filling. */
  get filling(): Filling {
    return this.#steps.at(-1)!;
  }

  /**
   * Whether the text is complete with the tokens so far; then a token that ends the text may come.
   */
  canStop(): boolean {
    return !this.#hasEnded && this.hole.canStop(this.filling);
  }

  /** Whether token `id` may come next. */
  allows(id: number): boolean {
    if (this.#isEnd(id)) return this.canStop();
    const bytes = this.vocabulary.bytesOf(id);
    return !this.#hasEnded && bytes !== undefined && this.hole.isAlive(this.hole.add(this.filling, bytes));
  }

  /**
   * The mask of the tokens that may come next: bit `id & 31` of word `id >>> 5`. It has the tokens
   * that end the text where the hole is complete, and no other special tokens.
   *
   * Law: the bit of each token equals `allows` of it.
   */
  mask(): Uint32Array {
    const mask = new TokenMask(this.#of, this.hole);
    if (this.#hasEnded) return mask.words;
    this.#of.verdicts.trim();
    mask.add(this.filling);
    if (this.hole.reader.follower !== undefined) this.#removeOtherNames(mask.words);
    if (this.vocabulary.end.length > 0 && this.canStop()) {
      for (const id of this.vocabulary.end) mask.words[id >>> 5]! |= 1 << (id & 31);
    }
    return mask.words;
  }

  /**
   * Removes the tokens that write the second occurrence of a name differently from the first.
   * Verdicts know terminals and not their texts, so that these few tokens are checked one by one.
   */
  #removeOtherNames(words: Uint32Array): void {
    const awaited = this.hole.awaitedNames(this.filling);
    const names = awaited.filter((name) => name !== undefined);
    const canCompare = names.length > 0 && names.length === awaited.length;
    const decoder = new TextDecoder();
    const before = decoder.decode(this.filling.bytes.subarray(-maxLiteralBytes));
    for (const [index, word] of words.entries()) {
      for (let rest = word; rest !== 0; rest &= rest - 1) {
        const id = 32 * index + (31 - Math.clz32(rest & -rest));
        const text = decoder.decode(this.vocabulary.bytesOf(id));
        const isName = nameCharacter.test(text);
        const fits = canCompare && isName && names.some((name) => name.startsWith(text) || text.startsWith(name));
        const mustCheck = canCompare ? !isName || fits : names.length > 0 || this.#of.mayBeginSecondName(before, text);
        if ((canCompare && isName && !fits) || (mustCheck && !this.allows(id))) words[index]! &= ~(1 << (id & 31));
      }
    }
  }

  /**
   * Adds token `id` if it may come next; returns whether it was added. After a token that ends the
   * text none may come.
   */
  accept(id: number): boolean {
    if (this.#isEnd(id)) {
      if (!this.canStop()) return false;
      this.#hasEnded = true;
      this.#steps.push(this.filling);
      return true;
    }
    const bytes = this.vocabulary.bytesOf(id);
    if (this.#hasEnded || bytes === undefined) return false;
    const next = this.hole.add(this.filling, bytes);
    if (!this.hole.isAlive(next)) return false;
    this.#steps.push(next);
    return true;
  }

  /**
   * Removes the last `count` tokens. Throws {@link EmendError} `rollback-invalid` where there are
   * fewer.
   */
  rollback(count: number): void {
    const taken = this.#steps.length - 1;
    if (!Number.isInteger(count) || count < 0 || count > taken) {
      throw new EmendError("rollback-invalid", `${count} tokens cannot be taken back: there are ${taken}.`);
    }
    if (count === 0) return;
    this.#steps.length -= count;
    this.#hasEnded = false;
  }

  #isEnd(id: number): boolean {
    return this.vocabulary.end.includes(id);
  }
}

/** The most bytes of a literal before the second occurrence of a name. */
const maxLiteralBytes = 16;

/** Matches texts that begin with a character of a name. */
const nameCharacter = /^[\p{ID_Continue}$]/u;

/**
 * Up to this many open questions, a verdict is settled on the stack itself rather than deepened.
 */
const maxOpenQuestions = 2;

/** The number of uses before a verdict is deepened: most tops of stacks occur once. */
const maxShallowUses = 2;

/** The most symbols of a stack in a verdict. */
const maxKnownStates = 24;

/** Computes the mask of tokens after which a filling is completable. */
class TokenMask {
  /** A bit for each token, by its number. */
  readonly words: Uint32Array;
  readonly #of: GrammarVocabulary;
  readonly #hole: Hole;
  /** The trees and rests that are done, by stack. */
  readonly #seen = new PairMap();
  /** Tokens to try one by one. */
  readonly #toTry: number[] = [];

  constructor(of: GrammarVocabulary, hole: Hole) {
    this.#of = of;
    this.#hole = hole;
    this.words = new Uint32Array((of.vocabulary.size + 31) >>> 5);
  }

  /** Adds the tokens after which `filling` is completable. */
  add(filling: Filling): void {
    for (const reading of filling.readings) this.#addReading(reading, filling.bytes);
    for (const id of this.#toTry.splice(0)) {
      if (hasToken(this.words, id)) continue;
      const next = this.#hole.add(filling, this.#of.vocabulary.bytesOf(id)!);
      if (this.#hole.isAlive(next)) this.words[id >>> 5]! |= 1 << (id & 31);
    }
  }

  #addReading(reading: Reading, bytes: Uint8Array): void {
    const { front, lexeme, spacing } = reading;
    const { forest, lines } = this.#of;
    if (lexeme === "indentation") {
      const line = lines.beginning(bytes.subarray(reading.start));
      if (line === undefined) this.#tryLater(idsOf(forest.all, forest.trie));
      else this.#beginLines(forest.all, line, front);
      return;
    }
    if (lexeme === "none") {
      for (const node of front.nodes) {
        for (const mode of this.#of.grammar.modesOf[node.state]!) this.#judgeTree(forest.start(mode), spacing, node);
      }
      return;
    }
    const hasMatched = lexeme.matchEnd >= 0 && lexeme.matchEnd < bytes.length;
    const open = { state: lexeme.state, beganWithLineBreak: isLineBreak(bytes[reading.start]!) };
    const tree = forest.inside(open, hasMatched);
    const mayDependOnRivals = spacing === broken && this.#of.grammar.virtuals.some(({ kind }) => kind === "insert");
    for (const node of front.nodes) {
      if (mayDependOnRivals && this.#hasRivals(node, reading.start, lexeme, bytes))
        this.#judgeOnStack(tree, spacing, node, true);
      else this.#judgeTree(tree, spacing, node);
    }
    if (isEmpty(tree.endedBefore)) return;
    const earlier = this.#hole.reader.endLexeme(reading, bytes, bytes.length);
    if (earlier.length === 0) return;
    const mask = new TokenMask(this.#of, this.#hole);
    mask.add({ readings: earlier, bytes });
    addCommonTokens(this.words, tree.endedBefore, mask.words);
  }

  /** Whether another mode of the stack may find another lexeme where this one is open. */
  #hasRivals({ state: top }: StackNode, start: number, { state: open }: Lexeme, bytes: Uint8Array): boolean {
    const { next, classOf, classCount, match, matches, modes } = this.#of.grammar.lex;
    const modesOfTop = this.#of.grammar.modesOf[top]!;
    if (modesOfTop.length < 2) return false;
    for (const mode of modesOfTop) {
      let state = modes[mode]!.start;
      let hasMatched = false;
      for (let at = start; at < bytes.length && state !== 0; at++) {
        state = next[state * classCount + classOf[bytes[at]!]!]!;
        hasMatched ||= matches[match[state]!]!.readings.length > 0;
      }
      if (state !== open && (state !== 0 || hasMatched)) return true;
    }
    return false;
  }

  #judgeTree(tree: LexemeTree, spacing: Spacing, node: StackNode): void {
    if (!this.#isFirst(tree.id, -1, spacing, node)) return;
    if (!this.#hole.isOpenEnded(node)) {
      this.#judgeOnStack(tree, spacing, node, false);
      return;
    }
    this.#apply(this.#of.verdicts.onTree(tree, spacing, knownOf(node)), node);
  }

  #judgeRests(rests: TokenRests, spacing: Spacing, node: StackNode): void {
    if (!this.#isFirst(-1, rests.id, spacing, node)) return;
    if (!this.#hole.isOpenEnded(node)) {
      for (const mode of this.#of.grammar.modesOf[node.state]!) {
        this.#judgeOnStack(this.#of.forest.after(rests, mode), spacing, node, false);
      }
      return;
    }
    this.#apply(this.#of.verdicts.onRests(rests, spacing, knownOf(node)), node);
  }

  #isFirst(tree: number, rests: number, spacing: Spacing, node: StackNode): boolean {
    return this.#seen.add((tree < 0 ? rests * 2 : tree * 2 + 1) * 4 + spacing, node.id);
  }

  /** Applies a verdict on a stack on which everything that is begun can also be completed. */
  #apply(first: TokenVerdict, node: StackNode): void {
    let verdict = first;
    let deepest = node;
    addTokens(this.words, verdict.accepted);
    while (
      verdict.undecided !== undefined &&
      verdict.undecided.size > maxOpenQuestions &&
      verdict.known.length < maxKnownStates &&
      deepest.below.length === 1 &&
      this.#hole.isOpenEnded(deepest.below[0]!)
    ) {
      if (verdict.uses++ < maxShallowUses) break;
      deepest = deepest.below[0]!;
      verdict = this.#of.verdicts.deeper(verdict, knownOf(deepest));
      addTokens(this.words, verdict.accepted);
    }
    if (verdict.undecided !== undefined) this.#settle(node, verdict.undecided);
  }

  #settle(node: StackNode, undecided: Undecided): void {
    const front = this.#frontOf(node);
    for (const { edge, spacing } of undecided.edges) this.#follow(edge, spacing, node, false);
    for (const { group, spacing } of undecided.open) this.#addOpen(group, spacing, front);
    for (const group of undecided.continuing) this.#addContinuing(group, front);
    for (const also of undecided.also) this.#settle(node, also);
    for (const { step, undecided: after } of undecided.after) {
      this.#settle(stepOn(this.#hole.reader.parser, node, step), after);
    }
  }

  /** Checks a tree on the stack itself, without verdicts. */
  #judgeOnStack(tree: LexemeTree, spacing: Spacing, node: StackNode, hasRivals: boolean): void {
    const front = this.#frontOf(node);
    for (const group of tree.open) this.#addOpen(group, spacing, front);
    for (const edge of tree.edges) this.#follow(edge, spacing, node, hasRivals);
  }

  #addOpen(group: OpenGroup, spacing: Spacing, front: Front): void {
    if (this.#hole.canLexemeEndAs(front, spacing, group.endings)) addTokens(this.words, group.tokens);
    else this.#addContinuing(group, front);
  }

  /** Adds tokens whose lexemes can continue in the suffix. */
  #addContinuing({ each }: OpenGroup, front: Front): void {
    for (const { open, tokens } of each)
      if (this.#hole.canLexemeContinueInSuffix(front, open)) addTokens(this.words, tokens);
  }

  #follow(edge: LexemeEdge, spacing: Spacing, node: StackNode, hasRivals: boolean): void {
    const { parser } = this.#hole.reader;
    if (edge.isTrivia) {
      if (
        this.#of.grammar.layout !== undefined &&
        edge.hasLineBreak &&
        edge.beganWithLineBreak &&
        node.layout !== suspended
      ) {
        const ended = this.#hole.reader.endLine(this.#frontOf(node), spacing);
        if (ended.isEmpty) return;
        if (!isEmpty(edge.ending) && this.#hole.canFinish(ended)) addTokens(this.words, edge.ending);
        for (const rests of edge.rests) this.#beginLines(rests, lineBreak, ended);
        return;
      }
      if (!isEmpty(edge.ending) && this.#hole.canFinish(this.#frontOf(node))) addTokens(this.words, edge.ending);
      for (const rests of edge.rests) this.#judgeRests(rests, withTrivia(spacing, edge.hasLineBreak), node);
      return;
    }
    const front = this.#frontOf(node);
    const after = parser.takeMatch(front, edge.match, spacing);
    if (after.isEmpty) return;
    if (
      hasRivals
        ? parser.takeMatch(front, edge.match, spacing, false) !== after
        : dependsOnRivals(parser, front, edge, spacing, after)
    ) {
      this.#tryLater(idsBehind(edge, this.#of.forest.trie));
      return;
    }
    if (!isEmpty(edge.ending) && this.#hole.canFinish(after)) addTokens(this.words, edge.ending);
    for (const next of after.nodes) {
      for (const rests of edge.rests) this.#judgeRests(rests, glued, next);
    }
  }

  #frontOf(node: StackNode): Front {
    return this.#hole.reader.parser.stacks.alone(node);
  }

  /** Continues with rests of tokens at the start of a line. */
  #beginLines(rests: TokenRests, line: LineBeginning, front: Front): void {
    const { reader } = this.#hole;
    const { blank, undetermined, begun } = this.#of.lines.tokens(rests, line);
    if (this.#hole.canFinish(front)) addTokens(this.words, blank);
    this.#tryLater(idsIn(undetermined));
    for (const { indentation, rests: after } of begun) {
      for (const node of reader.beginLine(front, reader.parser.layouts.of(indentation)).nodes) {
        this.#judgeRests(after, broken, node);
      }
    }
  }

  /** Marks tokens to be tried one by one. */
  #tryLater(ids: Iterable<number>): void {
    for (const id of ids) this.#toTry.push(id);
  }
}

/** The tokens that end with a lexeme or continue after it. */
function idsBehind({ ending, rests }: LexemeEdge, trie: TokenTrie): readonly number[] {
  return [...idsIn(ending), ...rests.flatMap((each) => idsOf(each, trie))];
}

function idsOf({ to, isWhole }: TokenRests, { ids, firstToken, end }: TokenTrie): readonly number[] {
  return Array.from(to).flatMap((node, i) => [
    ...ids.subarray(firstToken[node]!, firstToken[isWhole[i] === 1 ? node + 1 : end[node]!]!),
  ]);
}
