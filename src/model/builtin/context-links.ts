import { freeTable, type TableBytes, tableMemory } from "./table-memory.ts";

/** Bits of a place in a link, and of the check beside it. */
const placeBits = 25;
const checkBits = 7;
const placeMask = (1 << placeBits) - 1;
const checkMask = (1 << checkBits) - 1;

/** The most places that links can reach. */
export const maxPlaces = placeMask - 1;

/**
 * Slots of a block of frozen places, and keys of it, as powers of two: a lookup reads half a block.
 */
const blockBits = 4;
const blockKeyBits = blockBits + checkBits;
const blockKeyMask = (1 << blockKeyBits) - 1;

/**
 * How many places of one context are kept when links are frozen, the latest ones: half as many
 * again as a request visits, so that forgotten ones are made up for.
 */
const maxFrozen = 480;

/**
 * Frozen places: where the groups of each block begin, and the groups, of which a lookup reads
 * those of one block.
 */
export interface FrozenTables {
  readonly offsets: Uint32Array;
  readonly groups: TableBytes;
}

/** The tokens at the places that are visited. */
export interface VisitedTokens {
  readonly tokens: Int32Array;
  /** Is called before the token of a frozen place is used; without it, all tokens are there. */
  readonly read?: ((place: number) => void) | undefined;
}

/** How {@link ContextLinks.freezeInParts} works. */
export interface FreezeOptions {
  /** The tokens of all places, and their end. */
  readonly tokens: Int32Array;
  readonly end: number;
  /** Whether places with a boundary as token may be linked; they are left out. */
  readonly hasBoundaries: boolean;
  /** After about so many places there is a pause. */
  readonly places: number;
  /** Room that the links of several contexts use one after the other. */
  readonly room: FreezeRoom;
}

/**
 * The places of a corpus by one context, latest first.
 *
 * The hash of a context is cut to a key: its upper bits, the slot, and its lowest 7, the check. The
 * latest places are linked: there is a hash table of the latest place of each slot, and a link from
 * each place to the one before with the same slot. A link holds 25 bits of place and the check, so
 * that a walk skips other contexts without looking at their tokens. Links take four bytes a place,
 * and half a byte for the table.
 *
 * Older places are frozen: grouped by key, which takes two bytes a place, on the disk as in memory,
 * where they are read without being unpacked. A block of slots has an offset; its groups follow
 * each other by key. A group is
 *
 * - the difference of its key from the one before, times two, plus one where more than one place
 *   follows, as a varint;
 * - its latest place, in three or four bytes;
 * - of more than one place, the bytes of the rest as a varint, and the differences between places
 *   as varints.
 */
export class ContextLinks {
  readonly #slotBits: number;
  /** Places before this one are frozen. */
  #base = 0;
  #offsets = new Uint32Array(0);
  #groups: TableBytes = new Uint8Array(0);
  /** The links of the places from {@link #base} on. */
  #links = new Uint32Array(0);
  /** The latest linked place of each slot plus one; empty until the first link. */
  #heads = new Int32Array(0);

  /** `slotBits`: the number of slots, as a power of two from 4 to 22. */
  constructor(slotBits: number) {
    this.#slotBits = slotBits;
  }

  /**
   * Restores the {@link frozen} places before `end`; the tables are taken over. Throws an `Error`
   * when their lengths disagree.
   */
  static of(slotBits: number, end: number, { offsets, groups }: FrozenTables): ContextLinks {
    const links = new ContextLinks(slotBits);
    if (offsets.length !== links.#blocks + 1 || offsets.at(-1) !== groups.length) {
      throw new Error("the links' tables differ in length");
    }
    links.#base = end;
    links.#offsets = offsets as Uint32Array<ArrayBuffer>;
    links.#groups = groups;
    return links;
  }

