import { boundaryId, firstTextId, TokenKind } from "./token.ts";

/** The words that have a fixed meaning in at least one of the registry's languages. */
const keywords = new Set(
  `abstract and as assert async await bool boolean break byte case catch char class const continue crate declare
  def default defer del do done double echo elif else elsif ensure enum esac except export extends extern
  fallthrough false fi final finally float fn for foreach from func function global go goto if impl implements
  import in instanceof int interface internal is keyof lambda let long mod mut namespace new nil none None
  nonlocal not null nullptr number of operator or override package pass private protected pub public raise
  readonly require rescue return satisfies sealed self Self short signed sizeof static string struct super switch
  template this throw throws trait True False true try type typedef typename typeof undefined union unless unsafe
  unsigned use using var virtual void volatile when where while with yield any never unknown object bigint infer
  asserts get set`.split(/\s+/),
);

/** The number of {@link Vocabulary.tables}. */
export const vocabularyTables = 3;

/**
 * The distinct tokens of everything learnt, counted.
 *
 * An id is valid while its count is above zero; freed ids are reused, so that weeks of learning and
 * forgetting do not grow the table. Ids are private to one process, and their order has no meaning.
 */
export class Vocabulary {
  /** The text of each id; empty for freed ids and for those below {@link firstTextId}. */
  readonly names: string[] = [];
  /** The {@link TokenKind} of each id. */
  kinds = new Uint8Array(1 << 12);
  /** How often each id occurs in what is learnt. */
  counts = new Int32Array(1 << 12);
  /** A hash of each id's text, the same in every process. */
  hashes = new Int32Array(1 << 12);
  #slots = new Int32Array(1 << 13);
  /**
   * Names by their first two letters: the head of each list, and the next name of the same list.
   */
  #initials = new Int32Array(1 << 12).fill(-1);
  #nextInitial = new Int32Array(1 << 12);
  #free: number[] = [];
  #live = 0;

  constructor() {
    for (let id = 0; id < firstTextId; id++) {
      this.names.push("");
      this.kinds[id] = id === boundaryId ? TokenKind.boundary : TokenKind.newline;
      this.hashes[id] = Math.imul(id + 1, 0x2c1b3c6d);
    }
  }

  /** The counts, hashes and kinds as bytes, one entry an id; the texts are kept beside them. */
  tables(): Uint8Array[] {
    const limit = this.names.length;
    const bytesOf = ({ buffer }: Int32Array) => new Uint8Array(buffer, 0, limit * 4);
    return [bytesOf(this.counts), bytesOf(this.hashes), this.kinds.subarray(0, limit)];
  }

  /**
   * The vocabulary that {@link tables} and its names describe. Throws an `Error` when they do not
   * fit together.
   */
  static of(names: readonly string[], [counts, hashes, kinds]: readonly Uint8Array[]): Vocabulary {
    const vocabulary = new Vocabulary();
    const limit = names.length;
    const fits = counts?.length === limit * 4 && hashes?.length === limit * 4 && kinds?.length === limit;
    if (!fits) throw new Error("the vocabulary's tables differ in length");
    const numbersOf = (bytes: Uint8Array) => new Int32Array(new Uint8Array(bytes).buffer);
    vocabulary.#restore(names, { counts: numbersOf(counts), hashes: numbersOf(hashes), kinds });
    return vocabulary;
  }

  /** The number of distinct texts counted at present. */
  get size(): number {
    return this.#live;
  }

