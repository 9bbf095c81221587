import type { CompiledGrammar } from "./compiled-grammar.ts";
import type { LayoutClasses } from "./layout-classes.ts";
import { suspended } from "./layouts.ts";
import type { LexReach } from "./lex-reach.ts";
import type { Parser } from "./parser.ts";
import { type Control, ControlStore } from "./suffix-control.ts";
import { SuffixLexer } from "./suffix-lexer.ts";

/**
 * A way on that goes below the top of a stack: the top is gone, `pops` more symbols are to be taken off, and then what
 * `production` makes is put there, and `control` goes on.
 */
export interface Exit {
  readonly id: number;
  readonly control: Control;
  readonly production: number;
  readonly pops: number;
}

/** The exit of a text that was accepted. */
export const accepted = 0;

/** What can become of one state on top of a stack, from one control on. */
interface Item {
  readonly control: Control;
  readonly state: number;
  readonly layout: number;
  /** Ids of exits, in the order they were found. */
  readonly exits: number[];
  /** The same as a set, once there are many. */
  exitSet: Set<number> | undefined;
  /** Items one symbol below: this one's state was put on theirs. */
  readonly under: Item[];
  /** Items that have all exits of this one. */
  readonly same: Item[];
}

/** What a hole before a segment can do to the stack: given by its junction. */
export type HoleExits = (segment: number, state: number, layout: number) => readonly number[];

/** How many exits an item has before they are kept as a set too. */
const fewExits = 16;

/**
 * Runs a parser over what follows a hole without knowing the stack: for a place in it and a state on top, all the exits
 * there are. It is saturation of a pushdown system, from the places that occur only.
 *
 * Source: Bouajjani, Esparza and Maler 1997, "Reachability Analysis of Pushdown Automata" (pre*).
 */
export class SuffixRun {
  readonly parser: Parser;
  readonly controls: ControlStore = new ControlStore();
  readonly lexer: SuffixLexer;
  readonly #grammar: CompiledGrammar;
  /** By control, and then by state and layout. */
  readonly #items: Map<number, Item>[] = [];
  readonly #exits: Exit[] = [];
  readonly #exitIds = new Map<number, number>();
  readonly #fresh: Item[] = [];
  readonly #found: Item[] = [];
  readonly #foundExits: number[] = [];
  readonly #holeExits: HoleExits;
  readonly #layouts: LayoutClasses;
  /** Layouts of lines that want a class of their own. */
  readonly ambiguous: Set<number> = new Set();

  constructor(
    parser: Parser,
    reach: LexReach,
    segments: readonly Uint8Array[],
    layouts: LayoutClasses,
    holeExits: HoleExits,
  ) {
    this.parser = parser;
    this.#grammar = parser.grammar;
    this.lexer = new SuffixLexer(parser, reach, this.controls, segments);
    this.#layouts = layouts;
    this.#holeExits = holeExits;
  }

  /** The exit with this id, which is not `accepted`. */
  exit(id: number): Exit {
    return this.#exits[id - 1]!;
  }

  /** The id of this exit. */
  exitId(control: Control, production: number, pops: number): number {
    const key = (control.id * 0x1_0000 + production) * 256 + pops;
    const known = this.#exitIds.get(key);
    if (known !== undefined) return known;
    const id = this.#exits.length + 1;
    this.#exits.push({ id, control, production, pops });
    this.#exitIds.set(key, id);
    return id;
  }

  /** All exits of `state` on top of a stack whose blocks have `layout`, from `control` on. */
  exitsOf(control: Control, state: number, layout: number): readonly number[] {
    const item = this.#item(control, state, layout);
    this.#solve();
    return item.exits;
  }

