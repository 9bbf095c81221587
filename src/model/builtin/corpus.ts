import { ContextLinks, FreezeRoom, maxPlaces } from "./context-links.ts";
import { ContextWalker, contextNames, farContexts } from "./context-walker.ts";
import type { TableBytes } from "./table-memory.ts";
import { isNewline, TokenKind } from "./token.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The bytes in a buffer of their own: as they are when they have one, else copied. */
function own(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? buffer : new Uint8Array(bytes).buffer;
}

/** Bytes in memory as a plain array, which is faster to read than a buffer of Node's. */
function inMemory(bytes: TableBytes): TableBytes {
  return bytes instanceof Uint8Array ? new Uint8Array(own(bytes), 0, bytes.length) : bytes;
}

/** How many tokens before and after a place that it visits a request looks at, at most. */
const reach = 64;

/** Tokens that are still on the disk. */
class UnreadTokens {
  readonly #bytes: TableBytes;
  readonly #partBytes: number;
  readonly #isRead: Uint8Array;
  #left: number;

  constructor(bytes: TableBytes) {
    this.#bytes = bytes;
    this.#partBytes = bytes.partBytes ?? 16_384;
    this.#left = Math.ceil(bytes.length / this.#partBytes);
    this.#isRead = new Uint8Array(this.#left);
  }

