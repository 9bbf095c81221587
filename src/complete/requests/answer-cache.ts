import { LRUCache } from "lru-cache";
import type { Clock } from "../../async/index.ts";
import type { SuggestionChange } from "../outcome.ts";

/** A model's answer that is kept. */
export interface CachedAnswer {
  /** Without what the model has put around it, with `\n`. */
  readonly text: string;
  /** What was taken off it. */
  readonly changes: readonly SuggestionChange[];
  /** Whether the answer is complete. */
  readonly isWhole: boolean;
  readonly probability?: number;
  /** The model's name, and its place in the order of requests to models, from 0. */
  readonly model: string;
  readonly rank: number;
  /** Whether it was requested ahead of the cursor. */
  readonly isAhead: boolean;
  /** The number of the request that it answers; see `ModelRequestLog`. */
  readonly ask?: number;
  /**
   * Until when it is used, on the clock of the cache; absent: without a limit. An answer that was
   * requested because an earlier model had failed is used for a short time only.
   */
  readonly untilMs?: number;
}

/** A kept answer that agrees with what was typed since. */
export interface CacheHit {
  readonly answer: CachedAnswer;
  /**
   * How many UTF-16 units before the cursor it was requested, and how many closers behind the
   * cursor came since.
   */
  readonly typed: number;
  readonly closed: number;
}

/** The place of the request for an answer. */
export interface CachePlace {
  readonly uri: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** How much an {@link AnswerCache} keeps, and how far back it looks. */
export interface AnswerCacheOptions {
  /** The most answers. */
  readonly maxEntries: number;
  /** The most UTF-16 units typed since the request for an answer. */
  readonly lookBack: number;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Answers of models by the place they were for. Also finds answers requested some characters ago,
 * if they agree with what was typed since, with the closers that an editor adds to what is typed.
 *
 * The answers used longest ago are dropped first. Places are kept as hashes, so it holds no text
 * but the answers.
 */
export class AnswerCache {
  readonly #entries: LRUCache<string, CachedAnswer>;
  readonly #lookBack: number;
  readonly #clock: Pick<Clock, "now">;

  constructor({ maxEntries, lookBack, clock }: AnswerCacheOptions) {
    this.#clock = clock;
    this.#entries = new LRUCache({ max: maxEntries });
    this.#lookBack = lookBack;
  }

  /** How many answers are kept. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Keeps an answer for a place, unless a model that comes earlier in the order has answered there.
   */
  put(place: CachePlace, answer: CachedAnswer): void {
    const key = keyOf(place);
    const known = this.#entries.peek(key);
    if (known !== undefined && known.rank < answer.rank) return;
    this.#entries.set(key, answer);
  }

  /**
   * The answers that continue from a place, those of earlier models first, then the latest
   * requests; they count as used. An empty list where none does.
   */
  find({ uri, prefix, suffix }: CachePlace): CacheHit[] {
    const closers = /^[)\]}>"'`]{0,4}/.exec(suffix)![0].length;
    const { before, behind } = placeHashes(prefix, suffix, { lookBack: this.#lookBack, skip: closers });
    const hits: CacheHit[] = [];
    for (const [typed, hash] of before.entries()) {
      for (let closed = 0; closed <= closers; closed++) {
        const key = `${hash} ${behind[closed]} ${uri}`;
        // Only an answer that continues from the place counts as used.
        const answer = this.#entries.peek(key);
        if (answer === undefined || this.#clock.now() >= (answer.untilMs ?? Number.POSITIVE_INFINITY)) continue;
        // Closers come with what is typed.
        if (closed > 0 && typed === 0) continue;
        if (restOfAnswer(answer.text, prefix.slice(prefix.length - typed)) === undefined) continue;
        hits.push({ answer, typed, closed });
        this.#entries.get(key);
      }
    }
    return hits.sort((one, other) => one.answer.rank - other.answer.rank);
  }

  /** Forgets all answers. */
  clear(): void {
    this.#entries.clear();
  }
}

/**
 * What is left of an answer once `typed` was typed, or `undefined` where they disagree or nothing
 * but white space is left.
 *
 * `answer` has `\n` only. An answer that begins on a new line agrees with any indentation typed
 * there.
 */
export function restOfAnswer(answer: string, typed: string): string | undefined {
  const plain = typed.replace(/\r\n?/g, "\n");
  let rest: string | undefined;
  if (answer.startsWith(plain)) rest = answer.slice(plain.length);
  else if (/^\s*\n[ \t]*$/.test(plain)) rest = /^\s*\n[ \t]*(?=\S)(.*)$/s.exec(answer)?.[1];
  return rest === undefined || rest.trim() === "" ? undefined : rest;
}

function keyOf({ uri, prefix, suffix }: CachePlace): string {
  const { before, behind } = placeHashes(prefix, suffix, { lookBack: 0, skip: 0 });
  return `${before[0]} ${behind[0]} ${uri}`;
}

/**
 * Names of places that need no text to be kept: hashes of the text before a place, for the place
 * itself and those some characters earlier, and of the text behind it, also without its first
 * characters.
 *
 * 53 bits from two independent 32-bit hashes; one pass over each side.
 */
export interface PlaceHashes {
  /** By how many UTF-16 units earlier, from 0. */
  readonly before: readonly number[];
  /** By how many UTF-16 units are left out at the start, from 0. */
  readonly behind: readonly number[];
}

/**
 * The hashes of the place between two texts. The hash with index `k` in `before` is that of
 * `prefix` without its last `k` units, for `k` up to `lookBack`; in `behind`, that of `suffix`
 * without its first `k` units, for `k` up to `skip`. There are fewer where a text is shorter.
 */
export function placeHashes(
  prefix: string,
  suffix: string,
  { lookBack, skip }: { readonly lookBack: number; readonly skip: number },
): PlaceHashes {
  const before: number[] = [];
  let hash = new RollingHash();
  const from = prefix.length - lookBack;
  if (from <= 0) before.push(hash.value);
  for (let i = 0; i < prefix.length; i++) {
    hash.add(prefix.charCodeAt(i));
    if (i + 1 >= from) before.push(hash.value);
  }
  const behind: number[] = [];
  hash = new RollingHash();
  if (suffix.length <= skip) behind.push(hash.value);
  for (let i = suffix.length - 1; i >= 0; i--) {
    hash.add(suffix.charCodeAt(i));
    if (i <= skip) behind.push(hash.value);
  }
  return { before: before.reverse(), behind: behind.reverse() };
}

/** FNV-1a beside a multiply-and-rotate hash with another prime. */
class RollingHash {
  #one = 0x811c9dc5;
  #other = 0x9e3779b9;

  add(code: number): void {
    this.#one = Math.imul(this.#one ^ code, 0x01000193);
    const mixed = Math.imul(this.#other ^ code, 0x85ebca6b);
    this.#other = (mixed << 13) | (mixed >>> 19);
  }

  get value(): number {
    return (this.#one >>> 0) * 0x200000 + (this.#other & 0x1fffff);
  }
}
