import type { CompiledGrammar } from "./compiled-grammar.ts";
import { CompletionSearch } from "./completion-search.ts";
import { GrammarIndex } from "./grammar-index.ts";
import { Junction } from "./junction.ts";
import { LayoutClasses } from "./layout-classes.ts";
import { Layouts, suspended } from "./layouts.ts";
import { findLineStart, isLineBreak } from "./line-start.ts";
import { Parser } from "./parser.ts";
import { Reader } from "./reader.ts";
import type { Reading } from "./reading.ts";
import { shortestEnding } from "./shortest-ending.ts";
import { anySpacing, broken, type Spacing } from "./spacing.ts";
import type { Front } from "./stack.ts";
import type { Control } from "./suffix-control.ts";
import type { OpenLexeme } from "./suffix-lexer.ts";
import { SuffixRun } from "./suffix-run.ts";

/** What a hole holds so far, as far as its future depends on it. Immutable. */
export interface Filling {
  /** The ways to read it that can still become a whole text; none where it is dead. */
  readonly readings: readonly Reading[];
  /** The bytes from the earliest lexeme on that may still change; the readings count from its first one. */
  readonly bytes: Uint8Array;
}

/**
 * A hole in a text: what stands before it is read, and what stands behind is digested, so that it can be told of every
 * beginning of a filling whether it can go on to a whole text, and whether it may stop as it is.
 *
 * Behind the hole may be further holes, each of which may be filled by anything.
 */
export class Hole {
  readonly reader: Reader;
  readonly run: SuffixRun;
  /** The filling that holds nothing. */
  readonly empty: Filling;
  readonly #index: GrammarIndex;
  readonly #search: CompletionSearch;
  readonly #junction: Junction;
  readonly #control: Control;
  readonly #viable = new Map<string, boolean>();

  /** `prefix` are the readings of what stands before, `bytes` its bytes; `segments` is what stands behind, with a hole between each two. */
  constructor(reader: Reader, index: GrammarIndex, prefix: Filling, segments: readonly Uint8Array[]) {
    this.reader = reader;
    this.#index = index;
    const { parser } = reader;
    const junctions: Junction[] = [];
    this.run = new SuffixRun(parser, index.reach, segments, (segment, state, layout) =>
      junctions[segment]!.exitsAt(state, layout).map(({ exit }) => exit),
    );
    const layouts = new LayoutClasses(
      parser,
      segments.flatMap((segment) => lineLayouts(parser, segment)),
    );
    for (let segment = segments.length - 1; segment >= 0; segment--) {
      junctions[segment] = new Junction(this.run, index, layouts, segment);
    }
    this.#junction = junctions[0]!;
    this.#search = new CompletionSearch(this.run, junctions);
    this.#control = this.run.controls.hole(0);
    this.empty = this.#kept(prefix.readings, prefix.bytes);
  }

  /** Whether what stands behind the hole can be the end of some text at all. */
  get canSuffixEnd(): boolean {
    const { parser } = this.reader;
    return this.#junction.exitsAt(0, parser.start.nodes[0]!.layout).length > 0;
  }

  /** The filling with `bytes` added to it. */
  add(filling: Filling, bytes: Uint8Array): Filling {
    if (bytes.length === 0 || filling.readings.length === 0) return filling;
    const all = new Uint8Array(filling.bytes.length + bytes.length);
    all.set(filling.bytes);
    all.set(bytes, filling.bytes.length);
    const { readings } = this.reader.read(filling.readings, all, filling.bytes.length, all.length);
    return this.#kept(readings, all);
  }

  /** Whether the filling may go on to a whole text. */
  isAlive(filling: Filling): boolean {
    return filling.readings.length > 0;
  }

