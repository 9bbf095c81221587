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

/** How a hole can end: what comes first behind it, and what of that the hole writes itself. */
export interface Entry {
  /**
   * Takes one terminal. What goes before it, reductions and virtual terminals, happens in the hole.
   */
  readonly control: Control;
  /** The hole's part of a lexeme that runs on into the text behind. */
  readonly bytes: Uint8Array;
  /**
   * The modes in which it is found, as a bit for each: all modes of one of these, where trivia goes
   * before it.
   */
  readonly modes: readonly number[];
  /**
   * In which layouts it may come: between brackets, outside of them, or in a block with this layout
   * only.
   */
  readonly where: "suspended" | "lines" | number;
}

/** What a hole writes to get across: symbols of a production, and then what `inner` says. */
export interface Crossing {
  readonly production: number;
  /** The symbols from `dot` on, up to `until`, are written by the hole. */
  readonly dot: number;
  readonly until: number;
  readonly inner: Crossing | Entry | undefined;
  /** What `inner` begins with, as a class of first terminals. */
  readonly innerFirst: number;
  /** What all of it begins with; default: anything. */
  readonly first?: number;
}

/** A way on from a state on top in the hole. */
export interface HoleExit {
  /** An exit of the run, or `accepted`. */
  readonly exit: number;
  /** Bytes that the hole writes on this way. */
  readonly cost: number;
  readonly written: Crossing | Entry | undefined;
}

/** A nonterminal that begins in the hole and ends behind it. */
interface BoundaryToken {
  readonly nonterminal: number;
  /** Where it ends. */
  readonly control: Control;
  /** The layout where it begins. */
  readonly layout: number;
  /** What it begins with, as a class of first terminals; `unknown` where that does not matter. */
  readonly first: number;
  readonly written: Crossing | Entry;
}

/** The rest of a production, which begins in the hole and ends behind it. */
interface Inside {
  readonly production: number;
  /** The symbols before this place are still to be written, by the hole. */
  readonly until: number;
  /** The layout at `until`. */
  readonly layout: number;
  /** Where it ends. */
  readonly control: Control;
  /** What the hole writes of it: how much, the class that begins it, and what. */
  readonly cost: number;
  readonly first: number;
  readonly inner: Crossing | Entry;
}

/** Where the rest of a production from a dot on can end, when it begins in the hole. */
interface Ending {
  readonly control: Control;
  readonly layout: number;
  readonly cost: number;
  readonly written: Crossing | Entry;
}

/**
 * The end of a hole: which symbols can begin in it and end in the text behind it, and where.
 *
 * It speaks of symbols and not of states, and so is small. In a hole any terminal may come, so that
 * reductions need no lookahead there: a state on top continues by writing the rest of one of its
 * items, or by writing some of it and crossing. Symbols are settled in the order of the bytes they
 * take, which makes costs least ones. Source: Knuth 1977, "A Generalization of Dijkstra's
 * Algorithm".
 */
export class HoleBoundary {
  readonly entries: readonly Entry[];
  readonly #segment: number;
  readonly #run: SuffixRun;
  readonly #index: GrammarIndex;
  readonly #layouts: LayoutClasses;
  readonly #endings = new Map<number, Map<number, Ending>>();
  /** The least cost that each straddler was found with. */
  readonly #costs = new Map<number, number>();
  readonly #queue = new MinHeap<BoundaryToken>();
  readonly #exits = new Map<number, readonly HoleExit[]>();
  readonly #runsOn = new Map<number, readonly ReachableState[]>();
  #wholeFromStart: HoleExit | undefined;
  #wholeAtEnd: HoleExit | undefined;