  /**
   * Reads at least the tokens from `start` to `end` into `tokens`, but for those that were read
   * before.
   */
  read(tokens: Int32Array, start: number, end: number): void {
    if (this.#left === 0) return;
    const partBytes = this.#partBytes;
    const last = Math.min(this.#isRead.length, Math.ceil((end * 4) / partBytes));
    for (let part = Math.max(0, Math.floor((start * 4) / partBytes)); part < last; part++) {
      if (this.#isRead[part] === 1) continue;
      const from = part * partBytes;
      const bytes = this.#bytes.slice(from, Math.min(this.#bytes.length, from + partBytes));
      new Uint8Array(tokens.buffer, tokens.byteOffset + from, bytes.length).set(bytes);
      this.#isRead[part] = 1;
      this.#left--;
    }
  }
}

/** 32-bit words in a signature. */
export const signatureWords = 64;

/** The most tokens one corpus holds: about 100 MB of source. */
export const maxCorpusTokens = maxPlaces;

/** What a corpus is restored from, see {@link Corpus.tables}. */
export interface CorpusTables {
  readonly tables: readonly Uint8Array[];
  /** Where they are not in memory, those that a request needs are read when it needs them. */
  readonly tokens: TableBytes;
  readonly groups: readonly TableBytes[];
}

/** A stretch of tokens that one document occupies. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/**
 * Token streams of many documents, linked by context.
 *
 * A forgotten document's tokens become boundaries, which every walk passes over uncounted;
 * {@link compact} gives the room back.
 */
export class Corpus {
  /** Those that were not read yet are 0. */
  #tokens: Int32Array;
  /** Where those are. */
  #unread: UnreadTokens | undefined;
  length = 0;
  /** Places of forgotten documents. */
  dead = 0;
  readonly #vocabulary: Vocabulary;
  readonly #walker: ContextWalker;
  /** Where each document starts, forgotten ones included, ascending; and which names it uses. */
  readonly documentStarts: number[] = [];
  /** The signatures of the documents that were restored, one after the other, and of the others. */
  #restoredSignatures = new Uint32Array(0);
  readonly #signatures: Uint32Array[] = [];
  readonly paths: string[] = [];
  /** Which contexts link the tokens, and where the links of each are. */
  readonly #contexts: readonly number[];
  readonly #linksOf: Int32Array;
  #links: readonly ContextLinks[];
  #slotBits: number;

  /**
   * `contexts` are those that link the tokens. `expectedTokens` sizes the tables; more may come, at
   * the price of longer walks.
   */
  constructor(vocabulary: Vocabulary, contexts: readonly number[], expectedTokens: number) {
    this.#contexts = contexts;
    this.#linksOf = new Int32Array(contextNames.length).fill(-1);
    for (const [i, context] of contexts.entries()) this.#linksOf[context] = i;
    this.#vocabulary = vocabulary;
    this.#walker = new ContextWalker(vocabulary);
    const capacity = Math.max(64, Math.min(expectedTokens, maxCorpusTokens));
    this.#tokens = new Int32Array(capacity);
    this.#slotBits = Math.max(6, Math.round(Math.log2(capacity / 8)));
    this.#links = contexts.map(() => new ContextLinks(this.#slotBits));
    for (const links of this.#links) links.reserve(capacity);
  }

  /**
   * The tokens, all in memory. May throw an `EmendError` as {@link TableBytes.slice} does, as all
   * can that reads tokens.
   */
  get tokens(): Int32Array {
    this.#unread?.read(this.#tokens, 0, this.length);
    this.#unread = undefined;
    return this.#tokens;
  }

  /** The tokens, of which those of a stretch are in memory, and those around each visited place. */
  tokensIn({ start, end }: Region): Int32Array {
    this.#unread?.read(this.#tokens, start, end);
    return this.#tokens;
  }

  /**
   * The tokens, of which those around each place are in memory that {@link visit} has passed on.
   */
  get visitedTokens(): Int32Array {
    return this.#tokens;
  }

  /** What {@link tables} hold, as plain data. */
  describe(): { length: number; dead: number; slotBits: number; starts: readonly number[]; paths: readonly string[] } {
    const { length, dead, documentStarts, paths } = this;
    return { length, dead, slotBits: this.#slotBits, starts: documentStarts, paths };
  }

  /**
   * Freezes the links, which makes them smaller, with a pause after about `places` of them. During
   * a pause, requests are allowed; learning and forgetting are not.
   */
  *freezeInParts(places: number): Generator<void, void> {
    const { tokens, length: end } = this;
    using room = new FreezeRoom();
    const options = { tokens, end, hasBoundaries: this.dead > 0, places, room };
    for (const links of this.#links) yield* links.freezeInParts(options);
  }

  /**
   * The tables as bytes, views of what is in use. The links are frozen by it. `groups` are those of
   * the links; like `tokens`, they need not be in memory when a corpus is restored.
   */
  tables(): { readonly tables: Uint8Array[]; readonly tokens: Uint8Array; readonly groups: TableBytes[] } {
    for (const _ of this.freezeInParts(Number.POSITIVE_INFINITY));
    const signatures = new Uint32Array(this.documentStarts.length * signatureWords);
    signatures.set(this.#restoredSignatures);
    const from = this.#restoredSignatures.length;
    for (const [i, signature] of this.#signatures.entries()) signatures.set(signature, from + i * signatureWords);
    const frozen = this.#links.map((links) => links.frozen);
    const offsets = frozen.map((table) => bytesOf(table.offsets));
    return {
      tables: [bytesOf(signatures), ...offsets],
      tokens: bytesOf(this.tokens.subarray(0, this.length)),
      groups: frozen.map(({ groups }) => groups),
    };
  }

  /**
   * Restores the corpus from the results of {@link describe} and {@link tables}. Tables that own
   * their whole buffer are used without a copy. Throws an `Error` when the lengths disagree.
   */
  static of(
    vocabulary: Vocabulary,
    contexts: readonly number[],
    { length, dead, slotBits, starts, paths }: ReturnType<Corpus["describe"]>,
    { tables: [signatures, ...offsets], tokens, groups }: CorpusTables,
  ): Corpus {
    const count = contexts.length;
    const fits =
      tokens.length === length * 4 &&
      signatures?.length === starts.length * signatureWords * 4 &&
      offsets.length === count &&
      offsets.every(({ length }) => length % 4 === 0) &&
      groups.length === count;
    if (!fits) throw new Error("the corpus's tables differ in length");
    const corpus = new Corpus(vocabulary, contexts, 0);
    corpus.#slotBits = slotBits;
    corpus.#links = contexts.map((_, i) =>
      ContextLinks.of(slotBits, length, {
        // With their lengths: a view without one follows a buffer that is resized, which is slower.
        offsets: new Uint32Array(own(offsets[i]!), 0, offsets[i]!.length / 4),
        groups: inMemory(groups[i]!),
      }),
    );
    if (tokens instanceof Uint8Array) corpus.#tokens = new Int32Array(own(tokens), 0, length);
    else {
      corpus.#tokens = new Int32Array(length);
      corpus.#unread = new UnreadTokens(tokens);
    }
    corpus.length = length;
    corpus.dead = dead;
    corpus.documentStarts.push(...starts);
    corpus.paths.push(...paths);
    corpus.#restoredSignatures = new Uint32Array(own(signatures!));
    return corpus;
  }

  /** Bytes held by the tables. */
  get byteLength(): number {
    return this.#links.reduce((bytes, links) => bytes + links.byteLength, this.#tokens.byteLength);
  }

  /**
   * Appends the first `count` of `tokens` as one document, with a boundary before them. Only those
   * from `linkFrom` to `linkTo` can be found by context; default: all of them.
   */
  append(tokens: Int32Array, count: number, path = "", linkFrom = 0, linkTo = count): Region {
    const region = this.place(tokens, count, path);
    this.#link(region.start + Math.max(0, linkFrom), region.start + Math.min(count, linkTo));
    return region;
  }

  /** {@link append} without the links: see {@link linkInParts}. */
  place(tokens: Int32Array, count: number, path: string): Region {
    this.#reserve(this.length + count + 1);
    this.#tokens[this.length++] = 0;
    const start = this.length;
    this.#tokens.set(count === tokens.length ? tokens : tokens.subarray(0, count), start);
    this.length += count;
    this.documentStarts.push(start);
    this.paths.push(path);
    this.#signatures.push(this.signatureOf(start, this.length));
    return { start, end: this.length };
  }

  /**
   * Links a document that was placed, so many tokens at a time, with a pause after each but the
   * last.
   */
  *linkInParts({ start, end }: Region, tokens: number): Generator<void, void> {
    for (let from = start; from < end; from += tokens) {
      this.#link(from, Math.min(end, from + tokens), start, end);
      if (from + tokens < end) yield;
    }
  }

  /** The index in {@link documentStarts} of the document that `place` is in. */
  documentAt(place: number): number {
    const starts = this.documentStarts;
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= place) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Which names the document uses that has this index in {@link documentStarts}. */
  signatureAt(index: number): Uint32Array {
    const restored = this.#restoredSignatures;
    const from = index * signatureWords;
    return from < restored.length
      ? restored.subarray(from, from + signatureWords)
      : this.#signatures[index - restored.length / signatureWords]!;
  }

  /** A set of the names in a stretch, as bits. */
  signatureOf(start: number, end: number): Uint32Array {
    const { hashes, kinds } = this.#vocabulary;
    const tokens = this.tokensIn({ start, end });
    const bits = new Uint32Array(signatureWords);
    for (let place = start; place < end; place++) {
      const id = tokens[place]! >> 2;
      if (kinds[id] !== TokenKind.name) continue;
      const hash = hashes[id]! >>> 7;
      bits[(hash >>> 5) & (signatureWords - 1)]! |= 1 << (hash & 31);
    }
    return bits;
  }

  /** Appends one token without linking it: the text being written. */
  appendLoose(token: number): void {
    if (this.length === this.#tokens.length) this.#reserve(this.length + 1);
    this.#tokens[this.length++] = token;
  }

  /** Takes back everything from `length` on that was appended loosely. */
  truncateLoose(length: number): void {
    this.length = length;
  }

  /** Forgets a document. The caller gives its counts back to the vocabulary. */
  forget(region: Region): void {
    this.tokensIn(region).fill(0, region.start, region.end);
    this.dead += region.end - region.start + 1;
  }

  /** Makes a document invisible and gives back how to show it again. */
  hide(region: Region): () => void {
    const tokens = this.tokensIn(region).slice(region.start, region.end);
    this.#tokens.fill(0, region.start, region.end);
    return () => this.#tokens.set(tokens, region.start);
  }

  /** Forgets everything and keeps the room. */
  clear(): void {
    for (const links of this.#links) links.clear();
    this.#unread = undefined;
    this.length = 0;
    this.dead = 0;
    this.documentStarts.length = 0;
    this.#restoredSignatures = new Uint32Array(0);
    this.#signatures.length = 0;
    this.paths.length = 0;
  }

  /**
   * The same documents in the same order without the room that forgotten ones held, and where each
   * is now.
   */
  compact(regions: Iterable<readonly [string, Region]>): Map<string, Region> {
    const kept = [...regions].sort((a, b) => a[1].start - b[1].start);
    const { tokens } = this;
    this.clear();
    for (const links of this.#links) links.reserve(tokens.length);
    const moved = new Map<string, Region>();
    for (const [name, { start, end }] of kept) {
      // Documents only move towards the start, so none is overwritten before it has moved.
      tokens[this.length++] = 0;
      const to = this.length;
      tokens.copyWithin(to, start, end);
      this.length += end - start;
      this.#link(to, this.length);
      this.documentStarts.push(to);
      this.paths.push(name);
      this.#signatures.push(this.signatureOf(to, this.length));
      moved.set(name, { start: to, end: this.length });
    }
    return moved;
  }

  /**
   * Calls `visit` with up to `limit` places that have the context `context` with this `hash`,
   * latest first. The context has to be one that the corpus is linked by. Of
   * {@link visitedTokens}, 64 tokens before and after the place are in memory then.
   */
  visit(context: number, hash: number, limit: number, visit: (place: number) => void): void {
    const unread = this.#unread;
    const tokens = this.#tokens;
    const read = unread && ((place: number) => unread.read(tokens, place - reach, place + reach));
    this.#links[this.#linksOf[context]!]!.visit(hash, limit, { tokens, read }, visit);
  }

  /**
   * Links the places from `start` to `end` of a stretch; what is before them in it was linked last.
   */
  #link(start: number, end: number, stretchStart = start, stretchEnd = end): void {
    const walker = this.#walker;
    const tokens = this.#tokens;
    const hashes = walker.hashes;
    const isFar = this.#contexts === farContexts;
    if (start === stretchStart) walker.reset();
    let nextBreak = start - 1;
    for (let place = start; place < end; place++) {
      if (place > nextBreak) {
        nextBreak = place;
        while (nextBreak < stretchEnd && !isNewline(tokens[nextBreak]! >> 2)) nextBreak++;
        walker.setNextLine(
          nextBreak + 1 < stretchEnd ? tokens[nextBreak + 1]! >> 2 : 0,
          nextBreak + 2 < stretchEnd ? tokens[nextBreak + 2]! >> 2 : 0,
        );
      }
      if (isFar) walker.lookFar();
      else walker.look();
      for (let c = 0; c < this.#contexts.length; c++) this.#links[c]!.link(place, hashes[this.#contexts[c]!]!);
      walker.push(tokens[place]! >> 2);
    }
  }

  #reserve(length: number): void {
    if (length > this.#tokens.length) {
      const tokens = new Int32Array(
        Math.min(maxCorpusTokens, Math.max(length + 64, Math.floor(this.#tokens.length * 1.25))),
      );
      tokens.set(this.#tokens);
      this.#tokens = tokens;
    }
    for (const links of this.#links) links.reserve(length);
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
