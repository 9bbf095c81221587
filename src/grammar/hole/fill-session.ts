import { Parser } from "../reading/parser.ts";
import { PrefixReader } from "../reading/prefix-reader.ts";
import { Reader } from "../reading/reader.ts";
import type { Reading } from "../reading/reading.ts";
import { type SliceOptions, WorkSlices } from "../reading/work-slices.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { Hole } from "./hole.ts";
import { SuffixAnalysis, SuffixDigest } from "./suffix-analysis.ts";

/** A text as it is written, or as bytes of UTF-8. */
export type Text = string | Uint8Array;

/** A text with a hole. */
export interface TextAround {
  /** The text before the hole. */
  readonly before: Text;
  /** The text behind it: one text, or several with a further hole between each two. */
  readonly behind: Text | readonly Text[];
}

/** What came of opening a hole. Offsets count bytes of UTF-8. */
export type HoleOpening =
  | { readonly kind: "open"; readonly hole: Hole }
  /** No text begins like this; at `offset` stands what cannot follow. */
  | { readonly kind: "dead-prefix"; readonly offset: number }
  /** No text ends like this, whatever is before; what stands from `offset` on was not reached. */
  | { readonly kind: "dead-suffix"; readonly offset: number }
  /** Each side can stand in a text, but not both in one. */
  | { readonly kind: "no-filling" };

/** What came of opening a hole in slices: as {@link HoleOpening}, or it took longer than it may. */
export type SlicedOpening = HoleOpening | { readonly kind: "too-slow" };

/** How a {@link FillSession} is made. */
export interface FillSessionOptions {
  /**
   * How many nodes of stacks are kept before a session starts again with the next hole; default:
   * 200,000. A node takes about 560 bytes with what is remembered of it, so that this is some 110
   * MB; a file of 1,000 lines has about 5,000.
   */
  readonly maxNodes?: number;
}

const defaultMaxNodes = 200_000;

/**
 * Opens holes in a text that is being edited, and keeps what stays true: the text behind the hole
 * is digested once, and of the text before only what was edited is read again.
 */
export class FillSession {
  readonly grammar: CompiledGrammar;
  readonly #maxNodes: number;
  #reader: Reader;
  #prefix: PrefixReader;
  #behind: SuffixAnalysis | undefined;
  #digesting: SuffixDigest | undefined;
  readonly #slices = new WorkSlices();
  /**
   * Settles when the last opening in slices is over: what one of them keeps between slices, another
   * would overwrite.
   */
  #isOpened: Promise<unknown> = Promise.resolve();

  constructor(grammar: CompiledGrammar, { maxNodes = defaultMaxNodes }: FillSessionOptions = {}) {
    this.grammar = grammar;
    this.#maxNodes = maxNodes;
    this.#reader = new Reader(new Parser(grammar));
    this.#prefix = new PrefixReader(this.#reader, this.#slices);
  }

  /** How many nodes of stacks are kept. */
  get nodeCount(): number {
    return this.#reader.parser.stacks.nodeCount;
  }

  /** Opens the hole of `text`. Holes that were opened before stay as they are. */
  open({ before, behind }: TextAround): HoleOpening {
    if (this.nodeCount > this.#maxNodes) this.#forget();
    return this.#open(toBytes(before), segmentsOf(behind));
  }

  /**
   * As {@link open}, in slices between which timers, signals and I/O run: a text of 100 kB takes
   * about a second. `too-slow` where the slices take longer than `maxMs` together; then what was
   * found out is forgotten. Rejects with the signal's reason.
   */
  openInSlices(text: TextAround, options: SliceOptions): Promise<SlicedOpening> {
    const opening = this.#isOpened.then(() => this.#openInSlices(text, options));
    this.#isOpened = opening.catch(() => undefined);
    return opening;
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
    const digest = this.#digest(segments);
    const hole = new Hole(this.#reader, { readings, bytes }, digest);
    if (hole.isAlive(hole.empty)) return { kind: "open", hole };
    const offset = this.#deadOffset(readings, bytes);
    if (offset !== undefined) return { kind: "dead-prefix", offset };
    return digest.canEnd ? { kind: "no-filling" } : { kind: "dead-suffix", offset: digest.run.lexer.furthest };
  }

  /**
   * Where the last lexeme of a prefix begins, where that can be none that may stand there;
   * `undefined` where it can.
   */
  #deadOffset(readings: readonly Reading[], bytes: Uint8Array): number | undefined {
    const nothing = new SuffixAnalysis(new SuffixDigest(this.#reader.parser, [new Uint8Array()], this.#slices));
    const alone = new Hole(this.#reader, { readings, bytes }, nothing);
    if (alone.isAlive(alone.empty)) return undefined;
    return Math.max(...readings.map(({ start }) => start));
  }

  #digest(segments: readonly Uint8Array[]): SuffixAnalysis {
    const known = this.#behind;
    if (known !== undefined && areEqual(known.segments, segments)) return known;
    const begun = this.#digesting;
    const isBegun = begun !== undefined && areEqual(begun.segments, segments);
    this.#digesting = isBegun ? begun : new SuffixDigest(this.#reader.parser, segments, this.#slices);
    this.#behind = new SuffixAnalysis(this.#digesting);
    this.#digesting = undefined;
    return this.#behind;
  }

  #forget(): void {
    this.#reader = new Reader(new Parser(this.grammar));
    this.#prefix = new PrefixReader(this.#reader, this.#slices);
    this.#behind = undefined;
    this.#digesting = undefined;
  }
}

/** Opens the hole of a text once; see `FillSession` for a text that is being edited. */
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