  /** Whether the text is whole with this filling as it is, and some filling of the holes behind. */
  canStop(filling: Filling): boolean {
    return filling.readings.some((reading) => this.#canStop(reading, filling.bytes));
  }

  /** A shortest text after which the hole may stop; `undefined` where none is found. */
  shortestEnding(filling: Filling): Uint8Array | undefined {
    return shortestEnding({ hole: this, index: this.#index, search: this.#search, inHole: this.#control }, filling);
  }

  /** Whether the lexeme of `reading`, once it has come to the lexer's `state`, can run on into what stands behind the hole. */
  mayRunOn({ front, start }: Reading, { bytes }: Filling, state: number): boolean {
    return this.#canRunOn(front, anySpacing, openLexeme(state, bytes[start]!));
  }

  #kept(readings: readonly Reading[], bytes: Uint8Array): Filling {
    const viable = readings.filter((reading) => this.#isViable(reading, bytes));
    const from = Math.min(bytes.length, ...viable.map(({ start }) => start));
    if (from === 0) return { readings: viable, bytes };
    return { readings: viable.map((reading) => moved(reading, -from)), bytes: bytes.slice(from) };
  }

  #isViable(reading: Reading, bytes: Uint8Array): boolean {
    const { front, lexeme } = reading;
    if (typeof lexeme === "string") return this.#search.canFinish(front, this.#control);
    const open = openLexeme(lexeme.state, bytes[reading.start]!);
    const key = `${front.id},${reading.spacing},${lexeme.state},${open.beganWithLineBreak}`;
    const known = this.#viable.get(key) ?? this.#canLexemeEnd(front, reading.spacing, open);
    this.#viable.set(key, known);
    if (known) return true;
    return this.#endedEarlier(reading, bytes).some((earlier) => this.#isViable(earlier.reading, earlier.bytes));
  }

  /** Whether a lexeme can end in the hole or behind it, so that the text can be completed. */
  #canLexemeEnd(front: Front, spacing: Spacing, open: OpenLexeme): boolean {
    const { parser } = this.reader;
    const { lex } = parser.grammar;
    for (const { state: end } of this.#index.reach.matches(open.state)) {
      const match = lex.matches[lex.match[end]!]!;
      if (match.isTrivia && this.#search.canFinish(front, this.#control)) return true;
      for (const terminals of match.readings) {
        const after = parser.takeAll(front, terminals, spacing);
        if (!after.isEmpty && this.#search.canFinish(after, this.#control)) return true;
      }
    }
    return this.#index.reach
      .tree(open.state)
      .order.some((state) => this.#canRunOn(front, anySpacing, { ...open, state }));
  }

  /** Whether a lexeme can run on into the text behind the hole. */
  #canRunOn(front: Front, spacing: Spacing, open: OpenLexeme): boolean {
    return this.#sides(front).some(([side, isSuspended]) =>
      this.run.lexer.continueLexeme(0, open, spacing, isSuspended).some((control) => this.#canGoOn(side, control)),
    );
  }

  #canStop(reading: Reading, bytes: Uint8Array): boolean {
    const { front, spacing, lexeme } = reading;
    if (lexeme === "none") return this.#canGoOn(front, this.run.controls.place(0, 0, spacing));
    if (lexeme === "indentation") return this.#canLineGoOn(front, bytes.subarray(reading.start));
    const open = openLexeme(lexeme.state, bytes[reading.start]!);
    const runsOn = this.#sides(front).some(
      ([, isSuspended]) => this.run.lexer.continueLexeme(0, open, spacing, isSuspended).length > 0,
    );
    if (runsOn) return this.#canRunOn(front, spacing, open);
    return this.#endedEarlier(reading, bytes).some((earlier) => this.#canStop(earlier.reading, earlier.bytes));
  }

  /** What comes behind the hole is read on with what is known of the stacks: the first terminal exactly as it would be without a hole. */
  #canGoOn(front: Front, control: Control): boolean {
    const { parser } = this.reader;
    switch (control.kind) {
      case "take": {
        if (control.rest === undefined) return parser.acceptsEnd(front, control.spacing);
        const after = parser.take(front, control.terminal, control.spacing);
        return !after.isEmpty && this.#search.canFinish(after, control.rest);
      }
      case "place":
        return this.#sides(front).some(([side, isSuspended]) =>
          [...this.reader.modesOf(side)].some((mode) =>
            this.run.lexer
              .controlsAt(control.segment, control.offset, control.spacing, mode, isSuspended)
              .some((next) => this.#canGoOn(side, next)),
          ),
        );
      default:
        return this.#search.canFinish(front, control);
    }
  }