  /** The tables of all places, after these were frozen. */
  get frozen(): FrozenTables {
    return { offsets: this.#offsets, groups: this.#groups };
  }

  /** Bytes of the tables. */
  get byteLength(): number {
    return this.#links.byteLength + this.#heads.byteLength + this.#offsets.byteLength + this.#groups.length;
  }

  /** Makes room for links of the places before `end`. */
  reserve(end: number): void {
    const room = this.#links.length;
    const needed = end - this.#base;
    if (needed <= room) return;
    if (this.#heads.length === 0) this.#heads = new Int32Array(1 << this.#slotBits);
    const links = new Uint32Array(room === 0 ? needed : Math.max(needed, Math.floor(room * 1.25)));
    links.set(this.#links);
    freeTable(this.#links);
    this.#links = links;
  }

  /** Links `place`, which follows all that were linked, by the hash of its context. */
  link(place: number, hash: number): void {
    const slot = hash >>> (32 - this.#slotBits);
    this.#links[place - this.#base] = this.#heads[slot]! | ((hash & checkMask) << placeBits);
    this.#heads[slot] = place + 1;
  }

  /** Forgets all places and keeps the room of the links. */
  clear(): void {
    this.#heads.fill(0);
    this.#base = 0;
    this.#offsets = new Uint32Array(0);
    this.#groups = new Uint8Array(0);
  }

  /**
   * Calls `visit` with up to `limit` places that have a context with this `hash`, latest first, but
   * for those whose token is a boundary. Gives up among the linked ones after passing eight times
   * as many of other contexts.
   */
  visit(hash: number, limit: number, { tokens, read }: VisitedTokens, visit: (place: number) => void): void {
    const slot = hash >>> (32 - this.#slotBits);
    const check = hash & checkMask;
    let left = limit;
    if (this.#heads.length > 0) {
      const links = this.#links;
      const base = this.#base;
      let others = limit * 8;
      for (let at = this.#heads[slot]!; at !== 0 && left > 0; ) {
        const place = at - 1;
        const link = links[place - base]!;
        if (tokens[place]! >= 4) {
          if (link >>> placeBits === check) {
            left--;
            visit(place);
          } else if (--others < 0) return;
        }
        at = link & placeMask;
      }
    }
    if (this.#base === 0 || left === 0) return;
    const block = slot >>> blockBits;
    const key = ((slot << checkBits) | check) & blockKeyMask;
    const cursor = this.#cursorAt(block);
    while (cursor.next() && cursor.key <= key) {
      if (cursor.key < key) continue;
      for (let place = cursor.latest(); place >= 0 && left > 0; place = cursor.earlier()) {
        read?.(place);
        if (tokens[place]! < 4) continue;
        left--;
        visit(place);
      }
    }
  }

  /** Freezes all places. During a pause, places may be visited, and not linked. */
  *freezeInParts({ tokens, end, hasBoundaries, places, room }: FreezeOptions): Generator<void, void> {
    if (this.#base === end && this.#offsets.length > 0) return;
    const blocks = this.#blocks;
    const linked = room.linkedPlaces(end - this.#base, blocks);
    const kept = hasBoundaries ? tokens : undefined;
    // Methods of their own for the loops: V8 is slow to optimize them in a generator.
    this.#enterHeads(linked);
    for (let to = linked.count; to > 0; to -= places) {
      this.#findSlots(linked, Math.max(0, to - places), to, kept);
      yield;
    }
    linked.sumUp();
    for (let to = linked.count; to > 0; to -= places) {
      this.#sort(linked, Math.max(0, to - places), to, kept);
      yield;
    }
    const offsets = new Uint32Array(blocks + 1);
    const { writer, collected } = room;
    writer.start(this.#groups.length + linked.count * 2, end);
    let left = places;
    for (let block = 0; block < blocks; block++) {
      left -= this.#collect(block, linked, collected, kept);
      collected.write(writer);
      offsets[block + 1] = writer.length;
      if (left <= 0) {
        left = places;
        yield;
      }
    }
    freeTable(this.#links);
    freeTable(this.#heads);
    this.#base = end;
    this.#offsets = offsets;
    this.#groups = writer.bytes();
    this.#links = new Uint32Array(0);
    this.#heads = new Int32Array(0);
  }

  #enterHeads({ slots }: LinkedPlaces): void {
    const heads = this.#heads;
    for (let slot = 0; slot < heads.length; slot++) {
      if (heads[slot] !== 0) slots[heads[slot]! - 1 - this.#base] = slot;
    }
  }

  /**
   * Finds the slots of linked places from the last to the first: each place hands its slot on. To
   * walk slot by slot takes three times as long, as each step waits for the memory.
   */
  #findSlots({ slots, ends }: LinkedPlaces, from: number, to: number, tokens: Int32Array | undefined): void {
    const links = this.#links;
    const base = this.#base;
    for (let at = to - 1; at >= from; at--) {
      const slot = slots[at]!;
      if (slot < 0) continue;
      const before = links[at]! & placeMask;
      if (before !== 0) slots[before - 1 - base] = slot;
      if (tokens === undefined || tokens[base + at]! >= 4) ends[slot >>> blockBits]!++;
    }
  }

  /** Sorts linked places by block. */
  #sort({ slots, ends, places, keys }: LinkedPlaces, from: number, to: number, tokens: Int32Array | undefined): void {
    const links = this.#links;
    const base = this.#base;
    for (let at = to - 1; at >= from; at--) {
      const slot = slots[at]!;
      if (slot < 0 || (tokens !== undefined && tokens[base + at]! < 4)) continue;
      const position = ends[slot >>> blockBits]!++;
      places[position] = base + at;
      keys[position] = ((slot << checkBits) | (links[at]! >>> placeBits)) & blockKeyMask;
    }
  }

  /**
   * Collects the places of a block, but for those with a boundary in `tokens`; how many it has
   * read.
   */
  #collect(block: number, linked: LinkedPlaces, collected: BlockPlaces, tokens: Int32Array | undefined): number {
    const { ends, places, keys } = linked;
    const start = block === 0 ? 0 : ends[block - 1]!;
    const end = ends[block]!;
    let read = end - start;
    for (let i = start; i < end; i++) collected.add(keys[i]!, places[i]!);
    if (this.#base > 0) {
      const cursor = this.#cursorAt(block);
      while (cursor.next()) {
        for (let place = cursor.latest(); place >= 0; place = cursor.earlier(), read++) {
          if (tokens === undefined || tokens[place]! >= 4) collected.add(cursor.key, place);
        }
      }
    }
    return read;
  }

  get #blocks(): number {
    return 1 << (this.#slotBits - blockBits);
  }

  #cursorAt(block: number): GroupCursor {
    const groups = this.#groups;
    const start = this.#offsets[block]!;
    const end = this.#offsets[block + 1]!;
    const width = widthOf(this.#base);
    if (groups instanceof Uint8Array) return new GroupCursor(groups, start, end, width);
    return new GroupCursor(groups.slice(start, end), 0, end - start, width);
  }
}

/** Bytes of a place before `end`. */
function widthOf(end: number): 3 | 4 {
  return end <= 1 << 24 ? 3 : 4;
}

/** Reads the groups of a block. */
class GroupCursor {
  /** The key of the present group, without the bits that all keys of the block share. */
  key = -1;
  readonly #bytes: Uint8Array;
  /** Where the next group begins, and where the block ends. */
  #next: number;
  readonly #end: number;
  readonly #width: 3 | 4;
  /** Where the rest of the present group is read. */
  #at = 0;
  #place = 0;

  constructor(bytes: Uint8Array, start: number, end: number, width: 3 | 4) {
    this.#bytes = bytes;
    this.#next = start;
    this.#end = end;
    this.#width = width;
  }

  /** Goes to the next group; `false` at the end of the block. */
  next(): boolean {
    if (this.#next >= this.#end) return false;
    const bytes = this.#bytes;
    this.#at = this.#next;
    const head = this.#varint();
    this.key += head >>> 1;
    const at = this.#at;
    this.#place = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
    if (this.#width === 4) this.#place |= bytes[at + 3]! << 24;
    this.#at += this.#width;
    const rest = (head & 1) === 0 ? 0 : this.#varint();
    this.#next = this.#at + rest;
    return true;
  }

  /** The latest place of the group. */
  latest(): number {
    return this.#place;
  }

  /** The place before the one read last; -1 when there is none. */
  earlier(): number {
    if (this.#at >= this.#next) return -1;
    this.#place -= this.#varint();
    return this.#place;
  }

  #varint(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[this.#at++]!;
      value |= (byte & 127) << shift;
    }
    return value;
  }
}

/** Linked places that are sorted by block, the latest of a block first. */
class LinkedPlaces {
  readonly count: number;
  /** The slot of each place; -1 for a place that is not linked. */
  readonly slots: Int32Array;
  /** For each block: how many places it has, then where they begin, and at last where they end. */
  readonly ends: Int32Array;
  /** The places by block, and the keys of them in it. */
  readonly places: Int32Array;
  readonly keys: Uint16Array;

  constructor(count: number, blocks: number) {
    this.count = count;
    this.slots = new Int32Array(count).fill(-1);
    this.ends = new Int32Array(blocks);
    this.places = new Int32Array(count);
    this.keys = new Uint16Array(count);
  }

  /** Forgets all places. */
  clear(): void {
    this.slots.fill(-1);
    this.ends.fill(0);
  }

  /** Frees the tables, which must not be used afterwards. */
  free(): void {
    for (const table of [this.slots, this.ends, this.places, this.keys]) freeTable(table);
  }

  sumUp(): void {
    let sum = 0;
    for (let block = 0; block < this.ends.length; block++) {
      const count = this.ends[block]!;
      this.ends[block] = sum;
      sum += count;
    }
  }
}

/** The places of a block by their key, those of one key latest first. */
class BlockPlaces {
  /** A bit for each key that occurs. */
  readonly #keys = new Int32Array((1 << blockKeyBits) / 32);
  /** For each key: how many places, and the first and the last entry of it. */
  readonly #counts = new Int32Array(1 << blockKeyBits);
  readonly #first = new Int32Array(1 << blockKeyBits);
  readonly #last = new Int32Array(1 << blockKeyBits);
  /** For each entry: the place, and the next entry of the same key. */
  #places = new Int32Array(1024);
  #next = new Int32Array(1024);
  #entries = 0;

  /** Adds a place; more than {@link maxFrozen} of one key are ignored. */
  add(key: number, place: number): void {
    const count = this.#counts[key]!;
    if (count === maxFrozen) return;
    if (this.#entries === this.#places.length) {
      this.#places = widened(this.#places);
      this.#next = widened(this.#next);
    }
    const entry = this.#entries++;
    this.#places[entry] = place;
    if (count === 0) {
      this.#keys[key >>> 5]! |= 1 << (key & 31);
      this.#first[key] = entry;
    } else this.#next[this.#last[key]!] = entry;
    this.#last[key] = entry;
    this.#counts[key] = count + 1;
  }

  /** Writes the places as groups, and forgets them. */
  write(writer: GroupWriter): void {
    let keyBefore = -1;
    for (let word = 0; word < this.#keys.length; word++) {
      let bits = this.#keys[word]!;
      while (bits !== 0) {
        const lowest = bits & -bits;
        bits ^= lowest;
        const key = word * 32 + 31 - Math.clz32(lowest);
        writer.write(key - keyBefore, this.#counts[key]!, this.#first[key]!, this.#places, this.#next);
        this.#counts[key] = 0;
        keyBefore = key;
      }
      this.#keys[word] = 0;
    }
    this.#entries = 0;
  }
}

/** Writes groups. */
class GroupWriter {
  /** Bytes written so far. */
  length = 0;
  #bytes = new Uint8Array(0);
  #width: 3 | 4 = 3;
  /** The places of a group but the first one, as bytes. */
  readonly #rest = new Uint8Array(maxFrozen * 4);

  /** Starts another output. `expectedBytes` sizes the output; `end` is the end of the places. */
  start(expectedBytes: number, end: number): void {
    if (this.#bytes.length < expectedBytes + maxGroupBytes) this.#bytes = new Uint8Array(expectedBytes + maxGroupBytes);
    this.#width = widthOf(end);
    this.length = 0;
  }

  /** Writes a group of `count` places, which begins with the entry `first` of `places`. */
  write(keyDifference: number, count: number, first: number, places: Int32Array, next: Int32Array): void {
    if (this.#bytes.length - this.length < maxGroupBytes) {
      const bytes = new Uint8Array(Math.floor(this.#bytes.length * 1.25) + maxGroupBytes);
      bytes.set(this.#bytes);
      this.#bytes = bytes;
    }
    const bytes = this.#bytes;
    let place = places[first]!;
    let at = writeVarint(bytes, this.length, (keyDifference << 1) | (count > 1 ? 1 : 0));
    bytes[at++] = place;
    bytes[at++] = place >>> 8;
    bytes[at++] = place >>> 16;
    if (this.#width === 4) bytes[at++] = place >>> 24;
    if (count > 1) {
      const rest = this.#rest;
      let restLength = 0;
      for (let i = 1, entry = next[first]!; i < count; i++, entry = next[entry]!) {
        const before = places[entry]!;
        restLength = writeVarint(rest, restLength, place - before);
        place = before;
      }
      at = writeVarint(bytes, at, restLength);
      for (let i = 0; i < restLength; i++) bytes[at++] = rest[i]!;
    }
    this.length = at;
  }

  /** What was written, in memory of its own. */
  bytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(tableMemory(this.length), 0, this.length);
    bytes.set(this.#bytes.subarray(0, this.length));
    return bytes;
  }

  free(): void {
    freeTable(this.#bytes);
  }
}

/**
 * What links need while they are frozen: about 14 bytes a place. It is used for one context after
 * the other, since memory that is only collected as garbage is not given back between them.
 */
export class FreezeRoom implements Disposable {
  readonly collected = new BlockPlaces();
  readonly writer = new GroupWriter();
  #linked: LinkedPlaces | undefined;

  linkedPlaces(count: number, blocks: number): LinkedPlaces {
    if (this.#linked?.count !== count || this.#linked.ends.length !== blocks) {
      this.#linked?.free();
      this.#linked = new LinkedPlaces(count, blocks);
    } else this.#linked.clear();
    return this.#linked;
  }

  [Symbol.dispose](): void {
    this.#linked?.free();
    this.writer.free();
  }
}

/** The most bytes of a group. */
const maxGroupBytes = maxFrozen * 4 + 16;

function widened(table: Int32Array): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(table.length * 2);
  wider.set(table);
  return wider;
}

/** Writes `value` at `at`, seven bits a byte, the lowest first, and returns where it ends. */
function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  while (value > 127) {
    bytes[at++] = (value & 127) | 128;
    value >>>= 7;
  }
  bytes[at++] = value;
  return at;
}
