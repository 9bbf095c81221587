import { Layouts, suspended } from "./layouts.ts";
import type { LexReach } from "./lex-reach.ts";
import { findLineStart, isLineBreak } from "./line-start.ts";
import { endOfText, type Parser } from "./parser.ts";
import { anySpacing, broken, glued, type Spacing, withTrivia } from "./spacing.ts";
import { type Control, ControlStore } from "./suffix-control.ts";

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
export interface Item {
  readonly control: Control;
  readonly state: number;
  readonly layout: number;
  /** Ids of exits; see `SuffixRun.exit`. */
  readonly exits: Set<number>;
  /** Items one symbol below: this one's state was put on theirs. */
  readonly under: Set<Item>;
  /** Items that have all exits of this one. */
  readonly same: Set<Item>;
}

/** What a hole before a segment can do to the stack: given by its junction. */
export type HoleExits = (segment: number, state: number, layout: number) => readonly number[];

/** How far a lexeme goes in a segment. */
interface LexemeRun {
  /** Where the longest match ends, and the lexer's state there; -1 and 0 where nothing matches. */
  readonly matchEnd: number;
  readonly matchState: number;
  /** The lexer's state at the end of the segment, where a hole follows in which the lexeme may go on; else 0. */
  readonly openState: number;
}

/**
 * Runs a parser over what follows a hole without knowing the stack: for a place in it and a state on top, all the exits
 * there are. It is saturation of a pushdown system, from the places that occur only.
 *
 * Text is given as segments with holes between; the last one ends the text.
 * Source: Bouajjani, Esparza and Maler 1997, "Reachability Analysis of Pushdown Automata" (pre*).
 */
export class SuffixRun {
  readonly parser: Parser;
  readonly segments: readonly Uint8Array[];
  readonly controls: ControlStore = new ControlStore();
  readonly reach: LexReach;
  readonly #items = new Map<Control, Map<number, Item>>();
  readonly #exits: Exit[] = [];
  readonly #exitIds = new Map<string, number>();
  readonly #fresh: Item[] = [];
  readonly #found: [item: Item, exit: number][] = [];
  readonly #lexed = new Map<string, readonly Control[]>();
  readonly #holeExits: HoleExits;
  #furthest = 0;
  readonly #lexemeRuns: readonly Map<number, LexemeRun>[];

  constructor(parser: Parser, reach: LexReach, segments: readonly Uint8Array[], holeExits: HoleExits) {
    this.parser = parser;
    this.reach = reach;
    this.segments = segments;
    this.#holeExits = holeExits;
    this.#lexemeRuns = segments.map(() => new Map());
    // Number 0 is acceptance.
    this.#exits.push(undefined as unknown as Exit);
  }

  /** The exit with this id, which is not `accepted`. */
  exit(id: number): Exit {
    return this.#exits[id]!;
  }

  /** The id of this exit. */
  exitId(control: Control, production: number, pops: number): number {
    const key = `${control.id},${production},${pops}`;
    const known = this.#exitIds.get(key);
    if (known !== undefined) return known;
    const id = this.#exits.length;
    this.#exits.push({ id, control, production, pops });
    this.#exitIds.set(key, id);
    return id;
  }

  /** All exits of `state` on top of a stack whose blocks have `layout`, from `control` on. */
  exitsOf(control: Control, state: number, layout: number): ReadonlySet<number> {
    const item = this.#item(control, state, layout);
    this.#solve();
    return item.exits;
  }

  /** The furthest byte of the first segment that a lexeme was looked for at. */
  get furthest(): number {
    return this.#furthest;
  }

  /** A place in a segment. */
  place(segment: number, offset: number, spacing: Spacing): Control {
    if (segment === 0) this.#furthest = Math.max(this.#furthest, offset);
    return this.controls.of({ kind: "place", segment, offset, spacing });
  }

