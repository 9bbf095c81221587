import { findLineStart, isLineBreak, Layouts } from "../lexing/layouts.ts";
import type { LexReach } from "../lexing/lex-reach.ts";
import { endOfText, type Parser } from "../reading/parser.ts";
import { anySpacing, broken, glued, type Spacing, withTrivia } from "../reading/spacing.ts";
import type { WorkSlices } from "../reading/work-slices.ts";
import { absent, PairMap } from "../tables/pair-map.ts";
import type { Control, ControlStore } from "./suffix-control.ts";

/** A lexeme that is open at the end of a hole. */
export interface OpenLexeme {
  /** The lexer's state after the bytes so far. */
  readonly state: number;
  readonly beganWithLineBreak: boolean;
}

/**
 * The distance in bytes between cached points of runs: a comment that is not closed runs to the end
 * of the text.
 */
const runStride = 128;

/** The number of bytes of a lexeme that count as one step of the work. */
const bytesPerStep = 128;

/** How far a lexeme extends in a segment. */
interface LexemeRun {
  /** The end of the longest match, and the lexer's state there; -1 and 0 for no match. */
  readonly matchEnd: number;
  readonly matchState: number;
  /**
   * The lexer's state at the end of the segment, where a hole follows in which the lexeme may be
   * extended; else 0.
   */
  readonly openState: number;
}

/**
 * Finds the lexemes of a suffix, as controls. What may come at an offset depends on the lexer mode,
 * and on whether line breaks are significant there.
 */
export class SuffixLexer {
  /** The suffix, with holes between its segments; the last one ends the text. */
  readonly segments: readonly Uint8Array[];
  /** The furthest offset in the first segment at which a lexeme was read. */
  furthest = 0;
  readonly #parser: Parser;
  readonly #reach: LexReach;
  readonly #controls: ControlStore;
  readonly #slices: WorkSlices;
  /**
   * For each segment, the index in `#found` of the result, by offset with spacing and suspension,
   * and by mode.
   */
  readonly #known: readonly PairMap[];
  readonly #found: (readonly Control[])[] = [];
  /** Cached runs of lexemes that are open at the start of a segment, by offset and state. */
  readonly #openRuns: readonly Map<number, LexemeRun>[];

  /**
   * Lexemes are not interrupted: their bytes are counted in `slices`, for the caller's next step.
   */
  constructor(
    { parser, reach, slices }: { readonly parser: Parser; readonly reach: LexReach; readonly slices: WorkSlices },
    controls: ControlStore,
    segments: readonly Uint8Array[],
  ) {
    this.#parser = parser;
    this.#reach = reach;
    this.#slices = slices;
    this.#controls = controls;
    this.segments = segments;
    this.#known = segments.map(() => new PairMap());
    this.#openRuns = segments.map(() => new Map());
  }

