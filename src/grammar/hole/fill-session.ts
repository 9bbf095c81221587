import { SerialQueue } from "../../async/index.ts";
import { Parser } from "../reading/parser.ts";
import { PrefixReader } from "../reading/prefix-reader.ts";
import { Reader, type Reading } from "../reading/reader.ts";
import { type SliceOptions, WorkSlices } from "../reading/work-slices.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { Hole } from "./hole.ts";
import { SuffixAnalysis, SuffixDigest } from "./suffix-analysis.ts";

/** A text, as a string or as bytes of UTF-8. */
export type Text = string | Uint8Array;

/** A text with a hole. */
export interface TextAround {
  /** The text before the hole. */
  readonly before: Text;
  /** The text behind it: one text, or several with a further hole between each two. */
  readonly behind: Text | readonly Text[];
}

/** The result of opening a hole. Offsets count bytes of UTF-8. */
export type HoleOpening =
  | { readonly kind: "open"; readonly hole: Hole }
  /**
   * No text of the language begins with the prefix; the lexeme at `offset` is not allowed there.
   */
  | { readonly kind: "dead-prefix"; readonly offset: number }
  /**
   * No text of the language ends with the suffix, for any prefix; what begins at `offset` was not
   * reached.
   */
  | { readonly kind: "dead-suffix"; readonly offset: number }
  /** Prefix and suffix each occur in texts of the language, but not together. */
  | { readonly kind: "no-filling" };

/**
 * The result of opening a hole in slices: a {@link HoleOpening}, or `too-slow` when it exceeds its
 * time.
 */
export type SlicedOpening = HoleOpening | { readonly kind: "too-slow" };

/** Options of {@link FillSession}. */
export interface FillSessionOptions {
  /**
   * The most stack nodes that are kept; with more, the session drops its caches at the next hole.
   * Default: 200,000. A node takes about 560 bytes with the cached results about it, so that this
   * is some 110 MB; a file of 1,000 lines has about 5,000.
   */
  readonly maxNodes?: number;
}

const defaultMaxNodes = 200_000;

/**
 * Opens holes in a text that is being edited, and reuses what an edit leaves valid: the suffix is
 * analysed once, and only the edited part of the prefix is read again.
 */
export class FillSession {
  readonly grammar: CompiledGrammar;
  readonly #maxNodes: number;
  #reader: Reader;
  #prefix: PrefixReader;
  #analysis: SuffixAnalysis | undefined;
  #analysing: SuffixDigest | undefined;
  readonly #slices = new WorkSlices();
  /**
   * Settles when the last opening in slices is over: openings run one after the other, since they
   * share state between slices.
   */
  #openings = new SerialQueue();

  constructor(grammar: CompiledGrammar, { maxNodes = defaultMaxNodes }: FillSessionOptions = {}) {
    this.grammar = grammar;
    this.#maxNodes = maxNodes;
    this.#reader = new Reader(new Parser(grammar));
    this.#prefix = new PrefixReader(this.#reader, this.#slices);
  }

  /** The number of stack nodes that are kept. */
  get nodeCount(): number {
    return this.#reader.parser.stacks.nodeCount;
  }

  /** Opens the hole of `text`. Holes that were opened before stay valid. */
  open({ before, behind }: TextAround): HoleOpening {
    if (this.nodeCount > this.#maxNodes) this.#forget();
    return this.#open(toBytes(before), segmentsOf(behind));
  }

  /**
   * As {@link open}, in slices between which timers, signals and I/O run: a text of 100 kB takes
   * about a second. Calls run one after the other. `too-slow` where the slices of this call take
   * longer than `maxMs` together; the work is then discarded. Rejects with the signal's reason.
   */
  openInSlices(text: TextAround, options: SliceOptions): Promise<SlicedOpening> {
    return this.#openings.run(() => this.#openInSlices(text, options));
  }

  async #openInSlices({ before, behind }: TextAround, options: SliceOptions): Promise<SlicedOpening> {
    if (this.nodeCount > this.#maxNodes) this.#forget();
    const [bytes, segments] = [toBytes(before), segmentsOf(behind)];
    const opening = await this.#slices.run(() => this.#open(bytes, segments), options);
    if (opening !== undefined) return opening;
    this.#forget();
    return { kind: "too-slow" };
  }

  #open(bytes: Uint8Array, segments: readonly Uint8Array[]): HoleOpening {
    const { readings, failure } = this.#prefix.read(bytes);
    if (readings.length === 0) return { kind: "dead-prefix", offset: failure?.offset ?? 0 };
    const suffix = this.#analyse(segments);
    const hole = new Hole(this.#reader, { readings, bytes }, suffix);
    if (hole.isAlive(hole.empty)) return { kind: "open", hole };
    const offset = this.#deadPrefixOffset(readings, bytes);
    if (offset !== undefined) return { kind: "dead-prefix", offset };
    return suffix.canEnd ? { kind: "no-filling" } : { kind: "dead-suffix", offset: suffix.run.lexer.furthest };
  }

  /**
   * The start of the last lexeme of a prefix, where no lexeme that begins like it is allowed there;
   * else `undefined`.
   */
  #deadPrefixOffset(readings: readonly Reading[], bytes: Uint8Array): number | undefined {
    const nothing = new SuffixAnalysis(new SuffixDigest(this.#reader.parser, [new Uint8Array()], this.#slices));
    const alone = new Hole(this.#reader, { readings, bytes }, nothing);
    if (alone.isAlive(alone.empty)) return undefined;
    return Math.max(...readings.map(({ start }) => start));
  }

  #analyse(segments: readonly Uint8Array[]): SuffixAnalysis {
    const known = this.#analysis;
    if (known !== undefined && areEqual(known.segments, segments)) return known;
    const begun = this.#analysing;
    const isBegun = begun !== undefined && areEqual(begun.segments, segments);
    this.#analysing = isBegun ? begun : new SuffixDigest(this.#reader.parser, segments, this.#slices);
    this.#analysis = new SuffixAnalysis(this.#analysing);
    this.#analysing = undefined;
    return this.#analysis;
  }

  #forget(): void {
    this.#reader = new Reader(new Parser(this.grammar));
    this.#prefix = new PrefixReader(this.#reader, this.#slices);
    this.#analysis = undefined;
    this.#analysing = undefined;
  }
}

/**
 * Opens the hole of a text once; `FillSession` is for a text that is being edited. A text without a
 * possible filling does not throw: the result is `dead-prefix` or `dead-suffix` with an offset in
 * bytes, or `no-filling`.
 */
export function openHole(grammar: CompiledGrammar, text: TextAround): HoleOpening {
  return new FillSession(grammar).open(text);
}

const encoder = new TextEncoder();

function segmentsOf(behind: TextAround["behind"]): readonly Uint8Array[] {
  const texts = typeof behind === "string" || behind instanceof Uint8Array ? [behind] : behind;
  return texts.map(toBytes);
}

function toBytes(text: Text): Uint8Array {
  return typeof text === "string" ? encoder.encode(text) : text;
}

function areEqual(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  return some.length === others.length && some.every((bytes, i) => isEqual(bytes, others[i]!));
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && a.every((byte, at) => byte === b[at]));
}