  /**
   * What may come at a place, where lexemes of `mode` are looked for: terminals to take, further places behind trivia, the hole
   * after the segment.
   */
  controlsAt(
    segment: number,
    offset: number,
    spacing: Spacing,
    mode: number,
    isSuspended: boolean,
  ): readonly Control[] {
    const key = `${segment},${offset},${spacing},${mode},${isSuspended ? 1 : 0}`;
    const known = this.#lexed.get(key);
    if (known !== undefined) return known;
    const controls = this.#lexFrom(segment, offset, spacing, mode, isSuspended);
    this.#lexed.set(key, controls);
    return controls;
  }

  /**
   * What follows when a lexeme that has come to the lexer's `state` in a hole runs on into the segment behind it. Nothing where it
   * comes to nothing there, or would have ended in the hole.
   */
  continueLexeme(segment: number, state: number, spacing: Spacing, isSuspended: boolean): readonly Control[] {
    const run = this.#lexemeRun(segment, 0, state);
    const found = run.matchEnd <= 0 ? [] : [...this.#matched(segment, run, spacing, isSuspended, false)];
    if (run.openState !== 0) found.push(...this.#intoNextHole(segment, run.openState, spacing, isSuspended));
    return found;
  }

  /** What the text goes on with where a segment ends. */
  #atEnd(segment: number, spacing: Spacing, isSuspended: boolean): readonly Control[] {
    const { controls, parser } = this;
    if (segment + 1 < this.segments.length) return [controls.of({ kind: "hole", segment: segment + 1 })];
    const end = controls.of({ kind: "take", terminal: endOfText, spacing, rest: undefined });
    if (isSuspended) return [end];
    const line = controls.of({ kind: "line", layout: Layouts.margin, hasEndedBlock: false, rest: end });
    const newline = parser.grammar.layout!.newline;
    return [end, controls.of({ kind: "take", terminal: newline, spacing, rest: line })];
  }

  #lexFrom(segment: number, offset: number, spacing: Spacing, mode: number, isSuspended: boolean): readonly Control[] {
    if (offset === this.segments[segment]!.length) return this.#atEnd(segment, spacing, isSuspended);
    const run = this.#lexemeRun(segment, offset, this.parser.grammar.lex.modes[mode]!.start);
    const endsLine = isLineBreak(this.segments[segment]![offset]!);
    const found = run.matchEnd < 0 ? [] : [...this.#matched(segment, run, spacing, isSuspended, endsLine)];
    if (run.openState !== 0) found.push(...this.#intoNextHole(segment, run.openState, spacing, isSuspended));
    return found;
  }

  /** How far a lexeme goes from `offset` on, when it has come to `state` there. Runs that meet are followed once. */
  #lexemeRun(segment: number, offset: number, state: number): LexemeRun {
    const { next, classOf, classCount, stateCount, match } = this.parser.grammar.lex;
    const bytes = this.segments[segment]!;
    const runs = this.#lexemeRuns[segment]!;
    const path: number[] = [];
    let known: LexemeRun | undefined;
    let current = state;
    let at = offset;
    for (;;) {
      known = runs.get(at * stateCount + current);
      if (known !== undefined) break;
      path.push(current);
      const to = at < bytes.length ? next[current * classCount + classOf[bytes[at]!]!]! : 0;
      if (to === 0) break;
      current = to;
      at++;
    }
    const isLast = segment + 1 === this.segments.length;
    let run = known ?? { matchEnd: -1, matchState: 0, openState: at === bytes.length && !isLast ? current : 0 };
    for (let i = path.length - 1; i >= 0; i--) {
      const passed = path[i]!;
      const from = offset + i;
      if (run.matchEnd < 0 && match[passed] !== 0) run = { ...run, matchEnd: from, matchState: passed };
      runs.set(from * stateCount + passed, run);
    }
    return run;
  }

  /** A lexeme is still open where the segment ends: it ends in the hole behind it, or behind that. */
  #intoNextHole(segment: number, state: number, spacing: Spacing, isSuspended: boolean): readonly Control[] {
    const hole = this.controls.of({ kind: "hole", segment: segment + 1 });
    const { lex } = this.parser.grammar;
    const found: Control[] = [];
    for (const reached of this.reach.matches(state)) {
      if (reached.bytes.length === 0) continue;
      const match = lex.matches[lex.match[reached.state]!]!;
      if (match.isTrivia) found.push(hole);
      for (const reading of match.readings) found.push(this.#takeAll(reading, spacing, hole));
    }
    for (const reached of this.reach.tree(state).order)
      found.push(...this.continueLexeme(segment + 1, reached, anySpacing, isSuspended));
    return [...new Set(found)];
  }

  #matched(
    segment: number,
    run: LexemeRun,
    spacing: Spacing,
    isSuspended: boolean,
    endsLine: boolean,
  ): readonly Control[] {
    const { lex } = this.parser.grammar;
    const match = lex.matches[lex.match[run.matchState]!]!;
    if (!match.isTrivia) {
      const rest = this.place(segment, run.matchEnd, glued);
      return match.readings.map((reading) => this.#takeAll(reading, spacing, rest));
    }
    const hasLineBreak = lex.brokenLine[run.matchState] === 1;
    return !isSuspended && hasLineBreak && endsLine
      ? this.#endLine(segment, run.matchEnd, spacing)
      : [this.place(segment, run.matchEnd, withTrivia(spacing, hasLineBreak))];
  }

  #takeAll(terminals: Uint16Array, spacing: Spacing, rest: Control): Control {
    let control = rest;
    for (let i = terminals.length - 1; i >= 0; i--) {
      control = this.controls.of({
        kind: "take",
        terminal: terminals[i]!,
        spacing: i === 0 ? spacing : glued,
        rest: control,
      });
    }
    return control;
  }