  /**
   * The controls at an offset, for lexemes of `mode`: terminals to take, offsets behind trivia, the
   * hole behind the segment.
   */
  controlsAt(
    segment: number,
    offset: number,
    spacing: Spacing,
    mode: number,
    isSuspended: boolean,
  ): readonly Control[] {
    const known = this.#known[segment]!;
    const key = (offset * 4 + spacing) * 2 + (isSuspended ? 1 : 0);
    const found = known.get(key, mode);
    if (found !== absent) return this.#found[found]!;
    if (segment === 0) this.furthest = Math.max(this.furthest, offset);
    const controls = this.#lex(segment, offset, spacing, mode, isSuspended);
    known.set(key, mode, this.#found.length);
    this.#found.push(controls);
    return controls;
  }

  /**
   * The controls after a lexeme that is open at the end of a hole continues in the segment behind
   * it; `undefined` where it matches nothing there, or would end in the hole.
   */
  continueLexeme(
    segment: number,
    open: OpenLexeme,
    spacing: Spacing,
    isSuspended: boolean,
  ): readonly Control[] | undefined {
    const { next, classOf, classCount } = this.#parser.grammar.lex;
    const [first] = this.segments[segment]!;
    // Most lexemes end at the hole.
    if (first !== undefined && next[open.state * classCount + classOf[first]!] === 0) return undefined;
    const run = this.#openRun(segment, open.state);
    if (run.matchEnd <= 0 && run.openState === 0) return undefined;
    const found =
      run.matchEnd <= 0 ? [] : [...this.#matched(segment, run, spacing, isSuspended, open.beganWithLineBreak)];
    if (run.openState !== 0) {
      found.push(...this.#intoNextHole(segment, { ...open, state: run.openState }, spacing, isSuspended));
    }
    return found;
  }

  /**
   * Whether a lexeme that is open at the end of a hole has a longer match with the segment behind
   * it, so that it can't end in the hole.
   */
  mustContinueInSuffix(segment: number, { state }: OpenLexeme): boolean {
    return this.#openRun(segment, state).matchEnd > 0;
  }

  #lex(segment: number, offset: number, spacing: Spacing, mode: number, isSuspended: boolean): readonly Control[] {
    const bytes = this.segments[segment]!;
    if (offset === bytes.length) return this.#atEnd(segment, spacing, isSuspended);
    const { next, classOf, classCount, match, modes } = this.#parser.grammar.lex;
    let state = modes[mode]!.start;
    let at = offset;
    let matchEnd = -1;
    let matchState = 0;
    while (at < bytes.length) {
      const to = next[state * classCount + classOf[bytes[at]!]!]!;
      if (to === 0) break;
      state = to;
      at++;
      if (match[state] === 0) continue;
      matchEnd = at;
      matchState = state;
    }
    this.#slices.count(Math.floor((at - offset) / bytesPerStep));
    const openState = this.#openStateAt(segment, at, state);
    const run = { matchEnd, matchState, openState };
    const endsLine = isLineBreak(bytes[offset]!);
    const found = matchEnd < 0 ? [] : this.#matched(segment, run, spacing, isSuspended, endsLine);
    return openState === 0
      ? found
      : [
          ...found,
          ...this.#intoNextHole(segment, { state: openState, beganWithLineBreak: endsLine }, spacing, isSuspended),
        ];
  }

  #openStateAt(segment: number, at: number, state: number): number {
    const isLast = segment + 1 === this.segments.length;
    return at === this.segments[segment]!.length && !isLast ? state : 0;
  }

  /** Runs that meet are followed only to their next cached point. */
  #openRun(segment: number, from: number): LexemeRun {
    const { next, classOf, classCount, stateCount, match } = this.#parser.grammar.lex;
    const bytes = this.segments[segment]!;
    const runs = this.#openRuns[segment]!;
    /** The keys of this run's cached points, in ascending order of offsets. */
    const cachedKeys: number[] = [];
    let [state, matchEnd, matchState] = [from, -1, 0];
    let rest: LexemeRun | undefined;
    let at = 0;
    for (; ; at++) {
      if (at % runStride === 0) {
        rest = runs.get(at * stateCount + state);
        if (rest !== undefined) break;
        cachedKeys.push(at * stateCount + state);
      }
      if (match[state] !== 0) [matchEnd, matchState] = [at, state];
      const to = at < bytes.length ? next[state * classCount + classOf[bytes[at]!]!]! : 0;
      if (to === 0) {
        rest = { matchEnd: -1, matchState: 0, openState: this.#openStateAt(segment, at, state) };
        break;
      }
      state = to;
    }
    this.#slices.count(Math.floor(at / bytesPerStep));
    const matched = rest.matchEnd < 0 && matchEnd >= 0 ? { ...rest, matchEnd, matchState } : rest;
    for (const key of cachedKeys) runs.set(key, matchEnd * stateCount + stateCount > key ? matched : rest);
    return runs.get(from)!;
  }

  /** The controls at the end of a segment. */
  #atEnd(segment: number, spacing: Spacing, isSuspended: boolean): readonly Control[] {
    if (segment + 1 < this.segments.length) return [this.#controls.hole(segment + 1)];
    const end = this.#controls.take(endOfText, spacing, undefined);
    if (isSuspended) return [end];
    const line = this.#controls.line(Layouts.margin, false, end);
    return [end, this.#controls.take(this.#parser.grammar.layout!.newline, spacing, line)];
  }

  /**
   * The controls where a lexeme is open at the end of a segment: it ends in the next hole, or
   * behind it.
   */
  #intoNextHole(segment: number, open: OpenLexeme, spacing: Spacing, isSuspended: boolean): readonly Control[] {
    const hole = this.#controls.hole(segment + 1);
    const { lex } = this.#parser.grammar;
    const found = new Set<Control>();
    for (const reached of this.#reach.matches(open.state)) {
      if (reached.bytes.length === 0) continue;
      const match = lex.matches[lex.match[reached.state]!]!;
      if (match.isTrivia) found.add(hole);
      for (const reading of match.readings) found.add(this.#takeAll(reading, spacing, hole));
    }
    for (const reached of this.#reach.tree(open.state).order) {
      const behind = this.continueLexeme(segment + 1, { ...open, state: reached }, anySpacing, isSuspended);
      for (const control of behind ?? []) found.add(control);
    }
    return [...found];
  }

  #matched(
    segment: number,
    run: LexemeRun,
    spacing: Spacing,
    isSuspended: boolean,
    endsLine: boolean,
  ): readonly Control[] {
    const { lex } = this.#parser.grammar;
    const match = lex.matches[lex.match[run.matchState]!]!;
    if (!match.isTrivia) {
      const rest = this.#controls.place(segment, run.matchEnd, glued);
      return match.readings.map((reading) => this.#takeAll(reading, spacing, rest));
    }
    const hasLineBreak = lex.brokenLine[run.matchState] === 1;
    return !isSuspended && hasLineBreak && endsLine
      ? this.#endLine(segment, run.matchEnd, spacing)
      : [this.#controls.place(segment, run.matchEnd, withTrivia(spacing, hasLineBreak))];
  }

  #takeAll(terminals: Uint16Array, spacing: Spacing, rest: Control): Control {
    let control = rest;
    for (let i = terminals.length - 1; i >= 0; i--) {
      control = this.#controls.take(terminals[i]!, i === 0 ? spacing : glued, control, i === 0);
    }
    return control;
  }

  /** A significant line ends, and the next one starts at `offset`. */
  #endLine(segment: number, offset: number, spacing: Spacing): readonly Control[] {
    return [this.#controls.take(this.#parser.grammar.layout!.newline, spacing, this.#lineAt(segment, offset))];
  }

  /** The control at the start of a line: its indentation, after blank lines and comments. */
  #lineAt(segment: number, offset: number): Control {
    const parser = this.#parser;
    const bytes = this.segments[segment]!;
    const line = findLineStart(parser.grammar.lex, bytes, offset, bytes.length);
    if (line.offset < bytes.length) {
      return this.#controls.line(parser.layouts.of(line), false, this.#controls.place(segment, line.offset, broken));
    }
    if (segment + 1 < this.segments.length) return this.#controls.hole(segment + 1);
    return this.#controls.line(Layouts.margin, false, this.#controls.take(endOfText, broken, undefined));
  }
}
