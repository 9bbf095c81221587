import { findLineStart, isLineBreak, suspended } from "../lexing/layouts.ts";
import { type LexTables, statesThatGoOn } from "../lexing/lex-tables.ts";
import { NamesFollower, type OpenNames } from "./open-names.ts";
import type { Parser } from "./parser.ts";
import type { Lexeme, Reading } from "./reading.ts";
import { broken, glued, type Spacing, withTrivia } from "./spacing.ts";
import type { Front, StackNode } from "./stack.ts";

/** Where a text can be read no further, and why. */
export interface ReadFailure {
  /** Bytes from the start of the text. */
  readonly offset: number;
}

/** Stacks that ask for a mode, by its index. */
export interface ModeFront {
  readonly mode: number;
  readonly front: Front;
}

/** What came of reading on. */
export interface ReadResult {
  /** All ways to read the text so far; none where it can be no beginning of a text. */
  readonly readings: readonly Reading[];
  /** The furthest place at which a way ended, where one did. */
  readonly failure?: ReadFailure;
}

/**
 * Reads text into stacks: looks for lexemes in the modes that the parser's states ask for, and lets
 * the parser take them.
 *
 * The longest match wins within a mode. A stack is read on in its own modes alone. Where it has
 * several, each is a reading of its own, and the parser refuses the wrong one.
 */
export class Reader {
  readonly parser: Parser;
  /** Follows the names that must agree, where the grammar has such names. */
  readonly follower: NamesFollower | undefined;
  readonly #canGoOn: Uint8Array;
  readonly #byMode: (readonly ModeFront[])[] = [];

  constructor(parser: Parser) {
    this.parser = parser;
    const { lex, same } = parser.grammar;
    this.follower = same && new NamesFollower(parser.grammar, same);
    this.#canGoOn = statesThatGoOn(lex);
  }

  /** The reading of nothing. */
  get start(): readonly Reading[] {
    const lexeme = this.parser.grammar.layout === undefined ? "none" : "indentation";
    return [{ front: this.parser.start, spacing: glued, start: 0, lexeme, names: this.follower?.none }];
  }

  /** The modes to look for lexemes in, where all stacks ask for the same, as they mostly do. */
  sharedModes({ nodes }: Front): Uint8Array | undefined {
    const { modesOf } = this.parser.grammar;
    let shared: Uint8Array | undefined;
    for (const { state } of nodes) {
      const modes = modesOf[state]!;
      shared ??= modes;
      if (!areSame(modes, shared)) return undefined;
    }
    return shared;
  }

  /** The modes to look for lexemes in, each with the stacks that ask for it. */
  byMode(front: Front): readonly ModeFront[] {
    const known = this.#byMode[front.id];
    if (known !== undefined) return known;
    const { modesOf } = this.parser.grammar;
    const asking = new Map<number, StackNode[]>();
    for (const node of front.nodes) {
      for (const mode of modesOf[node.state]!) {
        const nodes = asking.get(mode);
        if (nodes === undefined) asking.set(mode, [node]);
        else nodes.push(node);
      }
    }
    const byMode = [...asking].map(([mode, nodes]) => ({ mode, front: this.parser.stacks.front(nodes) }));
    this.#byMode[front.id] = byMode;
    return byMode;
  }

  /** Whether any byte may follow in a lexeme that has come to `state`. */
  canGoOn(state: number): boolean {
    return this.#canGoOn[state] === 1;
  }

  /**
   * Reads `bytes` up to `end`, from readings of an earlier end on, whose lexemes were read up to
   * `from`. What was read before is still needed: a lexeme that turns out shorter than it promised
   * is read again from where it ended.
   */
  read(readings: readonly Reading[], bytes: Uint8Array, from: number, end: number): ReadResult {
    return new Walk(this, bytes, end).run(readings, from);
  }

