import { findLineStart } from "../lexing/layouts.ts";
import { endOfText } from "../reading/parser.ts";
import { anySpacing } from "../reading/spacing.ts";
import { leastOf } from "../tables/yield-costs.ts";
import type { GrammarIndex } from "./grammar-index.ts";
import type { LayoutClasses } from "./layout-classes.ts";
import { MinHeap } from "./min-heap.ts";
import type { Control } from "./suffix-control.ts";
import type { OpenLexeme } from "./suffix-lexer.ts";
import { accepted, type SuffixRun } from "./suffix-run.ts";

/**
 * An entry into the suffix: the first terminal behind a hole, and the bytes of its lexeme that the
 * hole writes.
 */
export interface Entry {
  /** Takes one terminal. Reductions and virtual terminals before it happen in the hole. */
  readonly control: Control;
  /** The hole's part of a lexeme that continues in the suffix. */
  readonly bytes: Uint8Array;
  /**
   * Alternative sets of modes that find it, as bits. Where trivia precedes it, a set has several
   * modes, and a state must have all of them.
   */
  readonly modes: readonly number[];
  /**
   * The layouts where it may come: between brackets, outside of them, or in a block with this
   * layout only.
   */
  readonly where: "suspended" | "lines" | number;
}

/** What a hole writes to cross into the suffix: symbols of a production, then `inner`. */
export interface Crossing {
  readonly production: number;
  /** The hole writes the symbols from `dot` up to, and without, `until`. */
  readonly dot: number;
  readonly until: number;
  readonly inner: Crossing | Entry | undefined;
  /** The class of the first terminal of `inner`. */
  readonly innerFirst: number;
  /** The class of the first terminal of the whole crossing; any by default. */
  readonly first?: number;
}

/** An exit from the hole for a state on top of the stack. */
export interface HoleExit {
  /** An exit of the run, or `accepted`. */
  readonly exit: number;
  /** The bytes that the hole writes. */
  readonly cost: number;
  readonly written: Crossing | Entry | undefined;
}

/** A nonterminal that begins in the hole and ends in the suffix. */
interface BoundaryToken {
  readonly nonterminal: number;
  /** The control at its end. */
  readonly control: Control;
  /** The layout at its start. */
  readonly layout: number;
  /** The class of its first terminal; `unknown` where that does not matter. */
  readonly first: number;
  readonly written: Crossing | Entry;
}

/** The rest of a production that begins in the hole and ends in the suffix. */
interface Inside {
  readonly production: number;
  /** The hole still has to write the symbols before this index. */
  readonly until: number;
  /** The layout at `until`. */
  readonly layout: number;
  /** The control at its end. */
  readonly control: Control;
  /** What the hole writes of it: the cost, the class of the first terminal, and the text. */
  readonly cost: number;
  readonly first: number;
  readonly inner: Crossing | Entry;
}

/** An end in the suffix for the rest of a production from a dot on. */
interface Ending {
  readonly control: Control;
  readonly layout: number;
  readonly cost: number;
  readonly written: Crossing | Entry;
}

/**
 * The boundary of a hole: which symbols can begin in it and end in the suffix, and where.
 *
 * It relates symbols rather than states, and so is small. In a hole any terminal may come next, so
 * that reductions need no lookahead: a state on top continues by writing the rest of one of its
 * items, or a part of it before crossing. Symbols are settled in ascending order of cost, so that
 * costs are minimal. Source: Knuth 1977, "A Generalization of Dijkstra's Algorithm".
 */
export class HoleBoundary {
  #entries: readonly Entry[] | undefined;
  /** How many of the entries are crossed. */
  #crossed = 0;
  /** Of the present entry or boundary token: the states that are crossed, */
  #crossedStates = 0;
  /** the layouts of the next state, */
  #crossedLayouts = 0;
  /** and the exits of the next layout. */
  #crossedExits = 0;
  /** The boundary token that is being settled. */
  #settling: { readonly cost: number; readonly value: BoundaryToken } | undefined;
  readonly #segment: number;
  readonly #run: SuffixRun;
  readonly #index: GrammarIndex;
  readonly #layouts: LayoutClasses;
  readonly #endings = new Map<number, Map<number, Ending>>();
  /** The least cost of each boundary token so far. */
  readonly #costs = new Map<number, number>();
  readonly #queue = new MinHeap<BoundaryToken>();
  readonly #exits = new Map<number, readonly HoleExit[]>();
  readonly #continued = new Map<number, readonly ReachableState[]>();
  #wholeFromStart: HoleExit | undefined;
  #wholeAtEnd: HoleExit | undefined;