  #item(control: Control, state: number, layout: number): Item {
    let items = this.#items[control.id];
    if (items === undefined) {
      items = new Map();
      this.#items[control.id] = items;
    }
    const key = layout * 0x1_0000 + state;
    const known = items.get(key);
    if (known !== undefined) return known;
    const item: Item = { control, state, layout, exits: [], exitSet: undefined, under: [], same: [] };
    items.set(key, item);
    this.#fresh.push(item);
    return item;
  }

  #solve(): void {
    for (;;) {
      const fresh = this.#fresh.pop();
      if (fresh !== undefined) {
        this.#expand(fresh);
        continue;
      }
      const item = this.#found.pop();
      if (item === undefined) return;
      const exit = this.#foundExits.pop()!;
      for (const other of item.same) this.#add(other, exit);
      for (const under of item.under) this.#pass(under, exit);
    }
  }

  #add(item: Item, exit: number): void {
    const { exits } = item;
    if (item.exitSet === undefined ? exits.includes(exit) : item.exitSet.has(exit)) return;
    exits.push(exit);
    if (item.exitSet !== undefined) item.exitSet.add(exit);
    else if (exits.length > fewExits) item.exitSet = new Set(exits);
    if (item.same.length === 0 && item.under.length === 0) return;
    this.#found.push(item);
    this.#foundExits.push(exit);
  }

  /** `item` has the exits of the state that was put on its own. */
  #pass(item: Item, id: number): void {
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
    const state = tables.goto[item.state * tables.nonterminals.length + tables.productionLeft[production]!]!;
    if (state !== 0) this.#put(item, state, item.layout, control);
  }

  /** Puts `state` on the state of `item`. */
  #put(item: Item, state: number, layout: number, control: Control): void {
    const child = this.#item(control, state, layout);
    if (child.under.includes(item)) return;
    child.under.push(item);
    for (let i = 0; i < child.exits.length; i++) this.#pass(item, child.exits[i]!);
  }

  #copy(item: Item, control: Control): void {
    const other = this.#item(control, item.state, item.layout);
    if (other === item || other.same.includes(item)) return;
    other.same.push(item);
    for (let i = 0; i < other.exits.length; i++) this.#add(item, other.exits[i]!);
  }

  #expand(item: Item): void {
    const { control, state, layout } = item;
    switch (control.kind) {
      case "place": {
        const isSuspended = this.#grammar.layout === undefined || layout === suspended;
        const { segment, offset, spacing } = control;
        for (const mode of this.#grammar.modesOf[state]!) {
          for (const next of this.lexer.controlsAt(segment, offset, spacing, mode, isSuspended)) {
            if (this.#mayGoOn(state, next)) this.#copy(item, next);
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
      case "land":
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

  #takeVirtually(item: Item, rest: Control, virtuals: readonly number[]): void {
    for (const terminal of virtuals) {
      if (this.#acts(item.state, terminal)) this.#copy(item, this.controls.virtual(terminal, rest));
    }
  }

  /** Whether `state` does anything at a control; most readings of a lexeme are not for it. */
  #mayGoOn(state: number, control: Control): boolean {
    return (
      control.kind !== "take" ||
      control.rest === undefined ||
      this.#acts(state, control.terminal) ||
      this.#virtualsBefore(control).some((terminal) => this.#acts(state, terminal))
    );
  }

  #virtualsBefore({ terminal, spacing }: Control & { readonly kind: "take" }): readonly number[] {
    return this.parser.virtuals.before(terminal, spacing);
  }

  #acts(state: number, terminal: number): boolean {
    const { tables } = this.#grammar;
    const cell = state * tables.terminals.length + terminal;
    return tables.shift[cell] !== 0 || tables.reduce[cell] !== 0;
  }

  #reduce(item: Item, terminal: number): void {
    const { tables } = this.#grammar;
    const reductions = tables.reductionLists[tables.reduce[item.state * tables.terminals.length + terminal]!]!;
    for (const production of reductions) {
      this.#add(item, this.exitId(item.control, production, tables.productionRight[production]!.length - 1));
    }
  }

  #shift(item: Item, terminal: number, rest: Control | undefined, layout?: number): void {
    const { tables } = this.#grammar;
    if (rest === undefined) {
      const isWhole = item.state === tables.acceptState || (item.state === 0 && tables.acceptsEmpty);
      if (isWhole) this.#add(item, accepted);
      return;
    }
    const target = tables.shift[item.state * tables.terminals.length + terminal]!;
    if (target === 0) return;
    const next = this.parser.endsAtOnce(terminal) ? this.controls.complete(rest) : rest;
    this.#put(item, target, layout ?? this.parser.layoutAbove(terminal, item.layout), next);
  }

  #expandLine(item: Item, layout: number, hasEndedBlock: boolean, rest: Control): void {
    const { indent, dedent } = this.#grammar.layout!;
    if (this.#layouts.isAmbiguous(layout, item.layout)) this.ambiguous.add(layout);
    switch (this.parser.layouts.compare(layout, item.layout)) {
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

  #expandComplete(item: Item, rest: Control): void {
    const { tables } = this.#grammar;
    for (let each = tables.itemStart[item.state]!; each < tables.itemStart[item.state + 1]!; each++) {
      const production = tables.itemProduction[each]!;
      const { length } = tables.productionRight[production]!;
      if (tables.itemDot[each] === length) this.#add(item, this.exitId(rest, production, length - 1));
    }
  }
}
