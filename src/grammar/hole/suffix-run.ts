import { suspended } from "../lexing/layouts.ts";
import type { LexReach } from "../lexing/lex-reach.ts";
import { NumberSets } from "../reading/number-sets.ts";
import type { Parser } from "../reading/parser.ts";
import { WorkSlices } from "../reading/work-slices.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { NumberColumn } from "../tables/number-column.ts";
import { absent, PairMap } from "../tables/pair-map.ts";
import type { LayoutClasses } from "./layout-classes.ts";
import { type Control, ControlStore } from "./suffix-control.ts";
import { SuffixLexer } from "./suffix-lexer.ts";

/**
 * An exit: a run that pops the symbol it started on. `pops` more symbols are to be popped, then the
 * left side of `production` is pushed, and `control` continues.
 */
export interface Exit {
  readonly id: number;
  readonly control: Control;
  readonly production: number;
  readonly pops: number;
}

/** The exit of an accepted text. */
export const accepted = 0;

/** The exits of the hole before a segment, given by its boundary. */
export type HoleExits = (segment: number, state: number, layout: number) => readonly number[];

/**
 * Runs the parser over a suffix without knowing the stack: computes all exits for a control and a
 * state on top. It is the saturation of a pushdown system, restricted to the configurations that
 * occur.
 *
 * Source: Bouajjani, Esparza and Maler 1997, "Reachability Analysis of Pushdown Automata" (pre*).
 */
export class SuffixRun {
  readonly parser: Parser;
  readonly controls: ControlStore = new ControlStore();
  readonly lexer: SuffixLexer;
  readonly #grammar: CompiledGrammar;
  #exitCount = 0;
  /** The fields of each exit; production and pops together. */
  readonly #exitControlIds = new NumberColumn();
  readonly #exitProductions = new NumberColumn();
  readonly #exitIds = new PairMap();
  /**
   * Items, each a control with a state and layout on top; numbered, by control, and by state and
   * layout.
   */
  readonly #items = new PairMap();
  #itemCount = 0;
  readonly #controlIdOf = new NumberColumn();
  readonly #stateOf = new NumberColumn();
  readonly #layoutOf = new NumberColumn();
  /** The exits of each item. */
  readonly #exitsOf = new NumberSets();
  /** For each item, the items one symbol below it, onto which its state was pushed. */
  readonly #under = new NumberSets();
  /** For each item, the items that have all of its exits. */
  readonly #same = new NumberSets();
  /** Results of `exitsOf`, and for each item the place of its own in the list, incremented by 1. */
  readonly #results: (readonly number[])[] = [];
  readonly #resultOf = new NumberColumn();
  readonly #fresh: number[] = [];
  readonly #found: number[] = [];
  readonly #foundExits: number[] = [];
  /** Exits that are still to be passed to items from what was pushed onto them. */
  readonly #deferred: number[] = [];
  readonly #deferredExits: number[] = [];
  readonly #holeExits: HoleExits;
  readonly #layouts: LayoutClasses;
  readonly #slices: WorkSlices;
  /** Layouts of lines that need a class of their own. */
  readonly ambiguous: Set<number> = new Set();

  constructor(
    parser: Parser,
    reach: LexReach,
    segments: readonly Uint8Array[],
    layouts: LayoutClasses,
    holeExits: HoleExits,
    slices: WorkSlices = new WorkSlices(),
  ) {
    this.parser = parser;
    this.#grammar = parser.grammar;
    this.lexer = new SuffixLexer({ parser, reach, slices }, this.controls, segments);
    this.#layouts = layouts;
    this.#holeExits = holeExits;
    this.#slices = slices;
  }