  constructor(run: SuffixRun, index: GrammarIndex, layouts: LayoutClasses, segment: number) {
    this.#run = run;
    this.#index = index;
    this.#layouts = layouts;
    this.#segment = segment;
  }

  /**
   * Computes the boundary; before that there are no exits. After an interruption by `WorkSlices`
   * the next call continues.
   */
  finish(): void {
    this.#entries ??= this.#findEntries();
    for (; this.#crossed < this.#entries.length; this.#crossed++) this.#crossFrom(this.#entries[this.#crossed]!);
    for (;;) {
      this.#run.rest();
      this.#settling ??= this.#queue.pop();
      if (this.#settling === undefined) return;
      this.#settle(this.#settling.value, this.#settling.cost);
      this.#settling = undefined;
    }
  }

  /** All exits for `state` on top of a stack whose blocks have `layout`, cheapest first. */
  exitsAt(state: number, layout: number): readonly HoleExit[] {
    const of = this.#layouts.classOf(layout);
    const key = of * 0x1_0000 + state;
    const known = this.#exits.get(key);
    if (known !== undefined) return known;
    const exits = this.#findExits(state, of);
    this.#exits.set(key, exits);
    return exits;
  }

  #findExits(state: number, layout: number): readonly HoleExit[] {
    const { tables } = this.#run.parser.grammar;
    const hole = this.#run.controls.hole(this.#segment);
    const exits = new Map<number, HoleExit>();
    const add = (exit: HoleExit) => {
      if (exit.cost === Number.POSITIVE_INFINITY) return;
      const known = exits.get(exit.exit);
      if (known === undefined || exit.cost < known.cost) exits.set(exit.exit, exit);
    };
    const whole: HoleExit[] = [];
    if (state === 0) {
      if (this.#wholeFromStart !== undefined) whole.push(this.#wholeFromStart);
      whole.push(...this.#wholeInHole());
    }
    if (state === tables.acceptState && this.#wholeAtEnd !== undefined) whole.push(this.#wholeAtEnd);
    for (let item = tables.itemStart[state]!; item < tables.itemStart[state + 1]!; item++) {
      const production = tables.itemProduction[item]!;
      const dot = tables.itemDot[item]!;
      const right = tables.productionRight[production]!;
      add({
        exit: this.#run.exitId(hole, production, dot - 1),
        cost: this.#index.costs.ofRange(right, dot, right.length),
        written: this.#wholly(production, dot),
      });
      for (const ending of this.#endings.get(production * 256 + dot)?.values() ?? []) {
        if (ending.layout !== layout) continue;
        const { control, cost, written } = ending;
        add({ exit: this.#run.exitId(control, production, dot - 1), cost, written });
      }
    }
    return [...whole, ...exits.values()].sort((a, b) => a.cost - b.cost);
  }

  /** The hole may write a whole text when only trivia follows it. */
  #wholeInHole(): readonly HoleExit[] {
    const end = this.#wholeAtEnd;
    if (end === undefined) return [];
    const { tables } = this.#run.parser.grammar;
    return [...tables.productionRight.entries()]
      .filter(([production]) => tables.goto[tables.productionLeft[production]!] === tables.acceptState)
      .map(([production, right]) => ({
        exit: accepted,
        cost: this.#index.costs.ofRange(right, 0, right.length) + end.cost,
        written: { ...this.#wholly(production, 0), inner: end.written },
      }))
      .filter(({ cost }) => cost < Number.POSITIVE_INFINITY);
  }

  /** A production that the hole writes completely. */
  #wholly(production: number, dot: number): Crossing {
    const { length } = this.#run.parser.grammar.tables.productionRight[production]!;
    return { production, dot, until: length, inner: undefined, innerFirst: this.#index.costs.firsts.unknown };
  }

  /**
   * Crosses from every state that may be on top when the first terminal behind the hole is taken.
   */
  #crossFrom(entry: Entry): void {
    const states = this.#statesFor(entry.control);
    for (; this.#crossedStates < states.length; this.#crossedStates++) {
      this.#run.rest();
      this.#crossFromState(entry, states[this.#crossedStates]!);
    }
    this.#crossedStates = 0;
  }

  /** Crosses each exit of a state, unless that was done before an interruption. */
  #crossExits(exits: readonly number[], cross: (id: number) => void): void {
    for (; this.#crossedExits < exits.length; this.#crossedExits++) {
      this.#run.step();
      cross(exits[this.#crossedExits]!);
    }
    this.#crossedExits = 0;
  }

  #crossFromState(entry: Entry, state: number): void {
    const { tables } = this.#run.parser.grammar;
    const { control } = entry;
    const cost = entry.bytes.length;
    const { firsts } = this.#index.costs;
    const first = control.kind === "shift" && control.rest !== undefined ? firsts.of(control.terminal) : firsts.unknown;
    const terminal = control.kind === "shift" ? control.terminal : endOfText;
    if (!entry.modes.some((modes) => this.#index.reachableModes.canReach(state, terminal, modes))) return;
    // A line whose indentation is in the hole begins in states at the start of a line.
    if (typeof entry.where === "number" && this.#index.isAtLineStart[state] === 0) return;
    const layouts = this.#layouts.layoutsOf(entry.where);
    for (; this.#crossedLayouts < layouts.length; this.#crossedLayouts++) {
      const layout = layouts[this.#crossedLayouts]!;
      this.#crossExits(this.#run.exitsOf(control, state, layout), (id) => {
        if (id !== accepted) {
          const { control: end, production, pops } = this.#run.exit(id);
          this.#cross({ production, until: pops + 1, layout, control: end, cost, first, inner: entry });
        } else if (state === 0) {
          this.#acceptFromStart({ exit: accepted, cost, written: entry });
        } else if (state === tables.acceptState) {
          this.#acceptAtEnd({ exit: accepted, cost, written: entry });
        }
      });
    }
    this.#crossedLayouts = 0;
  }

  #statesFor(control: Control): ArrayLike<number> {
    const { tables } = this.#run.parser.grammar;
    if (control.kind === "shift" && control.rest !== undefined) return this.#index.statesShifting[control.terminal]!;
    if (control.kind === "shift") return tables.acceptsEmpty ? [0, tables.acceptState] : [tables.acceptState];
    return Array.from({ length: tables.stateCount }, (_, state) => state);
  }

  #settle({ nonterminal, control, layout, first, written }: BoundaryToken, cost: number): void {
    if (cost > this.#costs.get(this.#tokenKey(nonterminal, control, layout, first))!) return;
    const { tables } = this.#run.parser.grammar;
    const states = this.#index.targetsOf[nonterminal]!;
    for (; this.#crossedStates < states.length; this.#crossedStates++) {
      const state = states[this.#crossedStates]!;
      this.#crossExits(this.#run.exitsOf(control, state, layout), (id) => {
        if (id !== accepted) {
          const { control: end, production, pops } = this.#run.exit(id);
          this.#cross({ production, until: pops, layout, control: end, cost, first, inner: written });
        } else if (state === tables.acceptState) this.#acceptFromStart({ exit: accepted, cost, written });
      });
    }
    this.#crossedStates = 0;
  }

  #cross(inside: Inside): void {
    if (this.#index.costs.dependsOnFirst(inside.production)) this.#crossByFirsts(inside);
    else this.#crossPlainly(inside);
  }

  /** As `#crossByFirsts`, where no first terminal matters. */
  #crossPlainly({ production, until, layout, control, cost: innerCost, first: innerFirst, inner }: Inside): void {
    const { tables } = this.#run.parser.grammar;
    const right = tables.productionRight[production]!;
    let cost = innerCost;
    let layouts: readonly number[] = [layout];
    for (let dot = until; dot > 0; dot--) {
      this.#end(production, dot, control, layouts, cost, () => ({ production, dot, until, inner, innerFirst }));
      const symbol = right[dot - 1]!;
      cost += this.#index.costs.of(symbol);
      layouts = this.#layouts.below(symbol, layouts);
    }
    const { unknown } = this.#index.costs.firsts;
    const nonterminal = tables.productionLeft[production]!;
    const written = { production, dot: 0, until, inner, innerFirst };
    for (const each of layouts) this.#pushToken({ nonterminal, control, layout: each, first: unknown, written }, cost);
  }

  /**
   * Adds the boundary tokens and endings that begin with symbols before `inside`, for each class of
   * first terminal.
   */
  #crossByFirsts({ production, until, layout, control, cost, first: innerFirst, inner }: Inside): void {
    const { tables } = this.#run.parser.grammar;
    const { costs } = this.#index;
    const right = tables.productionRight[production]!;
    let byFirst = costs.only(innerFirst, cost);
    let layouts: readonly number[] = [layout];
    for (let dot = until; dot > 0; dot--) {
      this.#end(production, dot, control, layouts, leastOf(byFirst), () => ({
        production,
        dot,
        until,
        inner,
        innerFirst,
      }));
      const symbol = right[dot - 1]!;
      byFirst = costs.before(symbol, byFirst);
      layouts = this.#layouts.below(symbol, layouts);
    }
    const nonterminal = tables.productionLeft[production]!;
    if (!costs.firsts.matters(nonterminal)) {
      const written = { production, dot: 0, until, inner, innerFirst };
      const first = costs.firsts.unknown;
      for (const each of layouts)
        this.#pushToken({ nonterminal, control, layout: each, first, written }, leastOf(byFirst));
      return;
    }
    for (let first = 0; first < byFirst.length; first++) {
      const written = { production, dot: 0, until, inner, innerFirst, first };
      for (const each of layouts)
        this.#pushToken({ nonterminal, control, layout: each, first, written }, byFirst[first]!);
    }
  }

