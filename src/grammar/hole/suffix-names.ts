import type { Reader } from "../reading/reader.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import type { Filling } from "./filling.ts";

/** Bytes that are read before each check whether all names are closed. */
const stride = 512;

/**
 * The names with a second occurrence in the suffix: names that are open before or in the hole must
 * be equal to them.
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
   * The distinct names that seem to be second occurrences in the suffix, in the order of the text.
   */
  get written(): readonly string[] {
    this.#written ??= secondNamesIn(this.#reader.parser.grammar, new TextDecoder().decode(this.#segments[0]));
    return this.#written;
  }

  /** The non-empty prefixes of `name` whose rest is right behind the hole, and `name` itself. */
  withoutEndBehind(name: string): readonly string[] {
    const [behind] = this.#segments as [Uint8Array];
    const next = new TextDecoder().decode(behind.subarray(0, 4 * name.length));
    const beginnings = Array.from({ length: name.length }, (_, i) => name.slice(0, i + 1));
    return beginnings.filter((each) => next.startsWith(name.slice(each.length)));
  }

  /** Whether the suffix, up to the next hole, agrees with the names that `filling` leaves open. */
  agree({ readings, bytes }: Filling): boolean {
    const { none } = this.#reader.follower!;
    if (this.written.length === 0 && readings.every(({ names }) => names === none)) return true;
    const [behind] = this.#segments as [Uint8Array];
    const all = new Uint8Array(bytes.length + behind.length);
    all.set(bytes);
    all.set(behind, bytes.length);
    let readingsSoFar = readings;
    for (let at = bytes.length; at < all.length; ) {
      const end = Math.min(at + stride, all.length);
      readingsSoFar = this.#reader.read(readingsSoFar, all, at, end).readings;
      at = end;
      // From here on the names in the suffix do not depend on the hole.
      if (readingsSoFar.some(({ names }) => names === none)) return true;
      if (readingsSoFar.length === 0) return false;
    }
    return this.#segments.length > 1 || this.#reader.acceptsEnd(readingsSoFar, all, all.length);
  }
}

/** The texts between the literals that enclose second occurrences of names. */
function secondNamesIn(grammar: CompiledGrammar, text: string): readonly string[] {
  const names = new Set<string>();
  for (const [before, behind] of literalsAroundSecondNames(grammar)) {
    for (const piece of text.split(before).slice(1)) {
      const end = piece.indexOf(behind);
      if (end >= 0) names.add(piece.slice(0, end).trim());
    }
  }
  return [...names];
}

/**
 * A map from the literals right before second occurrences of names to the literals right behind
 * them; empty for a grammar without such names.
 */
export function literalsAroundSecondNames({ same = [], tables }: CompiledGrammar): ReadonlyMap<string, string> {
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

/** The text of a literal by its terminal's name; `undefined` for other terminals. */
function literalOf(terminal: string | undefined): string | undefined {
  return terminal?.startsWith('"') ? JSON.parse(terminal) : undefined;
}
