import { EmendError } from "../../text/index.ts";
import type { Filling } from "../hole/filling.ts";
import type { Hole } from "../hole/hole.ts";
import { GrammarVocabulary } from "./grammar-vocabulary.ts";
import { TokenMask } from "./token-mask.ts";
import type { Vocabulary } from "./vocabulary.ts";

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