  /** The exit with this id, which is not `accepted`. */
  exit(id: number): Exit {
    const key = this.#exitProductions.get(id);
    const control = this.controls.of(this.#exitControlIds.get(id));
    return { id, control, production: key >>> 8, pops: key & 0xff };
  }

  /** The id of an exit. */
  exitId(control: Control, production: number, pops: number): number {
    const key = production * 256 + pops;
    const known = this.#exitIds.get(control.id, key);
    if (known !== absent) return known;
    const id = ++this.#exitCount;
    this.#exitControlIds.set(id, control.id);
    this.#exitProductions.set(id, key);
    this.#exitIds.set(control.id, key, id);
    return id;
  }

  /**
   * All exits of `state` on top of a stack whose blocks have `layout`, from `control` on. After an
   * interruption by `WorkSlices`, the same call continues.
   */
  exitsOf(control: Control, state: number, layout: number): readonly number[] {
    const item = this.#item(control, state, layout);
    // A cached result is no step of the work: after an interruption the results so far are
    // requested again.
    const known = this.#resultOf.get(item);
    if (known > 0) return this.#results[known - 1]!;
    this.#solve();
    const exits = this.#exitsOf.all(item);
    this.#resultOf.set(item, this.#results.push(exits));
    return exits;
  }

  /**
   * Interrupts the work where that is due; `WorkSlices` says what the caller has to keep. Results
   * of the lexer are cached, so that work from the start is no step.
   */
  rest(): void {
    this.#slices.rest();
  }

  /** Counts a step of the caller's work, and interrupts the work where that is due. */
  step(): void {
    this.#slices.step();
  }

  #item(control: Control, state: number, layout: number): number {
    const key = layout * 0x1_0000 + state;
    const known = this.#items.get(control.id, key);
    if (known !== absent) return known;
    const item = this.#itemCount++;
    this.#controlIdOf.set(item, control.id);
    this.#stateOf.set(item, state);
    this.#layoutOf.set(item, layout);
    this.#items.set(control.id, key, item);
    this.#fresh.push(item);
    return item;
  }

  #solve(): void {
    for (;;) {
      this.#slices.step();
      const fresh = this.#fresh.pop();
      if (fresh !== undefined) {
        this.#expand(fresh);
        continue;
      }
      const deferred = this.#deferred.pop();
      if (deferred !== undefined) {
        this.#pass(deferred, this.#deferredExits.pop()!);
        continue;
      }
      const item = this.#found.pop();
      if (item === undefined) return;
      const exit = this.#foundExits.pop()!;
      for (let at = this.#same.first(item); at !== absent; at = this.#same.next(at))
        this.#add(this.#same.value(at), exit);
      for (let at = this.#under.first(item); at !== absent; at = this.#under.next(at)) {
        this.#pass(this.#under.value(at), exit);
      }
    }
  }

  #add(item: number, exit: number): void {
    if (!this.#exitsOf.add(item, exit)) return;
    if (this.#same.first(item) === absent && this.#under.first(item) === absent) return;
    this.#found.push(item);
    this.#foundExits.push(exit);
  }

  /** Passes an exit of the state that was pushed onto an item's state to the item. */
  #pass(item: number, id: number): void {
    if (id === accepted) {
      this.#add(item, id);
      return;
    }
    const { control, production, pops } = this.exit(id);
    if (pops > 0) {
      this.#add(item, this.exitId(control, production, pops - 1));
      return;
    }
    const { tables } = this.#grammar;
    const below = this.#stateOf.get(item);
    const state = tables.goto[below * tables.nonterminals.length + tables.productionLeft[production]!]!;
    if (state !== 0) this.#push(item, state, this.#layoutOf.get(item), control);
  }

  /** Pushes `state` onto the state of `item`. */
  #push(item: number, state: number, layout: number, control: Control): void {
    const child = this.#item(control, state, layout);
    if (!this.#under.add(child, item)) return;
    const exits = this.#exitsOf;
    // Deferred: passing an exit may push again, which would recurse as deeply as the suffix is
    // nested or long.
    for (let at = exits.first(child); at !== absent; at = exits.next(at)) {
      this.#deferred.push(item);
      this.#deferredExits.push(exits.value(at));
    }
  }

  #copy(item: number, control: Control): void {
    const other = this.#item(control, this.#stateOf.get(item), this.#layoutOf.get(item));
    if (other === item || !this.#same.add(other, item)) return;
    const exits = this.#exitsOf;
    for (let at = exits.first(other); at !== absent; at = exits.next(at)) this.#add(item, exits.value(at));
  }