  /** Records that a production from `dot` on can end at `control`. */
  #end(
    production: number,
    dot: number,
    control: Control,
    layouts: readonly number[],
    cost: number,
    write: () => Crossing,
  ): void {
    if (cost === Number.POSITIVE_INFINITY) return;
    let written: Crossing | undefined;
    for (const layout of layouts) {
      const endings = this.#endingsOf(production, dot);
      const key = control.id * maxLayouts + layout;
      const known = endings.get(key);
      if (known !== undefined && known.cost <= cost) continue;
      written ??= write();
      endings.set(key, { control, layout, cost, written });
    }
  }

  #pushToken(token: BoundaryToken, cost: number): void {
    if (cost === Number.POSITIVE_INFINITY) return;
    const { nonterminal, control, layout, first } = token;
    const key = this.#tokenKey(nonterminal, control, layout, first);
    const known = this.#costs.get(key);
    if (known !== undefined && known <= cost) return;
    this.#costs.set(key, cost);
    this.#queue.push(cost, token);
  }

  #tokenKey(nonterminal: number, control: Control, layout: number, first: number): number {
    const { firsts } = this.#index.costs;
    return ((control.id * 0x1000 + nonterminal) * (firsts.unknown + 1) + first) * maxLayouts + layout;
  }

  #endingsOf(production: number, dot: number): Map<number, Ending> {
    const key = production * 256 + dot;
    let endings = this.#endings.get(key);
    if (endings === undefined) {
      endings = new Map();
      this.#endings.set(key, endings);
    }
    return endings;
  }

  #acceptFromStart(exit: HoleExit): void {
    if (exit.cost < (this.#wholeFromStart?.cost ?? Number.POSITIVE_INFINITY)) this.#wholeFromStart = exit;
  }

  #acceptAtEnd(exit: HoleExit): void {
    if (exit.cost < (this.#wholeAtEnd?.cost ?? Number.POSITIVE_INFINITY)) this.#wholeAtEnd = exit;
  }

  #findEntries(): readonly Entry[] {
    const { parser } = this.#run;
    const { lex, layout } = parser.grammar;
    const entries = new Map<string, Entry>();
    const add = (entry: Entry) => {
      const key = `${entry.control.id},${entry.where}`;
      const known = entries.get(key);
      if (known === undefined) entries.set(key, entry);
      else {
        const { bytes } = known.bytes.length <= entry.bytes.length ? known : entry;
        entries.set(key, { ...known, bytes, modes: entry.modes.reduce(withModes, known.modes) });
      }
    };
    const sides = layout === undefined ? [true] : [true, false];
    for (const isSuspended of sides) {
      const where = isSuspended ? "suspended" : "lines";
      lex.modes.forEach((mode, index) => {
        for (const { control, modes } of this.#reachableAt(0, index, isSuspended)) {
          add({ control, modes, bytes: new Uint8Array(), where });
        }
        for (const beganWithLineBreak of [false, true]) {
          const tree = this.#index.reach.begun(mode.start, beganWithLineBreak);
          for (const state of tree.order) {
            if (state === mode.start) continue;
            for (const { control, modes } of this.#reachableIn({ state, beganWithLineBreak }, isSuspended)) {
              const all = modes.reduce<readonly number[]>((some, each) => withModes(some, bitsOf(each, index)), []);
              add({ control, modes: all, bytes: tree.pathTo(state), where });
            }
          }
        }
      });
    }
    if (layout !== undefined) for (const entry of this.#lineEntries()) add(entry);
    return [...entries.values()];
  }

  /**
   * Entries where the hole ends in the indentation of a line, or with a line break: the text
   * continues with the first line that is not blank, in a block of its depth.
   */
  #lineEntries(): readonly Entry[] {
    const { parser, lexer } = this.#run;
    const { lex } = parser.grammar;
    const bytes = lexer.segments[this.#segment]!;
    const entries: Entry[] = [];
    const begin = (from: number, written: Uint8Array) => {
      const line = findLineStart(lex, bytes, from, bytes.length);
      // No line begins in the middle of a line.
      if (line.start === from && line.offset < bytes.length) return;
      const where = parser.layouts.of(line);
      lex.modes.forEach((_, mode) => {
        for (const { control, modes } of this.#reachableAt(line.offset, mode, false)) {
          const endsLine = control.kind === "shift" && control.terminal === parser.grammar.layout!.newline;
          if (!endsLine) entries.push({ control, modes, bytes: written, where });
        }
      });
    };
    begin(0, new Uint8Array());
    for (const [from, written] of this.#commentsAcross()) begin(from, written);
    return entries;
  }

  /**
   * The offsets at which trivia that begins in the hole ends, with the part that the hole writes.
   */
  #commentsAcross(): ReadonlyMap<number, Uint8Array> {
    const { parser, lexer } = this.#run;
    const ends = new Map<number, Uint8Array>();
    for (const { start } of parser.grammar.lex.modes) {
      const tree = this.#index.reach.begun(start, false);
      for (const state of tree.order) {
        const open = { state, beganWithLineBreak: false };
        this.#run.rest();
        for (const control of lexer.continueLexeme(this.#segment, open, anySpacing, false) ?? []) {
          if (control.kind === "place" && !ends.has(control.offset)) ends.set(control.offset, tree.pathTo(state));
        }
      }
    }
    return ends;
  }

  /** The reachable states for a lexeme at an offset, in one mode; behind trivia, in any mode. */
  #reachableAt(offset: number, mode: number, isSuspended: boolean): readonly ReachableState[] {
    this.#run.rest();
    const controls = this.#run.lexer.controlsAt(this.#segment, offset, anySpacing, mode, isSuspended);
    return this.#skipTrivia(controls, bitsOf(0, mode), isSuspended);
  }

  #reachableIn(open: OpenLexeme, isSuspended: boolean): readonly ReachableState[] {
    const key = open.state * 4 + (open.beganWithLineBreak ? 2 : 0) + (isSuspended ? 1 : 0);
    const known = this.#continued.get(key);
    if (known !== undefined) return known;
    this.#run.rest();
    const controls = this.#run.lexer.continueLexeme(this.#segment, open, anySpacing, isSuspended) ?? [];
    const reachable = this.#skipTrivia(controls, 0, isSuspended);
    this.#continued.set(key, reachable);
    return reachable;
  }

  /**
   * Skips trivia in all modes. What follows trivia is only for states with the modes of the trivia
   * and of the terminal.
   */
  #skipTrivia(controls: readonly Control[], modes: number, isSuspended: boolean): readonly ReachableState[] {
    const { lexer, controls: store, parser } = this.#run;
    const reachable = new Map<Control, readonly number[]>();
    const places = new Map<Control, readonly number[]>();
    const go = (found: readonly Control[], so: number) => {
      for (const control of found) {
        const landed = control.kind === "take" ? store.shift(control.terminal, control.rest) : control;
        const all = control.kind === "place" ? places : reachable;
        const before = all.get(landed) ?? [];
        const after = withModes(before, so);
        if (after === before) continue;
        all.set(landed, after);
        if (control.kind !== "place") continue;
        const { segment, offset, spacing } = control;
        for (const mode of parser.grammar.lex.modes.keys()) {
          go(lexer.controlsAt(segment, offset, spacing, mode, isSuspended), bitsOf(so, mode));
        }
      }
    };
    go(controls, modes);
    return Array.from(reachable, ([control, all]) => ({ control, modes: all }));
  }
}

/** The bits `modes` with one more mode. */
function bitsOf(modes: number, mode: number): number {
  return (modes | (1 << mode)) >>> 0;
}

/** The sets `all` and `modes`, without supersets of others. */
function withModes(all: readonly number[], modes: number): readonly number[] {
  if (all.some((each) => (each & modes) >>> 0 === each)) return all;
  return [...all.filter((each) => (each & modes) >>> 0 !== modes), modes];
}

/** An upper bound on the number of layouts. */
const maxLayouts = 0x1_0000;

/** The first terminal behind a hole, with the sets of modes that find it. */
interface ReachableState {
  readonly control: Control;
  readonly modes: readonly number[];
}
