import { BehindHole } from "./behind-hole.ts";
import type { CompiledGrammar } from "./compiled-grammar.ts";
import { Hole } from "./hole.ts";
import { Parser } from "./parser.ts";
import { PrefixReader } from "./prefix-reader.ts";
import { Reader } from "./reader.ts";

/** A text as it is written, or as bytes of UTF-8. */
export type Text = string | Uint8Array;

/** A text with a hole. */
export interface TextAround {
  /** What stands before the hole. */
  readonly before: Text;
  /** What stands behind it: one text, or several with a further hole between each two. */
  readonly behind: Text | readonly Text[];
}

/** What came of opening a hole. Offsets count bytes of UTF-8. */
export type HoleOpening =
  | { readonly kind: "open"; readonly hole: Hole }
  /** No text begins like this; at `offset` stands what cannot follow. */
  | { readonly kind: "dead-prefix"; readonly offset: number }
  /** No text ends like this, whatever stands before; what stands from `offset` on was not reached. */
  | { readonly kind: "dead-suffix"; readonly offset: number }
  /** Each side can stand in a text, but not both in one. */
  | { readonly kind: "no-filling" };

/** How a {@link FillSession} is made. */
export interface FillSessionOptions {
  /**
   * How many nodes of stacks are kept before a session starts anew with the next hole; 200,000 unless told. A node takes about 560
   * bytes with what is remembered of it, so that this is some 110 MB; a file of 1,000 lines has about 5,000.
   */
  readonly maxNodes?: number;
}

const defaultMaxNodes = 200_000;

/**
 * Opens holes in a text that is being edited, and keeps what stays true: what stands behind the hole is digested once, and of
 * what stands before only what was edited is read again.
 */
export class FillSession {
  readonly grammar: CompiledGrammar;
  readonly #maxNodes: number;
  #reader: Reader;
  #prefix: PrefixReader;
  #behind: BehindHole | undefined;

  constructor(grammar: CompiledGrammar, { maxNodes = defaultMaxNodes }: FillSessionOptions = {}) {
    this.grammar = grammar;
    this.#maxNodes = maxNodes;
    this.#reader = new Reader(new Parser(grammar));
    this.#prefix = new PrefixReader(this.#reader);
  }

  /** How many nodes of stacks are kept. */
  get nodeCount(): number {
    return this.#reader.parser.stacks.nodeCount;
  }

  /** Opens the hole of `text`. Holes that were opened before stay as they are. */
  open({ before, behind }: TextAround): HoleOpening {
    if (this.nodeCount > this.#maxNodes) this.#forget();
    const bytes = toBytes(before);
    const { readings, failure } = this.#prefix.read(bytes);
    if (readings.length === 0) return { kind: "dead-prefix", offset: failure?.offset ?? 0 };
    const digest = this.#digest(behind);
    const hole = new Hole(this.#reader, { readings, bytes }, digest);
    if (hole.isAlive(hole.empty)) return { kind: "open", hole };
    return digest.canEnd ? { kind: "no-filling" } : { kind: "dead-suffix", offset: digest.run.lexer.furthest };
  }

  #digest(behind: TextAround["behind"]): BehindHole {
    const texts = typeof behind === "string" || behind instanceof Uint8Array ? [behind] : behind;
    const segments = texts.map(toBytes);
    const known = this.#behind;
    if (known !== undefined && areEqual(known.segments, segments)) return known;
    this.#behind = new BehindHole(this.#reader.parser, segments);
    return this.#behind;
  }

  #forget(): void {
    this.#reader = new Reader(new Parser(this.grammar));
    this.#prefix = new PrefixReader(this.#reader);
    this.#behind = undefined;
  }
}

/** Opens the hole of a text once; see `FillSession` for a text that is being edited. */
export function openHole(grammar: CompiledGrammar, text: TextAround): HoleOpening {
  return new FillSession(grammar).open(text);
}

const encoder = new TextEncoder();

function toBytes(text: Text): Uint8Array {
  return typeof text === "string" ? encoder.encode(text) : text;
}

function areEqual(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  return some.length === others.length && some.every((bytes, i) => isEqual(bytes, others[i]!));
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