  constructor(run: SuffixRun, index: GrammarIndex, layouts: LayoutClasses, segment: number) {
    this.#run = run;
    this.#index = index;
    this.#layouts = layouts;
    this.#segment = segment;
    this.entries = this.#findEntries();
    for (const entry of this.entries) this.#land(entry);
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop())
      this.#settle(next.value, next.cost);
  }

  /** All ways on from `state` on top of a stack whose blocks have `layout`, the cheapest first. */
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

  /** The hole may write a whole text, when nothing but trivia comes behind it. */
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

  /** A production that the hole writes to its end. */
  #wholly(production: number, dot: number): Crossing {
    const { length } = this.#run.parser.grammar.tables.productionRight[production]!;
    return { production, dot, until: length, inner: undefined, innerFirst: this.#index.costs.firsts.unknown };
  }

  /** Every state that can take what comes first behind the hole may be on top there. */
  #land(entry: Entry): void {
    const { tables } = this.#run.parser.grammar;
    const { control } = entry;
    const cost = entry.bytes.length;
    const layouts = this.#layouts.where(entry.where);
    const { firsts } = this.#index.costs;
    const first = control.kind === "land" && control.rest !== undefined ? firsts.of(control.terminal) : firsts.unknown;
    for (const state of this.#statesFor(control)) {
      const terminal = control.kind === "land" ? control.terminal : endOfText;
      if (!entry.modes.some((modes) => this.#index.landing.canLand(state, terminal, modes))) continue;
      // The text of a line that begins in the hole is where a line has begun.
      if (typeof entry.where === "number" && this.#index.isAtLineStart[state] === 0) continue;
      for (const layout of layouts) {
        for (const id of this.#run.exitsOf(control, state, layout)) {
          if (id !== accepted) {
            const { control: end, production, pops } = this.#run.exit(id);
            this.#cross({ production, until: pops + 1, layout, control: end, cost, first, inner: entry });
          } else if (state === 0) {
            this.#acceptFromStart({ exit: accepted, cost, written: entry });
          } else if (state === tables.acceptState) {
            this.#acceptAtEnd({ exit: accepted, cost, written: entry });
          }
        }
      }
    }
  }

  #statesFor(control: Control): Iterable<number> {
    const { tables } = this.#run.parser.grammar;
    if (control.kind === "land" && control.rest !== undefined) return this.#index.statesShifting[control.terminal]!;
    if (control.kind === "land") return tables.acceptsEmpty ? [0, tables.acceptState] : [tables.acceptState];
    return Array.from({ length: tables.stateCount }, (_, state) => state);
  }

  #settle({ nonterminal, control, layout, first, written }: BoundaryToken, cost: number): void {
    if (cost > this.#costs.get(this.#straddlerKey(nonterminal, control, layout, first))!) return;
    const { tables } = this.#run.parser.grammar;
    for (const state of this.#index.targetsOf[nonterminal]!) {
      for (const id of this.#run.exitsOf(control, state, layout)) {
        if (id === accepted) {
          if (state === tables.acceptState) this.#acceptFromStart({ exit: accepted, cost, written });
          continue;
        }
        const { control: end, production, pops } = this.#run.exit(id);
        this.#cross({ production, until: pops, layout, control: end, cost, first, inner: written });
      }
    }
  }

  #cross(inside: Inside): void {
    if (this.#index.costs.tellApart(inside.production)) this.#crossByFirsts(inside);
    else this.#crossPlainly(inside);
  }

  /** As `#crossByFirsts`, where it does not matter what anything begins with. */
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
    for (const each of layouts) this.#straddle({ nonterminal, control, layout: each, first: unknown, written }, cost);
  }

  /**
   * What begins in the hole with the symbols before `inside`, for each class of what it can begin
   * with.
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
        this.#straddle({ nonterminal, control, layout: each, first, written }, leastOf(byFirst));
      return;
    }
    for (let first = 0; first < byFirst.length; first++) {
      const written = { production, dot: 0, until, inner, innerFirst, first };
      for (const each of layouts)
        this.#straddle({ nonterminal, control, layout: each, first, written }, byFirst[first]!);
    }
  }

  /** From `dot` on a production can end at `control`. */
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

  #straddle(straddler: BoundaryToken, cost: number): void {
    if (cost === Number.POSITIVE_INFINITY) return;
    const { nonterminal, control, layout, first } = straddler;
    const key = this.#straddlerKey(nonterminal, control, layout, first);
    const known = this.#costs.get(key);
    if (known !== undefined && known <= cost) return;
    this.#costs.set(key, cost);
    this.#queue.push(cost, straddler);
  }

  #straddlerKey(nonterminal: number, control: Control, layout: number, first: number): number {
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
        for (const { control, modes } of this.#landAt(0, index, isSuspended)) {
          add({ control, modes, bytes: new Uint8Array(), where });
        }
        for (const beganWithLineBreak of [false, true]) {
          const tree = this.#index.reach.begun(mode.start, beganWithLineBreak);
          for (const state of tree.order) {
            if (state === mode.start) continue;
            for (const { control, modes } of this.#landings({ state, beganWithLineBreak }, isSuspended)) {
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
   * When the hole ends with a line break, the text continues with its first line that is not blank,
   * in a block as deep as it.
   */
  #lineEntries(): readonly Entry[] {
    const { parser, lexer } = this.#run;
    const { lex } = parser.grammar;
    const bytes = lexer.segments[this.#segment]!;
    const entries: Entry[] = [];
    const begin = (from: number, written: Uint8Array) => {
      const line = findLineStart(lex, bytes, from, bytes.length);
      // In the middle of a line nothing begins.
      if (line.start === from && line.offset < bytes.length) return;
      const where = parser.layouts.of(line);
      lex.modes.forEach((_, mode) => {
        for (const { control, modes } of this.#landAt(line.offset, mode, false)) {
          const endsLine = control.kind === "land" && control.terminal === parser.grammar.layout!.newline;
          if (!endsLine) entries.push({ control, modes, bytes: written, where });
        }
      });
    };
    begin(0, new Uint8Array());
    for (const [from, written] of this.#commentsAcross()) begin(from, written);
    return entries;
  }

  /** Where trivia ends that begins in the hole, with what the hole writes of it. */
  #commentsAcross(): ReadonlyMap<number, Uint8Array> {
    const { parser, lexer } = this.#run;
    const ends = new Map<number, Uint8Array>();
    for (const { start } of parser.grammar.lex.modes) {
      const tree = this.#index.reach.begun(start, false);
      for (const state of tree.order) {
        const open = { state, beganWithLineBreak: false };
        for (const control of lexer.continueLexeme(this.#segment, open, anySpacing, false) ?? []) {
          if (control.kind === "place" && !ends.has(control.offset)) ends.set(control.offset, tree.pathTo(state));
        }
      }
    }
    return ends;
  }

  /** What may come first at a byte, in one mode; behind trivia, in the modes given. */
  #landAt(offset: number, mode: number, isSuspended: boolean): readonly ReachableState[] {
    const controls = this.#run.lexer.controlsAt(this.#segment, offset, anySpacing, mode, isSuspended);
    return this.#landed(controls, bitsOf(0, mode), isSuspended);
  }

  #landings(open: OpenLexeme, isSuspended: boolean): readonly ReachableState[] {
    const key = open.state * 4 + (open.beganWithLineBreak ? 2 : 0) + (isSuspended ? 1 : 0);
    const known = this.#runsOn.get(key);
    if (known !== undefined) return known;
    const controls = this.#run.lexer.continueLexeme(this.#segment, open, anySpacing, isSuspended) ?? [];
    const landings = this.#landed(controls, 0, isSuspended);
    this.#runsOn.set(key, landings);
    return landings;
  }

  /**
   * Trivia is gone through in all modes; what comes behind it is for states that ask for the modes
   * of both.
   */
  #landed(controls: readonly Control[], modes: number, isSuspended: boolean): readonly ReachableState[] {
    const { lexer, controls: store, parser } = this.#run;
    const landings = new Map<Control, readonly number[]>();
    const places = new Map<Control, readonly number[]>();
    const go = (found: readonly Control[], so: number) => {
      for (const control of found) {
        const landed = control.kind === "take" ? store.land(control.terminal, control.rest) : control;
        const all = control.kind === "place" ? places : landings;
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
    return Array.from(landings, ([control, all]) => ({ control, modes: all }));
  }
}

/** Bits for `modes` and for one more. */
function bitsOf(modes: number, mode: number): number {
  return (modes | (1 << mode)) >>> 0;
}

/** `all` and `modes`, without those that say no more than others. */
function withModes(all: readonly number[], modes: number): readonly number[] {
  if (all.some((each) => (each & modes) >>> 0 === each)) return all;
  return [...all.filter((each) => (each & modes) >>> 0 !== modes), modes];
}

/** More than there are layouts in a file. */
const maxLayouts = 0x1_0000;

/** What comes first behind a hole, and the modes that it was found in, as those of an entry. */
interface ReachableState {
  readonly control: Control;
  readonly modes: readonly number[];
}