  /** Bytes held by the tables and, at two a character, by the texts. */
  get byteLength(): number {
    let characters = 0;
    for (const name of this.names) characters += name.length;
    const tables = [this.kinds, this.counts, this.hashes, this.#slots, this.#initials, this.#nextInitial];
    return tables.reduce((bytes, table) => bytes + table.byteLength, 2 * characters);
  }

  /** One more than the largest id ever given out. */
  get limit(): number {
    return this.names.length;
  }

  /** The id of `text[start, end)` read as `kind`, counted once more; a new id when it is new. */
  add(text: string, start: number, end: number, kind: number): number {
    const hash = hashText(text, start, end, kind);
    const slot = this.#find(text, start, end, kind, hash);
    let id = this.#slots[slot]! - 1;
    if (id < 0) id = this.#insert(detached(text.slice(start, end)), kind, hash, slot);
    this.counts[id]!++;
    return id;
  }

  /** The id of `text[start, end)` read as `kind`, or -1 when it is not known. Counts nothing. */
  get(text: string, start: number, end: number, kind: number): number {
    return this.#slots[this.#find(text, start, end, kind, hashText(text, start, end, kind))]! - 1;
  }

  /** Takes one count back; the id is freed when none is left. */
  release(id: number): void {
    if (id < firstTextId) return;
    if (--this.counts[id]! === 0) this.#remove(id);
  }

  /**
   * Calls `visit` with every name whose first two characters (or the only one) may be those of
   * `prefix`.
   */
  visitInitial(prefix: string, visit: (id: number) => void): void {
    const first = initialOf(prefix);
    const step = prefix.length < 2 ? 64 : 4096;
    for (let initial = first; initial < 4096; initial += step) {
      for (let id = this.#initials[initial]!; id >= 0; id = this.#nextInitial[id]!) visit(id);
    }
  }

  #find(text: string, start: number, end: number, kind: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const length = end - start;
    let slot = hash & mask;
    for (;;) {
      const id = slots[slot]! - 1;
      if (id < 0) return slot;
      if (this.hashes[id] === hash && sameKind(this.kinds[id]!, kind)) {
        const name = this.names[id]!;
        if (name.length === length && text.startsWith(name, start)) return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  #insert(name: string, kind: number, hash: number, slot: number): number {
    const id = this.#free.pop() ?? this.names.length;
    if (id >= this.kinds.length) this.#widen();
    this.names[id] = name;
    this.kinds[id] = kind === TokenKind.name && keywords.has(name) ? TokenKind.keyword : kind;
    this.hashes[id] = hash;
    this.counts[id] = 0;
    this.#slots[slot] = id + 1;
    this.#live++;
    if (kind === TokenKind.name) this.#linkInitial(id, name);
    if (this.#live * 2 > this.#slots.length) this.#rehash();
    return id;
  }

  #restore(
    names: readonly string[],
    { counts, hashes, kinds }: { readonly counts: Int32Array; readonly hashes: Int32Array; readonly kinds: Uint8Array },
  ): void {
    while (this.kinds.length < names.length) this.#widen();
    this.kinds.set(kinds);
    this.counts.set(counts);
    this.hashes.set(hashes);
    let length = this.#slots.length;
    while (length < names.length * 2) length *= 2;
    const slots = new Int32Array(length);
    const mask = length - 1;
    for (let id = firstTextId; id < names.length; id++) {
      const name = names[id]!;
      this.names.push(name);
      if (name === "") {
        this.#free.push(id);
        continue;
      }
      let slot = hashes[id]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
      const kind = kinds[id]!;
      if (kind === TokenKind.name || kind === TokenKind.keyword) this.#linkInitial(id, name);
    }
    this.#slots = slots;
    this.#live = names.length - firstTextId - this.#free.length;
  }

  #linkInitial(id: number, name: string): void {
    const initial = initialOf(name);
    this.#nextInitial[id] = this.#initials[initial]!;
    this.#initials[initial] = id;
  }

  #remove(id: number): void {
    const name = this.names[id]!;
    const kind = this.kinds[id]!;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hole = this.#find(name, 0, name.length, kind, this.hashes[id]!);
    // Linear probing keeps runs without holes: move up whatever the hole would hide.
    for (let slot = (hole + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const home = this.hashes[slots[slot]! - 1]! & mask;
      if (((slot - home) & mask) >= ((slot - hole) & mask)) {
        slots[hole] = slots[slot]!;
        hole = slot;
      }
    }
    slots[hole] = 0;
    if (kind === TokenKind.name || kind === TokenKind.keyword) this.#unlinkInitial(id, name);
    this.names[id] = "";
    this.#free.push(id);
    this.#live--;
  }

  #unlinkInitial(id: number, name: string): void {
    const initial = initialOf(name);
    if (this.#initials[initial] === id) {
      this.#initials[initial] = this.#nextInitial[id]!;
      return;
    }
    for (let at = this.#initials[initial]!; at >= 0; at = this.#nextInitial[at]!) {
      if (this.#nextInitial[at] === id) {
        this.#nextInitial[at] = this.#nextInitial[id]!;
        return;
      }
    }
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (const old of this.#slots) {
      if (old === 0) continue;
      let slot = this.hashes[old - 1]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = old;
    }
    this.#slots = slots;
  }

  #widen(): void {
    const length = this.kinds.length * 2;
    const widened = <T extends Uint8Array | Int32Array>(from: T, to: T): T => {
      to.set(from as never);
      return to;
    };
    this.kinds = widened(this.kinds, new Uint8Array(length));
    this.counts = widened(this.counts, new Int32Array(length));
    this.hashes = widened(this.hashes, new Int32Array(length));
    this.#nextInitial = widened(this.#nextInitial, new Int32Array(length));
  }
}

/**
 * The same text in memory of its own: a long slice would keep the whole file that it was cut from.
 */
function detached(slice: string): string {
  return slice.length < 13 ? slice : slice.split("").join("");
}

/** A keyword is a name that the vocabulary has recognised; both are looked up as names. */
function sameKind(known: number, wanted: number): boolean {
  return known === wanted || (known === TokenKind.keyword && wanted === TokenKind.name);
}

/** FNV-1a over UTF-16 code units, then the kind. */
function hashText(text: string, start: number, end: number, kind: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (kind === TokenKind.keyword ? TokenKind.name : kind), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) | 0;
}

function initialOf(name: string): number {
  const first = name.charCodeAt(0) & 63;
  return name.length < 2 ? first : (first | ((name.charCodeAt(1) & 63) << 6)) & 4095;
}
