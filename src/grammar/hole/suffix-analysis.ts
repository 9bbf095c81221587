import { findLineStart, type Indentation, isLineBreak } from "../lexing/layouts.ts";
import type { Parser } from "../reading/parser.ts";
import type { WorkSlices } from "../reading/work-slices.ts";
import { CompletionSearch } from "./completion-search.ts";
import { GrammarIndex } from "./grammar-index.ts";
import { HoleBoundary } from "./hole-boundary.ts";
import { LayoutClasses } from "./layout-classes.ts";
import type { Control } from "./suffix-control.ts";
import { SuffixRun } from "./suffix-run.ts";
import { TokenContinuation } from "./token-continuation.ts";

/**
 * The text behind a hole, digested once: it does not depend on the text before, and so stays true
 * while the hole is filled and while text before it is edited.
 */
export class SuffixAnalysis {
  readonly parser: Parser;
  readonly index: GrammarIndex;
  readonly segments: readonly Uint8Array[];
  readonly run: SuffixRun;
  readonly search: CompletionSearch;
  /** How lexemes that are open in the hole run on into the text behind it. */
  readonly runningOn: TokenContinuation;
  /** The control of being in the hole. */
  readonly inHole: Control;
  readonly #junction: HoleBoundary;
  #indentations: readonly Indentation[] | undefined;

  /**
   * `digesting.segments`: the text behind, with a further hole between each two; the last one ends
   * the text.
   */
  constructor(digesting: SuffixDigest) {
    const { parser, segments } = digesting;
    this.parser = parser;
    this.index = GrammarIndex.of(parser.grammar);
    this.segments = segments;
    const digest = digesting.finish();
    this.run = digest.run;
    this.#junction = digest.junctions[0]!;
    this.search = new CompletionSearch(this.run, digest.junctions);
    this.runningOn = new TokenContinuation(this.run.lexer, this.index.reach, parser.grammar.lex.stateCount);
    this.inHole = this.run.controls.hole(0);
  }

  /**
   * How deep blocks may be that end behind the hole, by the lines of the first segment: each less
   * deep than the one before.
   */
  get indentations(): readonly Indentation[] {
    this.#indentations ??= indentationsIn(this.parser, this.segments[0]!);
    return this.#indentations;
  }

  /** Whether any text at all ends like this. */
  get canEnd(): boolean {
    const [start] = this.parser.start.nodes;
    return this.#junction.exitsAt(start!.state, start!.layout).length > 0;
  }
}

/** The text behind a hole when some lines are distinguished by their layouts. */
interface Digest {
  readonly run: SuffixRun;
  readonly junctions: readonly HoleBoundary[];
}

/** Digests the text behind a hole, once or from where it was interrupted. */
export class SuffixDigest {
  readonly parser: Parser;
  readonly segments: readonly Uint8Array[];
  readonly #slices: WorkSlices | undefined;
  readonly #lines: Set<number>;
  /** The digest that is being made; its junctions are made from the last one to the first. */
  #begun: { readonly run: SuffixRun; readonly junctions: HoleBoundary[]; readonly layouts: LayoutClasses } | undefined;

  constructor(parser: Parser, segments: readonly Uint8Array[], slices?: WorkSlices) {
    this.parser = parser;
    this.segments = segments;
    this.#slices = slices;
    this.#lines = new Set(segments.flatMap((segment) => lineLayouts(parser, segment)));
  }

  /** What comes of it. After an interruption it is called again. */
  finish(): Digest {
    const index = GrammarIndex.of(this.parser.grammar);
    for (;;) {
      this.#begun ??= this.#begin(index);
      const digest = this.#begun;
      const { run, junctions, layouts } = digest;
      for (let segment = this.segments.length - 1; segment >= 0; segment--) {
        junctions[segment] ??= new HoleBoundary(run, index, layouts, segment);
      }
      if (run.ambiguous.size === 0) return digest;
      // What looked like a line may have been a text or stood between brackets: then deeper lines
      // count too.
      for (const layout of run.ambiguous) this.#lines.add(layout);
      this.#begun = undefined;
    }
  }

  #begin(index: GrammarIndex) {
    const junctions: HoleBoundary[] = [];
    const layouts = new LayoutClasses(this.parser, this.#lines);
    const run = new SuffixRun(
      ...([this.parser, index.reach, this.segments, layouts] as const),
      (segment, state, layout) => junctions[segment]!.exitsAt(state, layout).map(({ exit }) => exit),
      this.#slices,
    );
    return { run, junctions, layouts };
  }
}

/**
 * How deep the lines of a segment are that may follow a block from before it; the first one, too,
 * which the hole may begin.
 */
function indentationsIn(parser: Parser, segment: Uint8Array): readonly Indentation[] {
  if (parser.grammar.layout === undefined) return [];
  const first = parser.layouts.of(findLineStart(parser.grammar.lex, segment, 0, segment.length));
  return [...new Set([first, ...lineLayouts(parser, segment)])].map((layout) => parser.layouts.indentation(layout));
}

/**
 * The layouts of the lines that a block from before a segment can be compared with: each less deep
 * than all lines before it. A deeper one belongs to a block of the segment's own.
 */
function lineLayouts(parser: Parser, segment: Uint8Array): number[] {
  if (parser.grammar.layout === undefined) return [];
  const layouts: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < segment.length; at++) {
    if (!isLineBreak(segment[at]!)) continue;
    const line = findLineStart(parser.grammar.lex, segment, at + 1, segment.length);
    if (line.offset === segment.length || line.columns >= least) continue;
    least = line.columns;
    layouts.push(parser.layouts.of(line));
  }
  return layouts;
}
