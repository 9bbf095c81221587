import type { Reader } from "../reading/reader.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import type { Filling } from "./filling.ts";

/** Bytes that are read at once before it is looked whether all names are written again. */
const stride = 512;

/**
 * The names that are written the second time behind a hole: what was opened before it, or in it,
 * must agree with them.
 */
export class SuffixNames {
  readonly #reader: Reader;
  readonly #segments: readonly Uint8Array[];
  #written: readonly string[] | undefined;

  constructor(reader: Reader, segments: readonly Uint8Array[]) {
    this.#reader = reader;
    this.#segments = segments;
  }

  /**
   * The names behind the hole that seem to be written the second time, each once, in the order of
   * the text.
   */
  get written(): readonly string[] {
    this.#written ??= writtenIn(this.#reader.parser.grammar, new TextDecoder().decode(this.#segments[0]));
    return this.#written;
  }

  /** The beginnings of `name`, not empty, whose rest is right behind the hole, and all of it. */
  withoutEndBehind(name: string): readonly string[] {
    const [behind] = this.#segments as [Uint8Array];
    const next = new TextDecoder().decode(behind.subarray(0, 4 * name.length));
    const beginnings = Array.from({ length: name.length }, (_, i) => name.slice(0, i + 1));
    return beginnings.filter((each) => next.startsWith(name.slice(each.length)));
  }

  /**
   * Whether the text behind, up to the next hole, agrees with the names that `filling` leaves open.
   */
  agree({ readings, bytes }: Filling): boolean {
    const { none } = this.#reader.follower!;
    if (this.written.length === 0 && readings.every(({ names }) => names === none)) return true;
    const [behind] = this.#segments as [Uint8Array];
    const all = new Uint8Array(bytes.length + behind.length);
    all.set(bytes);
    all.set(behind, bytes.length);
    let ways = readings;
    for (let at = bytes.length; at < all.length; ) {
      const end = Math.min(at + stride, all.length);
      ways = this.#reader.read(ways, all, at, end).readings;
      at = end;
      // What follows is the same whatever is in the hole.
      if (ways.some(({ names }) => names === none)) return true;
      if (ways.length === 0) return false;
    }
    return this.#segments.length > 1 || this.#reader.acceptsEnd(ways, all, all.length);
  }
}

/** The text between the texts that are around a name written the second time. */
function writtenIn(grammar: CompiledGrammar, text: string): readonly string[] {
  const names = new Set<string>();
  for (const [before, behind] of placesOfAgain(grammar)) {
    for (const piece of text.split(before).slice(1)) {
      const end = piece.indexOf(behind);
      if (end >= 0) names.add(piece.slice(0, end).trim());
    }
  }
  return [...names];
}

/** The texts right before names that are written the second time, with those right behind them. */
export function placesOfAgain({ same = [], tables }: CompiledGrammar): ReadonlyMap<string, string> {
  const around = new Map<string, string>();
  for (const symbol of same) {
    for (const right of tables.productionRight) {
      const at = right.lastIndexOf(symbol);
      if (at <= right.indexOf(symbol)) continue;
      const [before, behind] = [right[at - 1]!, right[at + 1]].map((part) => literalOf(tables.terminals[part ?? -1]));
      if (before !== undefined && behind !== undefined) around.set(before, behind);
    }
  }
  return around;
}

/** The text of a terminal that is one; literals are called by their text in quotes. */
function literalOf(terminal: string | undefined): string | undefined {
  return terminal?.startsWith('"') ? JSON.parse(terminal) : undefined;
}
