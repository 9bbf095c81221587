import { CompletionSearch } from "./completion-search.ts";
import { GrammarIndex } from "./grammar-index.ts";
import { Junction } from "./junction.ts";
import { LayoutClasses } from "./layout-classes.ts";
import type { Indentation } from "./layouts.ts";
import { findLineStart, isLineBreak } from "./line-start.ts";
import type { Parser } from "./parser.ts";
import { RunningOn } from "./running-on.ts";
import type { Control } from "./suffix-control.ts";
import { SuffixRun } from "./suffix-run.ts";

/**
 * What stands behind a hole, digested once: it does not depend on what stands before, and so stays true while the hole is
 * filled and while text before it is edited.
 */
export class BehindHole {
  readonly parser: Parser;
  readonly index: GrammarIndex;
  readonly segments: readonly Uint8Array[];
  readonly run: SuffixRun;
  readonly search: CompletionSearch;
  /** How lexemes that are open in the hole run on into what stands behind it. */
  readonly runningOn: RunningOn;
  /** The control of being in the hole. */
  readonly inHole: Control;
  readonly #junction: Junction;
  #indentations: readonly Indentation[] | undefined;

  /** `segments`: the text behind, with a further hole between each two; the last one ends the text. */
  constructor(parser: Parser, segments: readonly Uint8Array[]) {
    this.parser = parser;
    this.index = GrammarIndex.of(parser.grammar);
    this.segments = segments;
    const lines = new Set(segments.flatMap((segment) => lineLayouts(parser, segment)));
    let digest = digestOf(parser, this.index, segments, lines);
    // What looked like a line may have been a text or stood between brackets: then deeper lines count too.
    while (digest.run.ambiguous.size > 0) {
      for (const layout of digest.run.ambiguous) lines.add(layout);
      digest = digestOf(parser, this.index, segments, lines);
    }
    this.run = digest.run;
    this.#junction = digest.junctions[0]!;
    this.search = new CompletionSearch(this.run, digest.junctions);
    this.runningOn = new RunningOn(this.run.lexer, this.index.reach, parser.grammar.lex.stateCount);
    this.inHole = this.run.controls.hole(0);
  }

  /** How deep blocks may be that end behind the hole, by the lines of the first segment: each less deep than the one before. */
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

/** The text behind a hole when lines with these layouts are told apart. */
function digestOf(
  parser: Parser,
  index: GrammarIndex,
  segments: readonly Uint8Array[],
  lines: Iterable<number>,
): { readonly run: SuffixRun; readonly junctions: readonly Junction[] } {
  const junctions: Junction[] = [];
  const layouts = new LayoutClasses(parser, lines);
  const run = new SuffixRun(parser, index.reach, segments, layouts, (segment, state, layout) =>
    junctions[segment]!.exitsAt(state, layout).map(({ exit }) => exit),
  );
  for (let segment = segments.length - 1; segment >= 0; segment--) {
    junctions[segment] = new Junction(run, index, layouts, segment);
  }
  return { run, junctions };
}

/** How deep the lines of a segment are that may follow a block from before it; the first one, too, which the hole may begin. */
function indentationsIn(parser: Parser, segment: Uint8Array): readonly Indentation[] {
  if (parser.grammar.layout === undefined) return [];
  const first = parser.layouts.of(findLineStart(parser.grammar.lex, segment, 0, segment.length));
  return [...new Set([first, ...lineLayouts(parser, segment)])].map((layout) => parser.layouts.indentation(layout));
}

/**
 * The layouts of the lines that a block from before a segment can be compared with: each less deep than all lines before it. A
 * deeper one belongs to a block of the segment's own.
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