  /** Whether the text that ends at `end` is whole. */
  acceptsEnd(readings: readonly Reading[], bytes: Uint8Array, end: number): boolean {
    return readings.some((reading) => this.#acceptsEnd(reading, bytes, end));
  }

  /**
   * The readings when the lexeme of `reading` ends at its longest match, and the rest up to `end`
   * is read again; none without one.
   */
  endLexeme(reading: Reading, bytes: Uint8Array, end: number): readonly Reading[] {
    if (typeof reading.lexeme === "string" || reading.lexeme.matchEnd < 0) return [];
    return new Walk(this, bytes, end).finish(reading, reading.lexeme);
  }

  /** The stacks when a line that is indented by `layout` begins: blocks open and end. */
  beginLine(front: Front, layout: number): Front {
    return this.parser.stacks.front(front.nodes.flatMap((node) => this.#beginLine(node, layout, false)));
  }

  #beginLine(node: StackNode, layout: number, hasEndedBlock: boolean): readonly StackNode[] {
    const { parser } = this;
    const { indent, dedent } = parser.grammar.layout!;
    switch (parser.layouts.compare(layout, node.layout)) {
      case "same":
        return [node];
      case "deeper":
        return hasEndedBlock ? [] : parser.shift(parser.stacks.front([node]), indent, layout).nodes;
      case "shallower":
        return parser
          .shift(parser.stacks.front([node]), dedent)
          .nodes.flatMap((outer) => this.#beginLine(outer, layout, true));
      case "inconsistent":
        return [];
    }
  }

  /** The stacks after the end of a line that means something. */
  endLine(front: Front, spacing: Spacing): Front {
    return this.parser.take(front, this.parser.grammar.layout!.newline, spacing);
  }

  #acceptsEnd(reading: Reading, bytes: Uint8Array, end: number): boolean {
    const { parser } = this;
    if (reading.lexeme === "indentation") {
      if (findLineStart(parser.grammar.lex, bytes, reading.start, end).isCut) return false;
      return parser.acceptsEnd(this.beginLine(reading.front, 1), broken);
    }
    if (reading.lexeme === "none") {
      if (parser.acceptsEnd(reading.front, reading.spacing)) return true;
      if (parser.grammar.layout === undefined) return false;
      return parser.acceptsEnd(this.beginLine(this.endLine(reading.front, reading.spacing), 1), broken);
    }
    return this.acceptsEnd(this.endLexeme(reading, bytes, end), bytes, end);
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** One walk over bytes, with the readings that are on their way. */
class Walk {
  readonly #reader: Reader;
  readonly #bytes: Uint8Array;
  readonly #end: number;
  /** Readings at places before the end, with how far their lexemes are read. */
  readonly #waiting: { readonly reading: Reading; readonly at: number }[] = [];
  readonly #open: Reading[] = [];
  #furthest = -1;

  constructor(reader: Reader, bytes: Uint8Array, end: number) {
    this.#reader = reader;
    this.#bytes = bytes;
    this.#end = end;
  }

  run(readings: readonly Reading[], from: number): ReadResult {
    for (const reading of readings) {
      if (typeof reading.lexeme === "string") this.#wait(reading);
      else this.#waiting.push({ reading, at: from });
    }
    this.#walk();
    return this.#furthest < 0
      ? { readings: this.#open }
      : { readings: this.#open, failure: { offset: this.#furthest } };
  }

  /** The readings when a lexeme ends at its longest match, and the rest is read again. */
  finish(reading: Reading, lexeme: Lexeme): readonly Reading[] {
    this.#endLexeme(reading, lexeme);
    this.#walk();
    return this.#open;
  }

  #walk(): void {
    for (;;) {
      const { length } = this.#waiting;
      if (length === 0) return;
      let next = 0;
      for (let i = 1; i < length; i++)
        if (this.#waiting[i]!.reading.start < this.#waiting[next]!.reading.start) next = i;
      const [{ reading, at }] = this.#waiting.splice(next, 1) as [{ reading: Reading; at: number }];
      this.#step(reading, at);
    }
  }

  #step(reading: Reading, at: number): void {
    if (reading.lexeme === "indentation") {
      this.#indent(reading);
      return;
    }
    if (reading.lexeme !== "none") {
      this.#goOn(reading, this.#lex(reading.lexeme, at));
      return;
    }
    if (reading.start === this.#end) {
      this.#open.push(reading);
      return;
    }
    const modes = this.#reader.sharedModes(reading.front);
    if (modes === undefined) this.#beginByMode(reading);
    else if (modes.length === 1) this.#goOn(reading, this.#lexIn(modes[0]!, reading.start));
    else this.#beginInEach(reading, modes);
  }

  /** Begins a lexeme in modes that all stacks ask for. Mostly all find the same. */
  #beginInEach(reading: Reading, modes: Uint8Array): void {
    const found: Lexed[] = [];
    for (const mode of modes) {
      const lexed = this.#lexIn(mode, reading.start);
      if (found.some((other) => isSame(other, lexed))) continue;
      found.push(lexed);
      this.#goOn(reading, lexed);
    }
  }

  /** Begins a lexeme in the modes of each stack. */
  #beginByMode(reading: Reading): void {
    const found: { readonly lexed: Lexed; readonly fronts: Front[] }[] = [];
    for (const { mode, front } of this.#reader.byMode(reading.front)) {
      const lexed = this.#lexIn(mode, reading.start);
      const same = found.find((other) => isSame(other.lexed, lexed));
      if (same === undefined) found.push({ lexed, fronts: [front] });
      else same.fronts.push(front);
    }
    for (const { lexed, fronts } of found) {
      this.#goOn({ ...reading, front: this.#reader.parser.stacks.unionOf(fronts) }, lexed);
    }
  }

  /** How far the lexeme of `mode` goes that begins at `start`. */
  #lexIn(mode: number, start: number): Lexed {
    const { modes } = this.#reader.parser.grammar.lex;
    return this.#lex({ state: modes[mode]!.start, matchEnd: -1, matchState: 0 }, start);
  }

  /** How far a lexeme goes that has come to `lexeme` before `from`. */
  #lex({ state: begun, matchEnd: lastEnd, matchState: lastState }: Lexeme, from: number): Lexed {
    const { next, classOf, classCount, match } = this.#reader.parser.grammar.lex;
    const bytes = this.#bytes;
    const end = this.#end;
    let state = begun;
    let at = from;
    let matchEnd = lastEnd;
    let matchState = lastState;
    while (at < end) {
      const to = next[state * classCount + classOf[bytes[at]!]!]!;
      if (to === 0) break;
      state = to;
      at++;
      if (match[state] !== 0) {
        matchEnd = at;
        matchState = state;
      }
    }
    const isOpen = at === end && (matchEnd !== end || this.#reader.canGoOn(state));
    return { state: isOpen ? state : 0, matchEnd, matchState };
  }

  #goOn(reading: Reading, lexed: Lexed): void {
    if (lexed.state !== 0) this.#keepOpen({ ...reading, lexeme: lexed });
    else if (lexed.matchEnd >= 0) this.#endLexeme(reading, lexed);
    else this.#furthest = Math.max(this.#furthest, reading.start);
  }

  #keepOpen(reading: Reading): void {
    const lexeme = reading.lexeme as Lexeme;
    const isKnown = this.#open.some(
      (other) =>
        other.front === reading.front &&
        other.start === reading.start &&
        other.spacing === reading.spacing &&
        other.names === reading.names &&
        typeof other.lexeme !== "string" &&
        other.lexeme.state === lexeme.state &&
        other.lexeme.matchEnd === lexeme.matchEnd &&
        other.lexeme.matchState === lexeme.matchState,
    );
    if (!isKnown) this.#open.push(reading);
  }

  #endLexeme(reading: Reading, { matchEnd, matchState }: Lexeme): void {
    const { parser } = this.#reader;
    const { lex } = parser.grammar;
    const found = lex.match[matchState]!;
    if (lex.matches[found]!.isTrivia) {
      this.#skip(reading, matchEnd, lex.brokenLine[matchState] === 1);
      return;
    }
    const front = this.#take(reading, found, matchEnd);
    const names = this.#namesAfter(reading, front, matchEnd);
    if (front.isEmpty || names === "others") this.#furthest = Math.max(this.#furthest, reading.start);
    else this.#wait({ front, spacing: glued, start: matchEnd, lexeme: "none", names });
  }

  /** The names that are open behind a lexeme; `others` where it writes one that does not agree. */
  #namesAfter({ names, front, start }: Reading, after: Front, end: number): OpenNames | "others" | undefined {
    const { follower } = this.#reader;
    if (follower === undefined || names === undefined) return undefined;
    return follower.take(names, front, after, () => decoder.decode(this.#bytes.subarray(start, end))) ?? "others";
  }

  #take({ front, spacing, start }: Reading, found: number, end: number): Front {
    const { parser } = this.#reader;
    const { stacks, grammar } = parser;
    if (spacing !== broken || !parser.virtuals.anyInserts) return parser.takeMatch(front, found, spacing);
    const bound = front.nodes.filter(
      (node) => grammar.modesOf[node.state]!.length > 1 && this.#canGoOnOtherwise(node, spacing, start, end, found),
    );
    if (bound.length === 0) return parser.takeMatch(front, found, spacing);
    const free = front.nodes.filter((node) => !bound.includes(node));
    return stacks.union(
      parser.takeMatch(stacks.front(free), found, spacing),
      parser.takeMatch(stacks.front(bound), found, spacing, false),
    );
  }

  /**
   * Whether another mode of a stack has a lexeme there that it can take without an insertion: then
   * that is the one, as in `a⏎/b/`.
   */
  #canGoOnOtherwise(node: StackNode, spacing: Spacing, start: number, end: number, found: number): boolean {
    const { parser } = this.#reader;
    const front = parser.stacks.front([node]);
    return parser.grammar.modesOf[node.state]!.some((mode) => {
      const other = longestMatch(parser.grammar.lex, mode, this.#bytes, start, end);
      return other !== found && !parser.takeMatch(front, other, spacing, false).isEmpty;
    });
  }

  #skip(reading: Reading, end: number, hasLineBreak: boolean): void {
    const { parser } = this.#reader;
    const spacing = withTrivia(reading.spacing, hasLineBreak);
    if (parser.grammar.layout === undefined || !hasLineBreak || !isLineBreak(this.#bytes[reading.start]!)) {
      this.#wait({ ...reading, spacing, start: end, lexeme: "none" });
      return;
    }
    // Between brackets the line continues; outside it ends.
    const { stacks } = parser;
    const inside = stacks.front(reading.front.nodes.filter((node) => node.layout === suspended));
    const outside = stacks.front(reading.front.nodes.filter((node) => node.layout !== suspended));
    if (!inside.isEmpty) this.#wait({ ...reading, front: inside, spacing, start: end, lexeme: "none" });
    const ended = this.#reader.endLine(outside, reading.spacing);
    if (!ended.isEmpty) this.#wait({ ...reading, front: ended, spacing: broken, start: end, lexeme: "indentation" });
    else if (inside.isEmpty) this.#furthest = Math.max(this.#furthest, reading.start);
  }

  /** Goes over blank lines and the white space that a line starts with. */
  #indent(reading: Reading): void {
    const { parser } = this.#reader;
    const line = findLineStart(parser.grammar.lex, this.#bytes, reading.start, this.#end);
    if (line.offset === this.#end) {
      this.#open.push({ ...reading, start: line.start });
      return;
    }
    const front = this.#reader.beginLine(reading.front, parser.layouts.of(line));
    if (front.isEmpty) this.#furthest = Math.max(this.#furthest, line.offset);
    else this.#wait({ ...reading, front, spacing: broken, start: line.offset, lexeme: "none" });
  }

  #wait(reading: Reading): void {
    const same = this.#waiting.findIndex(
      ({ reading: other }) =>
        other.start === reading.start &&
        other.spacing === reading.spacing &&
        other.lexeme === reading.lexeme &&
        other.names === reading.names,
    );
    if (same < 0) {
      this.#waiting.push({ reading, at: reading.start });
      return;
    }
    const front = this.#reader.parser.stacks.union(this.#waiting[same]!.reading.front, reading.front);
    this.#waiting[same] = { reading: { ...reading, front }, at: reading.start };
  }
}

/**
 * How far a lexeme was read: as a lexeme that may go on, or with 0 for the state where it is over.
 */
type Lexed = Lexeme;

function isSame(a: Lexed, b: Lexed): boolean {
  return a.state === b.state && a.matchEnd === b.matchEnd && a.matchState === b.matchState;
}

/** Whether two states ask for the same modes. */
function areSame(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && a.every((mode, i) => mode === b[i]));
}

/** The longest match of a mode in `bytes` from `start` to `end`, as an index into `matches`. */
export function longestMatch(
  { next, classOf, classCount, match, modes }: LexTables,
  mode: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  let state = modes[mode]!.start;
  let matched = 0;
  for (let at = start; at < end; at++) {
    state = next[state * classCount + classOf[bytes[at]!]!]!;
    if (state === 0) break;
    if (match[state] !== 0) matched = match[state]!;
  }
  return matched;
}
