import { addToGroup } from "../../text/index.ts";
import { findLineStart, isLineBreak, suspended } from "../lexing/layouts.ts";
import { extensibleStates, type LexTables } from "../lexing/lex-tables.ts";
import { NamesFollower, type OpenNames } from "./open-names.ts";
import type { Parser } from "./parser.ts";
import { broken, glued, type Spacing, withTrivia } from "./spacing.ts";
import type { Front, StackNode } from "./stack.ts";

/**
 * One way to read a text up to an offset: the stacks before the current lexeme, and the state of
 * that lexeme. Offsets count bytes.
 */
export interface Reading {
  readonly front: Front;
  /** The trivia between the last terminal and `start`. */
  readonly spacing: Spacing;
  /** The offset of the current lexeme; of the line, while its indentation is being read. */
  readonly start: number;
  readonly lexeme: Lexeme | "none" | "indentation";
  /** The open names that must occur again; absent where the grammar has no such names. */
  readonly names?: OpenNames | undefined;
}

/** A lexeme that may be extended. */
export interface Lexeme {
  /** The lexer's state after the bytes so far. */
  readonly state: number;
  /** The end of the longest match so far, and the lexer's state there; -1 and 0 for no match. */
  readonly matchEnd: number;
  readonly matchState: number;
}

/** The reading with all offsets moved by `by` bytes. */
export function movedReading(reading: Reading, by: number): Reading {
  const { lexeme } = reading;
  const start = reading.start + by;
  if (typeof lexeme === "string") return { ...reading, start };
  return { ...reading, start, lexeme: { ...lexeme, matchEnd: lexeme.matchEnd < 0 ? -1 : lexeme.matchEnd + by } };
}

/** The furthest position at which a reading failed. */
export interface ReadFailure {
  /** In bytes from the start of the text. */
  readonly offset: number;
}

/** Stacks whose states use a lexer mode, given by its index. */
export interface ModeFront {
  readonly mode: number;
  readonly front: Front;
}

/** The result of reading. */
export interface ReadResult {
  /** All readings of the text so far; none where no text of the language begins with it. */
  readonly readings: readonly Reading[];
  /** The furthest position at which a reading failed, if one did. */
  readonly failure?: ReadFailure;
}

/**
 * Reads text into stacks: recognises lexemes in the modes of the parser's states, and shifts them.
 *
 * The longest match wins within a mode. Each stack uses its own modes only; where a state has
 * several, each gives a reading of its own, and the parser rejects those that it can't take.
 */
export class Reader {
  readonly parser: Parser;
  /** Tracks names that must be equal, where the grammar has such names. */
  readonly follower: NamesFollower | undefined;
  readonly #isExtensible: Uint8Array;
  readonly #byMode: (readonly ModeFront[])[] = [];

  constructor(parser: Parser) {
    this.parser = parser;
    const { lex, same } = parser.grammar;
    this.follower = same && new NamesFollower(parser.grammar, same);
    this.#isExtensible = extensibleStates(lex);
  }

  /** The readings of the empty text. */
  get start(): readonly Reading[] {
    const lexeme = this.parser.grammar.layout === undefined ? "none" : "indentation";
    return [{ front: this.parser.start, spacing: glued, start: 0, lexeme, names: this.follower?.none }];
  }

  /**
   * The lexer modes of all stacks where these have the same, as they mostly do; else `undefined`.
   */
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

  /** The lexer modes of the stacks, each with the stacks that use it. */
  byMode(front: Front): readonly ModeFront[] {
    const known = this.#byMode[front.id];
    if (known !== undefined) return known;
    const { modesOf } = this.parser.grammar;
    const nodesByMode = new Map<number, StackNode[]>();
    for (const node of front.nodes) {
      for (const mode of modesOf[node.state]!) {
        addToGroup(nodesByMode, mode, node);
      }
    }
    const byMode = [...nodesByMode].map(([mode, nodes]) => ({ mode, front: this.parser.stacks.front(nodes) }));
    this.#byMode[front.id] = byMode;
    return byMode;
  }

  /** Whether a lexeme in `state` can be extended. */
  isExtensible(state: number): boolean {
    return this.#isExtensible[state] === 1;
  }