  /** Whether the text can go on where a line has begun with `indentation`, white space or a comment. */
  #canLineGoOn(front: Front, indentation: Uint8Array): boolean {
    const { parser } = this.reader;
    const segment = this.run.lexer.segments[0]!;
    const bytes = new Uint8Array(indentation.length + segment.length);
    bytes.set(indentation);
    bytes.set(segment, indentation.length);
    const line = findLineStart(parser.grammar.lex, bytes, 0, bytes.length);
    if (line.offset === bytes.length) {
      if (this.run.lexer.segments.length > 1) return this.#search.canFinish(front, this.run.controls.hole(1));
      return parser.acceptsEnd(this.reader.beginLine(front, Layouts.margin), broken);
    }
    const begun = this.reader.beginLine(front, parser.layouts.of(line));
    return !begun.isEmpty && this.#canGoOn(begun, this.run.controls.place(0, line.offset - indentation.length, broken));
  }

  /** The ways to read on when a lexeme ends at its longest match so far. */
  #endedEarlier(
    reading: Reading,
    bytes: Uint8Array,
  ): readonly { readonly reading: Reading; readonly bytes: Uint8Array }[] {
    return this.reader.endLexeme(reading, bytes, bytes.length).map((earlier) => ({ reading: earlier, bytes }));
  }

  /** The stacks between brackets that suspend the layout, and those that are not. */
  #sides(front: Front): readonly (readonly [front: Front, isSuspended: boolean])[] {
    const { parser } = this.reader;
    if (parser.grammar.layout === undefined) return [[front, true]];
    const inside = parser.stacks.front(front.nodes.filter((node) => node.layout === suspended));
    const outside = parser.stacks.front(front.nodes.filter((node) => node.layout !== suspended));
    return (
      [
        [inside, true],
        [outside, false],
      ] as const
    ).filter(([side]) => !side.isEmpty);
  }
}

/** What came of opening a hole. */
export type HoleOpening =
  | { readonly kind: "open"; readonly hole: Hole }
  /** No text begins like this; `offset` counts bytes of the prefix. */
  | { readonly kind: "dead-prefix"; readonly offset: number }
  /** No text ends like this, whatever stands before. */
  | { readonly kind: "dead-suffix"; readonly offset: number }
  /** Each side can stand in a text, but not both in one. */
  | { readonly kind: "no-filling" };

/**
 * Opens the hole between `prefix` and the first of `segments`; between each two of the segments is another hole, and the last one ends the text.
 *
 * Texts are bytes of UTF-8.
 */
export function openHole(grammar: CompiledGrammar, prefix: Uint8Array, segments: readonly Uint8Array[]): HoleOpening {
  const reader = new Reader(new Parser(grammar));
  const { readings, failure } = reader.read(reader.start, prefix, 0, prefix.length);
  if (readings.length === 0) return { kind: "dead-prefix", offset: failure?.offset ?? 0 };
  const hole = new Hole(reader, GrammarIndex.of(grammar), { readings, bytes: prefix }, segments);
  if (hole.isAlive(hole.empty)) return { kind: "open", hole };
  return hole.canSuffixEnd ? { kind: "no-filling" } : { kind: "dead-suffix", offset: hole.run.lexer.furthest };
}

function openLexeme(state: number, firstByte: number): OpenLexeme {
  return { state, beganWithLineBreak: isLineBreak(firstByte) };
}

function moved(reading: Reading, by: number): Reading {
  const { lexeme } = reading;
  const start = reading.start + by;
  if (typeof lexeme === "string") return { ...reading, start };
  return { ...reading, start, lexeme: { ...lexeme, matchEnd: lexeme.matchEnd < 0 ? -1 : lexeme.matchEnd + by } };
}

/** The layouts of the lines of a segment. */
function lineLayouts(parser: Parser, segment: Uint8Array): number[] {
  if (parser.grammar.layout === undefined) return [];
  const layouts: number[] = [];
  for (let at = 0; at < segment.length; at++) {
    if (!isLineBreak(segment[at]!)) continue;
    const line = findLineStart(parser.grammar.lex, segment, at + 1, segment.length);
    if (line.offset < segment.length) layouts.push(parser.layouts.of(line));
  }
  return layouts;
}
