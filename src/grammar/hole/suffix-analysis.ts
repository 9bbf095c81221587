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
 * The analysis of the suffix of a hole. It does not depend on the prefix, and so stays valid while
 * the hole is filled and the prefix is edited.
 */
export class SuffixAnalysis {
  readonly parser: Parser;
  readonly index: GrammarIndex;
  readonly segments: readonly Uint8Array[];
  readonly run: SuffixRun;
  readonly search: CompletionSearch;
  /** How lexemes that are open at the end of the hole continue in the suffix. */
  readonly tokenContinuation: TokenContinuation;
  /** The control for being in the hole. */
  readonly inHole: Control;
  readonly #boundary: HoleBoundary;
  #indentations: readonly Indentation[] | undefined;

  /**
   * `digest.segments`: the suffix, with a further hole between each two segments; the last one ends
   * the text.
   */
  constructor(digest: SuffixDigest) {
    const { parser, segments } = digest;
    this.parser = parser;
    this.index = GrammarIndex.of(parser.grammar);
    this.segments = segments;
    const { run, boundaries } = digest.finish();
    this.run = run;
    this.#boundary = boundaries[0]!;
    this.search = new CompletionSearch(run, boundaries);
    this.tokenContinuation = new TokenContinuation(this.run.lexer, this.index.reach, parser.grammar.lex.stateCount);
    this.inHole = this.run.controls.hole(0);
  }

  /**
   * The possible depths of blocks that end in the suffix, by the lines of the first segment: each
   * is shallower than the one before.
   */
  get indentations(): readonly Indentation[] {
    this.#indentations ??= indentationsIn(this.parser, this.segments[0]!);
    return this.#indentations;
  }

  /** Whether any text of the language ends with the suffix. */
  get canEnd(): boolean {
    const [start] = this.parser.start.nodes;
    return this.#boundary.exitsAt(start!.state, start!.layout).length > 0;
  }
}

/** The result of analysing a suffix with a given set of layout classes. */
export interface AnalysedSuffix {
  readonly run: SuffixRun;
  readonly boundaries: readonly HoleBoundary[];
}

/** Analyses a suffix; an interrupted analysis can be continued. */
export class SuffixDigest {
  readonly parser: Parser;
  readonly segments: readonly Uint8Array[];
  readonly #slices: WorkSlices | undefined;
  readonly #lines: Set<number>;
  /** The analysis in progress; its boundaries are made from the last to the first. */
  #inProgress:
    | { readonly run: SuffixRun; readonly boundaries: HoleBoundary[]; readonly layouts: LayoutClasses }
    | undefined;

  constructor(parser: Parser, segments: readonly Uint8Array[], slices?: WorkSlices) {
    this.parser = parser;
    this.segments = segments;
    this.#slices = slices;
    this.#lines = new Set(segments.flatMap((segment) => lineLayouts(parser, segment)));
  }

  /** Finishes the analysis. After an interruption by `WorkSlices` it must be called again. */
  finish(): AnalysedSuffix {
    const index = GrammarIndex.of(this.parser.grammar);
    for (;;) {
      this.#inProgress ??= this.#begin(index);
      const analysed = this.#inProgress;
      const { run, boundaries, layouts } = analysed;
      for (let segment = this.segments.length - 1; segment >= 0; segment--) {
        boundaries[segment] ??= new HoleBoundary(run, index, layouts, segment);
        boundaries[segment]!.finish();
      }
      if (run.ambiguous.size === 0) return analysed;
      // An apparent line may have been inside of a string or brackets; then deeper lines need
      // classes of their own, too.
      for (const layout of run.ambiguous) this.#lines.add(layout);
      this.#inProgress = undefined;
    }
  }

  #begin(index: GrammarIndex) {
    const boundaries: HoleBoundary[] = [];
    const layouts = new LayoutClasses(this.parser, this.#lines);
    const run = new SuffixRun(
      ...([this.parser, index.reach, this.segments, layouts] as const),
      (segment, state, layout) => boundaries[segment]!.exitsAt(state, layout).map(({ exit }) => exit),
      this.#slices,
    );
    return { run, boundaries, layouts };
  }
}

/**
 * The depths of lines in a segment that may follow a block from before it, including the first
 * line, which the hole may begin.
 */
function indentationsIn(parser: Parser, segment: Uint8Array): readonly Indentation[] {
  if (parser.grammar.layout === undefined) return [];
  const first = parser.layouts.of(findLineStart(parser.grammar.lex, segment, 0, segment.length));
  return [...new Set([first, ...lineLayouts(parser, segment)])].map((layout) => parser.layouts.indentation(layout));
}

/**
 * The layouts of lines that can be compared with a block from before the segment: each is shallower
 * than all lines before it. Deeper lines belong to blocks of the segment.
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
