import { addToGroup } from "../../text/index.ts";

/**
 * A set of token numbers: a list where they are few, bits where they are many. Sets of one
 * `TokenSets` are equal exactly if their ids are.
 */
export type TokenSet =
  | { readonly kind: "list"; readonly id: number; readonly ids: Uint32Array }
  | { readonly kind: "bits"; readonly id: number; readonly words: Uint32Array };

export const noTokens: TokenSet = { kind: "list", id: 0, ids: new Uint32Array() };

/** Up to this many tokens, the union of lists is made as a list. */
const fewTokens = 64;

/**
 * Makes and interns sets of tokens with numbers below `size`: of a hundred thousand sets, nine in
 * ten equal another one.
 */
export class TokenSets {
  readonly wordCount: number;
  readonly #scratch: Uint32Array;
  /** By a hash of the content. */
  readonly #known = new Map<number, TokenSet[]>();
  #count = 1;

  constructor(size: number) {
    this.wordCount = (size + 31) >>> 5;
    this.#scratch = new Uint32Array(this.wordCount);
  }

  /**
   * The set of the tokens in spans of `ids`: `[start, end, start, end, ...]`, which may overlap.
   */
  ofSpans(ids: Uint32Array, spans: readonly number[]): TokenSet {
    let count = 0;
    for (let i = 0; i < spans.length; i += 2) count += spans[i + 1]! - spans[i]!;
    if (count === 0) return noTokens;
    if (count <= this.wordCount) {
      const list = new Uint32Array(count);
      let at = 0;
      for (let i = 0; i < spans.length; i += 2) {
        list.set(ids.subarray(spans[i]!, spans[i + 1]!), at);
        at += spans[i + 1]! - spans[i]!;
      }
      return this.#listOf(list);
    }
    const words = this.#scratch.fill(0);
    for (let i = 0; i < spans.length; i += 2) {
      for (let at = spans[i]!; at < spans[i + 1]!; at++) words[ids[at]! >>> 5]! |= 1 << (ids[at]! & 31);
    }
    return this.#bitsOf(words);
  }

  /** The union of `sets`. */
  union(sets: readonly TokenSet[]): TokenSet {
    let listed = 0;
    let hasBits = false;
    let filled = 0;
    let last = noTokens;
    for (const set of sets) {
      if (isEmpty(set) || set === last) continue;
      listed += set.kind === "list" ? set.ids.length : this.wordCount;
      hasBits ||= set.kind === "bits";
      filled++;
      last = set;
    }
    if (filled < 2) return last;
    if (listed <= fewTokens && !hasBits) return this.#listOf(joinedLists(sets));
    const scratch = this.#scratch;
    scratch.fill(0);
    for (const set of sets) addTokens(scratch, set);
    const count = countIn(scratch);
    return count > this.wordCount ? this.#bitsOf(scratch) : this.#listOf(idsInWords(scratch, count));
  }

  #listOf(ids: Uint32Array): TokenSet {
    return this.#once(
      ids,
      (set) => set.kind === "list" && areEqual(set.ids, ids),
      (id) => ({ kind: "list", id, ids }),
    );
  }

  /** Copies `words`, which the caller may reuse. */
  #bitsOf(words: Uint32Array): TokenSet {
    return this.#once(
      words,
      (set) => set.kind === "bits" && areEqual(set.words, words),
      (id) => ({ kind: "bits", id, words: words.slice() }),
    );
  }

  #once(content: Uint32Array, isSame: (set: TokenSet) => boolean, make: (id: number) => TokenSet): TokenSet {
    const hash = hashOf(content);
    const same = this.#known.get(hash)?.find(isSame);
    if (same !== undefined) return same;
    const set = make(this.#count++);
    addToGroup(this.#known, hash, set);
    return set;
  }
}

/** The distinct tokens of all lists among `sets`. */
function joinedLists(sets: readonly TokenSet[]): Uint32Array {
  let listed = 0;
  for (const set of sets) if (set.kind === "list") listed += set.ids.length;
  const ids = new Uint32Array(listed);
  let count = 0;
  for (const set of sets) {
    if (set.kind !== "list") continue;
    ids.set(set.ids, count);
    count += set.ids.length;
  }
  ids.sort();
  let distinct = 0;
  for (const id of ids) if (distinct === 0 || ids[distinct - 1] !== id) ids[distinct++] = id;
  return ids.slice(0, distinct);
}

/** Whether `set` is empty. */
export function isEmpty(set: TokenSet): boolean {
  return set.kind === "list" && set.ids.length === 0;
}

/** Sets the bits of `mask` of the tokens in `set`: bit `id & 31` of word `id >>> 5`. */
export function addTokens(mask: Uint32Array, set: TokenSet): void {
  if (set.kind === "bits") {
    const { words } = set;
    for (let at = 0; at < words.length; at++) mask[at]! |= words[at]!;
    return;
  }
  const { ids } = set;
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at]!;
    mask[id >>> 5]! |= 1 << (id & 31);
  }
}

/** Sets the bits of `mask` of the tokens that are both in `set` and in the mask `other`. */
export function addCommonTokens(mask: Uint32Array, set: TokenSet, other: Uint32Array): void {
  if (set.kind === "bits") {
    const { words } = set;
    for (let at = 0; at < words.length; at++) mask[at]! |= words[at]! & other[at]!;
    return;
  }
  for (const id of set.ids) mask[id >>> 5]! |= other[id >>> 5]! & (1 << (id & 31));
}

/** Whether `mask` has the bit of token `id`, bit `id & 31` of word `id >>> 5`. */
export function hasToken(mask: Uint32Array, id: number): boolean {
  return ((mask[id >>> 5]! >>> (id & 31)) & 1) === 1;
}

/** The numbers of the tokens in `set`, in a new list. */
export function idsIn(set: TokenSet): readonly number[] {
  return [...(set.kind === "list" ? set.ids : idsInWords(set.words, countIn(set.words)))];
}

/** The numbers of the `count` bits that are set in `words`. */
function idsInWords(words: Uint32Array, count: number): Uint32Array {
  const ids = new Uint32Array(count);
  let found = 0;
  for (let at = 0; found < count; at++) {
    for (let word = words[at]!; word !== 0; word &= word - 1) ids[found++] = at * 32 + 31 - Math.clz32(word & -word);
  }
  return ids;
}

/** A hash of 30 bits. */
function hashOf(content: Uint32Array): number {
  let hash = content.length;
  for (let at = 0; at < content.length; at++) hash = (Math.imul(hash, 31) + content[at]!) | 0;
  return hash & 0x3fff_ffff;
}

function areEqual(some: Uint32Array, others: Uint32Array): boolean {
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false;
  return true;
}

function countIn(words: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < words.length; at++) count += bitCount(words[at]!);
  return count;
}

function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return (((fours + (fours >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}