  /**
   * Continues readings up to `end`; their lexemes are read up to `from`. `bytes` must also hold the
   * bytes before `from`: where a longer match does not come about, the lexeme ends at its last
   * match, and the bytes behind that are read again.
   */
  read(readings: readonly Reading[], bytes: Uint8Array, from: number, end: number): ReadResult {
    return new ReadPass(this, bytes, end).run(readings, from);
  }

  /** Whether the text that ends at `end` is complete. */
  acceptsEnd(readings: readonly Reading[], bytes: Uint8Array, end: number): boolean {
    return readings.some((reading) => this.#acceptsEnd(reading, bytes, end));
  }

  /**
   * The readings when the lexeme of `reading` ends at its longest match and the bytes up to `end`
   * are read again; none without a match.
   */
  endLexeme(reading: Reading, bytes: Uint8Array, end: number): readonly Reading[] {
    if (typeof reading.lexeme === "string" || reading.lexeme.matchEnd < 0) return [];
    return new ReadPass(this, bytes, end).finish(reading, reading.lexeme);
  }

  /**
   * The stacks at the start of a line with the indentation `layout`, after blocks were opened or
   * closed.
   */
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

  /** The stacks after the end of a significant line. */
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

/** One pass over bytes, with a queue of readings. */
class ReadPass {
  readonly #reader: Reader;
  readonly #bytes: Uint8Array;
  readonly #end: number;
  /** Readings before the end, with the offset up to which their lexemes are read. */
  readonly #queue: { readonly reading: Reading; readonly at: number }[] = [];
  readonly #open: Reading[] = [];
  #furthest = -1;

  constructor(reader: Reader, bytes: Uint8Array, end: number) {
    this.#reader = reader;
    this.#bytes = bytes;
    this.#end = end;
  }

  run(readings: readonly Reading[], from: number): ReadResult {
    for (const reading of readings) {
      if (typeof reading.lexeme === "string") this.#enqueue(reading);
      else this.#queue.push({ reading, at: from });
    }
    this.#run();
    return this.#furthest < 0
      ? { readings: this.#open }
      : { readings: this.#open, failure: { offset: this.#furthest } };
  }

  /** The readings when a lexeme ends at its longest match and the rest is read again. */
  finish(reading: Reading, lexeme: Lexeme): readonly Reading[] {
    this.#endLexeme(reading, lexeme);
    this.#run();
    return this.#open;
  }

  #run(): void {
    for (;;) {
      const { length } = this.#queue;
      if (length === 0) return;
      let next = 0;
      for (let i = 1; i < length; i++) if (this.#queue[i]!.reading.start < this.#queue[next]!.reading.start) next = i;
      const [{ reading, at }] = this.#queue.splice(next, 1) as [{ reading: Reading; at: number }];
      this.#step(reading, at);
    }
  }

  #step(reading: Reading, at: number): void {
    if (reading.lexeme === "indentation") {
      this.#indent(reading);
      return;
    }
    if (reading.lexeme !== "none") {
      this.#continueWith(reading, this.#lex(reading.lexeme, at));
      return;
    }
    if (reading.start === this.#end) {
      this.#open.push(reading);
      return;
    }
    const modes = this.#reader.sharedModes(reading.front);
    if (modes === undefined) this.#beginByMode(reading);
    else if (modes.length === 1) this.#continueWith(reading, this.#lexIn(modes[0]!, reading.start));
    else this.#beginInEach(reading, modes);
  }

  /** Begins a lexeme in each mode that all stacks share. Mostly all modes find the same lexeme. */
  #beginInEach(reading: Reading, modes: Uint8Array): void {
    const found: Lexed[] = [];
    for (const mode of modes) {
      const lexed = this.#lexIn(mode, reading.start);
      if (found.some((other) => isSame(other, lexed))) continue;
      found.push(lexed);
      this.#continueWith(reading, lexed);
    }
  }

  /** Begins a lexeme for each stack in its own modes. */
  #beginByMode(reading: Reading): void {
    const found: { readonly lexed: Lexed; readonly fronts: Front[] }[] = [];
    for (const { mode, front } of this.#reader.byMode(reading.front)) {
      const lexed = this.#lexIn(mode, reading.start);
      const same = found.find((other) => isSame(other.lexed, lexed));
      if (same === undefined) found.push({ lexed, fronts: [front] });
      else same.fronts.push(front);
    }
    for (const { lexed, fronts } of found) {
      this.#continueWith({ ...reading, front: this.#reader.parser.stacks.unionOf(fronts) }, lexed);
    }
  }

  /** Reads a lexeme of `mode` from `start`. */
  #lexIn(mode: number, start: number): Lexed {
    const { modes } = this.#reader.parser.grammar.lex;
    return this.#lex({ state: modes[mode]!.start, matchEnd: -1, matchState: 0 }, start);
  }