  /** A line that means something ends, and the next one starts at `offset`. */
  #endLine(segment: number, offset: number, spacing: Spacing): readonly Control[] {
    const terminal = this.parser.grammar.layout!.newline;
    return this.lineAt(segment, offset).map((rest) => this.controls.of({ kind: "take", terminal, spacing, rest }));
  }

  /** What follows where a line starts: its indentation, once blank lines and comments are skipped. */
  lineAt(segment: number, offset: number): readonly Control[] {
    const { controls, parser } = this;
    const bytes = this.segments[segment]!;
    const line = findLineStart(parser.grammar.lex, bytes, offset, bytes.length);
    if (line.offset < bytes.length) {
      const rest = this.place(segment, line.offset, broken);
      const layout = parser.layouts.of(line);
      return [controls.of({ kind: "line", layout, hasEndedBlock: false, rest })];
    }
    if (segment + 1 < this.segments.length) return [controls.of({ kind: "hole", segment: segment + 1 })];
    const end = controls.of({ kind: "take", terminal: endOfText, spacing: broken, rest: undefined });
    return [controls.of({ kind: "line", layout: Layouts.margin, hasEndedBlock: false, rest: end })];
  }

  #item(control: Control, state: number, layout: number): Item {
    let items = this.#items.get(control);
    if (items === undefined) {
      items = new Map();
      this.#items.set(control, items);
    }
    const key = layout * 0x1_0000 + state;
    const known = items.get(key);
    if (known !== undefined) return known;
    const item: Item = { control, state, layout, exits: new Set(), under: new Set(), same: new Set() };
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
      const found = this.#found.pop();
      if (found === undefined) return;
      const [item, exit] = found;
      for (const other of item.same) this.#add(other, exit);
      for (const under of item.under) this.#pass(under, exit);
    }
  }

  #add(item: Item, exit: number): void {
    if (item.exits.has(exit)) return;
    item.exits.add(exit);
    this.#found.push([item, exit]);
  }

  /** `item` has the exits of the state that was put on its own. */
  #pass(item: Item, id: number): void {
    if (id === accepted) {
      this.#add(item, id);
      return;
    }
    const { control, production, pops } = this.#exits[id]!;
    if (pops > 0) {
      this.#add(item, this.exitId(control, production, pops - 1));
      return;
    }
    const { tables } = this.parser.grammar;
    const state = tables.goto[item.state * tables.nonterminals.length + tables.productionLeft[production]!]!;
    if (state !== 0) this.#put(item, state, item.layout, control);
  }

  /** Puts `state` on the state of `item`. */
  #put(item: Item, state: number, layout: number, control: Control): void {
    const child = this.#item(control, state, layout);
    if (child.under.has(item)) return;
    child.under.add(item);
    for (const exit of child.exits) this.#pass(item, exit);
  }

  #copy(item: Item, control: Control): void {
    const other = this.#item(control, item.state, item.layout);
    if (other.same.has(item)) return;
    other.same.add(item);
    for (const exit of other.exits) this.#add(item, exit);
  }

  #expand(item: Item): void {
    const { control } = item;
    switch (control.kind) {
      case "place": {
        const isSuspended = this.parser.grammar.layout === undefined || item.layout === suspended;
        for (const mode of this.parser.grammar.modesOf[item.state]!) {
          const { segment, offset, spacing } = control;
          for (const next of this.controlsAt(segment, offset, spacing, mode, isSuspended)) this.#copy(item, next);
        }
        return;
      }
      case "take":
        this.#expandTake(item, control.terminal, control.rest);
        for (const virtual of this.parser.virtuals.requiresBefore(control.terminal, control.spacing)) {
          this.#copy(item, this.controls.of({ kind: "virtual", terminal: virtual, rest: control }));
        }
        for (const virtual of this.parser.virtuals.insertsBefore(control.terminal, control.spacing)) {
          this.#copy(item, this.controls.of({ kind: "virtual", terminal: virtual, rest: control }));
        }
        return;
      case "virtual":
        this.#expandTake(item, control.terminal, control.rest);
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
        for (const exit of this.#holeExits(control.segment, item.state, item.layout)) this.#add(item, exit);
        return;
    }
  }

  #expandTake(item: Item, terminal: number, rest: Control | undefined): void {
    this.#reduce(item, terminal);
    this.#shift(item, terminal, rest);
  }

  #reduce(item: Item, terminal: number): void {
    const { tables } = this.parser.grammar;
    const reductions = tables.reductionLists[tables.reduce[item.state * tables.terminals.length + terminal]!]!;
    for (const production of reductions) {
      this.#add(item, this.exitId(item.control, production, tables.productionRight[production]!.length - 1));
    }
  }

  #shift(item: Item, terminal: number, rest: Control | undefined, layout?: number): void {
    const { tables } = this.parser.grammar;
    if (rest === undefined) {
      const isWhole = item.state === tables.acceptState || (item.state === 0 && tables.acceptsEmpty);
      if (isWhole) this.#add(item, accepted);
      return;
    }
    const target = tables.shift[item.state * tables.terminals.length + terminal]!;
    if (target === 0) return;
    const next = this.parser.endsAtOnce(terminal) ? this.controls.of({ kind: "complete", rest }) : rest;
    this.#put(item, target, layout ?? this.parser.layoutAbove(terminal, item.layout), next);
  }

  #expandLine(item: Item, layout: number, hasEndedBlock: boolean, rest: Control): void {
    const { parser } = this;
    const { indent, dedent } = parser.grammar.layout!;
    switch (parser.layouts.compare(layout, item.layout)) {
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
        this.#shift(item, dedent, this.controls.of({ kind: "line", layout, hasEndedBlock: true, rest }));
        return;
      case "inconsistent":
        return;
    }
  }

  #expandComplete(item: Item, rest: Control): void {
    const { tables } = this.parser.grammar;
    for (let each = tables.itemStart[item.state]!; each < tables.itemStart[item.state + 1]!; each++) {
      const production = tables.itemProduction[each]!;
      const { length } = tables.productionRight[production]!;
      if (tables.itemDot[each] === length) this.#add(item, this.exitId(rest, production, length - 1));
    }
  }
}