  #expand(item: number): void {
    const control = this.controls.of(this.#controlIdOf.get(item));
    const state = this.#stateOf.get(item);
    const layout = this.#layoutOf.get(item);
    switch (control.kind) {
      case "place": {
        const isSuspended = this.#grammar.layout === undefined || layout === suspended;
        const { segment, offset, spacing } = control;
        for (const mode of this.#grammar.modesOf[state]!) {
          for (const next of this.lexer.controlsAt(segment, offset, spacing, mode, isSuspended)) {
            if (this.#hasActionFor(state, next)) this.#copy(item, next);
          }
        }
        return;
      }
      case "take":
        this.#reduce(item, control.terminal);
        this.#shift(item, control.terminal, control.rest);
        this.#takeVirtually(item, control, this.parser.virtuals.requiresBefore(control.terminal, control.spacing));
        if (control.mayInsert) {
          const { terminal, spacing, rest } = control;
          const after = this.controls.take(terminal, spacing, rest, false);
          this.#takeVirtually(item, after, this.parser.virtuals.insertsBefore(terminal, spacing));
        }
        return;
      case "virtual":
        this.#reduce(item, control.terminal);
        this.#shift(item, control.terminal, control.rest);
        return;
      case "shift":
        this.#shift(item, control.terminal, control.rest);
        return;
      case "line":
        this.#expandLine(item, control.layout, control.hasEndedBlock, control.rest);
        return;
      case "complete":
        this.#expandComplete(item, control.rest);
        return;
      case "hole":
        for (const exit of this.#holeExits(control.segment, state, layout)) this.#add(item, exit);
        return;
    }
  }

  #takeVirtually(item: number, rest: Control, virtuals: readonly number[]): void {
    for (const terminal of virtuals) {
      if (this.#hasAction(this.#stateOf.get(item), terminal)) this.#copy(item, this.controls.virtual(terminal, rest));
    }
  }

  /** Whether `state` has an action for a control; for most readings of a lexeme it has none. */
  #hasActionFor(state: number, control: Control): boolean {
    return (
      control.kind !== "take" ||
      control.rest === undefined ||
      this.#hasAction(state, control.terminal) ||
      this.#virtualsBefore(control).some((terminal) => this.#hasAction(state, terminal))
    );
  }

  #virtualsBefore({ terminal, spacing }: Control & { readonly kind: "take" }): readonly number[] {
    return this.parser.virtuals.before(terminal, spacing);
  }

  #hasAction(state: number, terminal: number): boolean {
    const { tables } = this.#grammar;
    const cell = state * tables.terminals.length + terminal;
    return tables.shift[cell] !== 0 || tables.reduce[cell] !== 0;
  }

  #reduce(item: number, terminal: number): void {
    const { tables } = this.#grammar;
    const cell = this.#stateOf.get(item) * tables.terminals.length + terminal;
    const control = this.controls.of(this.#controlIdOf.get(item));
    for (const production of tables.reductionLists[tables.reduce[cell]!]!) {
      this.#add(item, this.exitId(control, production, tables.productionRight[production]!.length - 1));
    }
  }

  #shift(item: number, terminal: number, rest: Control | undefined, layout?: number): void {
    const { tables } = this.#grammar;
    const state = this.#stateOf.get(item);
    if (rest === undefined) {
      const isWhole = state === tables.acceptState || (state === 0 && tables.acceptsEmpty);
      if (isWhole) this.#add(item, accepted);
      return;
    }
    const target = tables.shift[state * tables.terminals.length + terminal]!;
    if (target === 0) return;
    const next = this.parser.endsAtOnce(terminal) ? this.controls.complete(rest) : rest;
    this.#push(item, target, layout ?? this.parser.layoutAbove(terminal, this.#layoutOf.get(item)), next);
  }

  #expandLine(item: number, layout: number, hasEndedBlock: boolean, rest: Control): void {
    const { indent, dedent } = this.#grammar.layout!;
    const block = this.#layoutOf.get(item);
    if (this.#layouts.isAmbiguous(layout, block)) this.ambiguous.add(layout);
    switch (this.parser.layouts.compare(layout, block)) {
      case "same":
        this.#copy(item, rest);
        return;
      case "deeper":
        if (hasEndedBlock) return;
        this.#reduce(item, indent);
        this.#shift(item, indent, rest, layout);
        return;
      case "shallower":
        this.#reduce(item, dedent);
        this.#shift(item, dedent, this.controls.line(layout, true, rest));
        return;
      case "inconsistent":
        return;
    }
  }

  #expandComplete(item: number, rest: Control): void {
    const { tables } = this.#grammar;
    const state = this.#stateOf.get(item);
    for (let each = tables.itemStart[state]!; each < tables.itemStart[state + 1]!; each++) {
      const production = tables.itemProduction[each]!;
      const { length } = tables.productionRight[production]!;
      if (tables.itemDot[each] === length) this.#add(item, this.exitId(rest, production, length - 1));
    }
  }
}