  /** Continues an open lexeme from `from`. */
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
    const isOpen = at === end && (matchEnd !== end || this.#reader.isExtensible(state));
    return { state: isOpen ? state : 0, matchEnd, matchState };
  }

  #continueWith(reading: Reading, lexed: Lexed): void {
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
    else this.#enqueue({ front, spacing: glued, start: matchEnd, lexeme: "none", names });
  }

  /** The open names after a lexeme; `others` where a second occurrence differs from the first. */
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
      (node) => grammar.modesOf[node.state]!.length > 1 && this.#canTakeInOtherMode(node, spacing, start, end, found),
    );
    if (bound.length === 0) return parser.takeMatch(front, found, spacing);
    const free = front.nodes.filter((node) => !bound.includes(node));
    return stacks.union(
      parser.takeMatch(stacks.front(free), found, spacing),
      parser.takeMatch(stacks.front(bound), found, spacing, false),
    );
  }

  /**
   * Whether another mode of the stack finds a lexeme there that it can take without an insertion.
   * That one takes precedence, as in `a⏎/b/`.
   */
  #canTakeInOtherMode(node: StackNode, spacing: Spacing, start: number, end: number, found: number): boolean {
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
      this.#enqueue({ ...reading, spacing, start: end, lexeme: "none" });
      return;
    }
    // Between brackets the line continues; outside of them it ends.
    const { stacks } = parser;
    const inside = stacks.front(reading.front.nodes.filter((node) => node.layout === suspended));
    const outside = stacks.front(reading.front.nodes.filter((node) => node.layout !== suspended));
    if (!inside.isEmpty) this.#enqueue({ ...reading, front: inside, spacing, start: end, lexeme: "none" });
    const ended = this.#reader.endLine(outside, reading.spacing);
    if (!ended.isEmpty) this.#enqueue({ ...reading, front: ended, spacing: broken, start: end, lexeme: "indentation" });
    else if (inside.isEmpty) this.#furthest = Math.max(this.#furthest, reading.start);
  }

  /** Skips blank lines and the indentation of a line. */
  #indent(reading: Reading): void {
    const { parser } = this.#reader;
    const line = findLineStart(parser.grammar.lex, this.#bytes, reading.start, this.#end);
    if (line.offset === this.#end) {
      this.#open.push({ ...reading, start: line.start });
      return;
    }
    const front = this.#reader.beginLine(reading.front, parser.layouts.of(line));
    if (front.isEmpty) this.#furthest = Math.max(this.#furthest, line.offset);
    else this.#enqueue({ ...reading, front, spacing: broken, start: line.offset, lexeme: "none" });
  }

  #enqueue(reading: Reading): void {
    const same = this.#queue.findIndex(
      ({ reading: other }) =>
        other.start === reading.start &&
        other.spacing === reading.spacing &&
        other.lexeme === reading.lexeme &&
        other.names === reading.names,
    );
    if (same < 0) {
      this.#queue.push({ reading, at: reading.start });
      return;
    }
    const front = this.#reader.parser.stacks.union(this.#queue[same]!.reading.front, reading.front);
    this.#queue[same] = { reading: { ...reading, front }, at: reading.start };
  }
}

/** The result of reading a lexeme: an open lexeme, or one with the state 0 that is over. */
type Lexed = Lexeme;

function isSame(a: Lexed, b: Lexed): boolean {
  return a.state === b.state && a.matchEnd === b.matchEnd && a.matchState === b.matchState;
}

/** Whether two states have the same modes. */
function areSame(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && a.every((mode, i) => mode === b[i]));
}

/**
 * The longest match of a mode in `bytes` from `start` to `end`, as an index into `matches`; 0 for
 * none. The length of the match is not returned.
 */
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
