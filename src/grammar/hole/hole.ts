import { findLineStart, isLineBreak, Layouts, suspended } from "../lexing/layouts.ts";
import type { Endings } from "../lexing/lex-reach.ts";
import { longestMatch, type Reader } from "../reading/reader.ts";
import { movedReading, type Reading } from "../reading/reading.ts";
import { anySpacing, broken, type Spacing } from "../reading/spacing.ts";
import type { Front, StackNode } from "../reading/stack.ts";
import { absent, PairMap } from "../tables/pair-map.ts";
import { type EndingSearchOptions, otherEndings, shortestEnding } from "./ending-search.ts";
import type { Filling, HoleQuestions } from "./filling.ts";
import type { SuffixAnalysis } from "./suffix-analysis.ts";
import type { Control } from "./suffix-control.ts";
import type { OpenLexeme } from "./suffix-lexer.ts";
import { SuffixNames } from "./suffix-names.ts";
import { noWays } from "./token-continuation.ts";

/**
 * A hole in a text: the text before it is read, and the text behind is digested, so that it can be
 * told of every beginning of a filling whether it can go on to a whole text, and whether it may
 * stop as it is.
 *
 * Behind the hole may be further holes, each of which may be filled by anything.
 */
export class Hole implements HoleQuestions {
  readonly reader: Reader;
  /** The filling that holds nothing. */
  readonly empty: Filling;
  readonly #behind: SuffixAnalysis;
  /** Where the grammar has names that must agree. */
  readonly #namesBehind: SuffixNames | undefined;
  /**
   * Whether lexemes can end on stacks, by the number of their endings and that of the front: 1 or
   * 0.
   */
  readonly #viable = new PairMap();
  /** Whether stacks can go on in ways to run on, by both numbers: 1 or 0. */
  readonly #runsOn = new PairMap();

  /** `before` is the text before the hole, whole, with the ways to read it. */
  constructor(reader: Reader, before: Filling, behind: SuffixAnalysis) {
    this.reader = reader;
    this.#behind = behind;
    this.#namesBehind = reader.follower && new SuffixNames(reader, behind.segments);
    this.empty = this.#kept(before.readings, before.bytes);
  }

  /** The filling with `bytes` added to it. */
  add(filling: Filling, bytes: Uint8Array): Filling {
    if (bytes.length === 0 || filling.readings.length === 0) return filling;
    const all = new Uint8Array(filling.bytes.length + bytes.length);
    all.set(filling.bytes);
    all.set(bytes, filling.bytes.length);
    const { readings } = this.reader.read(filling.readings, all, filling.bytes.length, all.length);
    return this.#kept(readings, all);
  }

  /** Whether the filling may go on to a whole text. */
  isAlive(filling: Filling): boolean {
    return filling.readings.length > 0;
  }

  /** Whether the text is whole with this filling as it is, and some filling of the holes behind. */
  canStop(filling: Filling): boolean {
    return (
      filling.readings.some((reading) => this.#canStop(reading, filling.bytes)) &&
      (this.#namesBehind === undefined || this.#namesBehind.agree(filling))
    );
  }

  /**
   * A shortest text after which the hole may stop; `undefined` where none is found, within the
   * bytes there are.
   */
  shortestEnding(filling: Filling, options?: EndingSearchOptions): Uint8Array | undefined {
    return shortestEnding(this, this.#behind, filling, options);
  }

  /**
   * Texts after which the hole may stop, different ones, and longer than they need be: for whoever
   * knows more than the grammar.
   */
  otherEndings(filling: Filling): Generator<Uint8Array, undefined> {
    return otherEndings({ hole: this, behind: this.#behind }, filling);
  }

  /**
   * Whether the lexeme of `reading`, once it has come to the lexer's `state`, can run on into the
   * text behind the hole.
   */
  mayRunOn({ front, start }: Reading, { bytes }: Filling, state: number): boolean {
    return this.#canRunOn(front, anySpacing, openLexeme(state, bytes[start]!));
  }

  namesAt({ readings, bytes }: Filling): readonly Uint8Array[] {
    const { follower } = this.reader;
    if (follower === undefined) return [];
    const rests = new Set<string>();
    // A sign that could go on, as `<` could to `</`, ends where a name follows.
    const ended = readings.flatMap((reading) => this.reader.endLexeme(reading, bytes, bytes.length));
    for (const { front, names, start, lexeme } of [...readings, ...ended]) {
      const awaited = follower.awaited(names!, front);
      if (awaited === undefined) continue;
      const isTrivia = typeof lexeme === "string" || this.#isTrivia(lexeme.state);
      const written = awaited.written + (isTrivia ? "" : decoder.decode(bytes.subarray(start)));
      for (const name of awaited.name === undefined ? this.#namesBehind!.written : [awaited.name]) {
        if (!name.startsWith(written)) continue;
        for (const rest of this.#namesBehind!.withoutEndBehind(name.slice(written.length))) rests.add(rest);
      }
    }
    return [...rests].map((rest) => encoder.encode(rest));
  }

  /**
   * What is still to be written of the names that `filling` writes a second time, one for each way
   * to read it; `undefined` for a way that awaits no such name, and none where the grammar has
   * none.
   */
  awaitedNames({ readings, bytes }: Filling): readonly (string | undefined)[] {
    const { follower } = this.reader;
    if (follower === undefined) return [];
    const ended = readings.flatMap((reading) => this.reader.endLexeme(reading, bytes, bytes.length));
    return [...readings, ...ended].map(({ front, names, start, lexeme }) => {
      const awaited = follower.awaited(names!, front);
      if (awaited?.time !== "second") return undefined;
      const isTrivia = typeof lexeme === "string" || this.#isTrivia(lexeme.state);
      const written = awaited.written + (isTrivia ? "" : decoder.decode(bytes.subarray(start)));
      return awaited.name!.startsWith(written) ? awaited.name!.slice(written.length) : undefined;
    });
  }

  /** Whether some of these stacks can go on to a whole text. */
  canFinish(front: Front): boolean {
    return this.#behind.search.canFinish(front, this.#behind.inHole);
  }

  /** Whether any text that can follow on a stack with `node` on top can go on to a whole one. */
  isOpenEnded(node: StackNode): boolean {
    return this.#behind.search.isOpenEnded(node, this.#behind.inHole);
  }

  /** Whether a lexeme can end in the hole or behind it, so that the text can be completed. */
  canLexemeEnd(front: Front, spacing: Spacing, open: OpenLexeme): boolean {
    return (
      this.canLexemeEndAs(front, spacing, this.#behind.index.endings.of(open.state)) || this.canLexemeRunOn(front, open)
    );
  }

  /** Whether a lexeme with these endings can end in the hole, so that the text can be completed. */
  canLexemeEndAs(front: Front, spacing: Spacing, endings: Endings): boolean {
    const known = this.#viable.get(endings.id * 4 + spacing, front.id);
    if (known !== absent) return known === 1;
    const canEnd = this.#canLexemeEndAs(front, spacing, endings);
    this.#viable.set(endings.id * 4 + spacing, front.id, canEnd ? 1 : 0);
    return canEnd;
  }

  /**
   * Whether a lexeme can, with more to it or as it is, run on into the text behind the hole, so
   * that the text can be completed.
   */
  canLexemeRunOn(front: Front, open: OpenLexeme): boolean {
    const { parser } = this.reader;
    // Without a layout there is one side, and this is asked for thousands of lexemes.
    if (parser.grammar.layout === undefined) return this.#canSideRunOn(front, open, true);
    return this.#canSomeSideRunOn(front, open);
  }

  #canSomeSideRunOn(front: Front, open: OpenLexeme): boolean {
    return this.#sides(front).some(([side, isSuspended]) => this.#canSideRunOn(side, open, isSuspended));
  }

  #canSideRunOn(side: Front, open: OpenLexeme, isSuspended: boolean): boolean {
    const { runningOn } = this.#behind;
    const ways = runningOn.waysOf(open, isSuspended);
    if (ways === noWays) return false;
    const known = this.#runsOn.get(ways, side.id);
    if (known !== absent) return known === 1;
    const canRunOn = this.#canGoOnSome(side, runningOn.controls(ways));
    this.#runsOn.set(ways, side.id, canRunOn ? 1 : 0);
    return canRunOn;
  }

  #canGoOnSome(front: Front, controls: readonly Control[]): boolean {
    return controls.some((control) => this.#canGoOn(front, control));
  }

  #kept(readings: readonly Reading[], bytes: Uint8Array): Filling {
    const viable = readings.filter((reading) => this.#isViable(reading, bytes));
    const from = Math.min(bytes.length, ...viable.map(({ start }) => start));
    if (from === 0) return { readings: viable, bytes };
    return { readings: viable.map((reading) => movedReading(reading, -from)), bytes: bytes.slice(from) };
  }

  #isViable(reading: Reading, bytes: Uint8Array): boolean {
    const { front, lexeme } = reading;
    if (typeof lexeme === "string") return this.#behind.search.canFinish(front, this.#behind.inHole);
    if (
      this.#mayAgree(reading, lexeme.state, bytes) &&
      this.canLexemeEnd(front, reading.spacing, openLexeme(lexeme.state, bytes[reading.start]!))
    )
      return true;
    return this.#endedEarlier(reading, bytes).some((earlier) => this.#isViable(earlier.reading, earlier.bytes));
  }

  /** Whether a lexeme that is open can become the name that is awaited, where one is. */
  #mayAgree({ front, names, start }: Reading, state: number, bytes: Uint8Array): boolean {
    const awaited = names && this.reader.follower!.awaited(names, front);
    if (awaited?.name === undefined || awaited.written === awaited.name) return true;
    return (
      this.#behind.index.endings.of(state).hasTrivia ||
      awaited.name.startsWith(awaited.written + decoder.decode(bytes.subarray(start)))
    );
  }

  #isTrivia(state: number): boolean {
    const { lex } = this.reader.parser.grammar;
    return lex.matches[lex.match[state]!]!.isTrivia;
  }

  #canLexemeEndAs(front: Front, spacing: Spacing, { hasTrivia, matches }: Endings): boolean {
    if (hasTrivia && this.canFinish(front)) return true;
    const { parser } = this.reader;
    for (const match of matches) if (this.canFinish(parser.takeMatch(front, match, spacing))) return true;
    return false;
  }

  /**
   * Whether a lexeme can run on into the text behind the hole. `written` is what the hole holds of
   * it, where that is all: then the lexeme comes after an insertion only where no other mode has
   * one there that needs none.
   */
  #canRunOn(front: Front, spacing: Spacing, open: OpenLexeme, written?: Uint8Array): boolean {
    return this.#sides(front).some(([side, isSuspended]) =>
      this.#behind.run.lexer.continueLexeme(0, open, spacing, isSuspended)?.some((control) => {
        if (written === undefined || spacing !== broken) return this.#canGoOn(side, control);
        const bound = side.nodes.filter((node) =>
          this.#needsNoInsertion(node, spacing, lexemeOf(control, written, this.#behind.run.lexer.segments[0]!)),
        );
        if (bound.length === 0) return this.#canGoOn(side, control);
        const { stacks } = this.reader.parser;
        const free = side.nodes.filter((node) => !bound.includes(node));
        return this.#canGoOn(stacks.front(free), control) || this.#canGoOn(stacks.front(bound), control, false);
      }),
    );
  }

  /**
   * Whether some mode of a stack finds a lexeme at the start of `bytes` that the stack takes
   * without an insertion.
   */
  #needsNoInsertion(node: StackNode, spacing: Spacing, bytes: Uint8Array): boolean {
    const { parser } = this.reader;
    const modes = parser.grammar.modesOf[node.state]!;
    const front = parser.stacks.front([node]);
    return (
      modes.length > 1 &&
      modes.some((mode) => {
        const match = longestMatch(parser.grammar.lex, mode, bytes, 0, bytes.length);
        return match !== 0 && !parser.takeMatch(front, match, spacing, false).isEmpty;
      })
    );
  }

  #canStop(reading: Reading, bytes: Uint8Array): boolean {
    const { front, spacing, lexeme } = reading;
    if (lexeme === "none") return this.#canGoOn(front, this.#behind.run.controls.place(0, 0, spacing));
    if (lexeme === "indentation") return this.#canLineGoOn(front, bytes.subarray(reading.start));
    const open = openLexeme(lexeme.state, bytes[reading.start]!);
    if (this.#canRunOn(front, spacing, open, bytes.subarray(reading.start))) return true;
    if (this.#behind.run.lexer.mustRunOn(0, open)) return false;
    return this.#endedEarlier(reading, bytes).some((earlier) => this.#canStop(earlier.reading, earlier.bytes));
  }

  /**
   * What comes behind the hole is read on with what is known of the stacks: the first terminal
   * exactly as it would be without a hole.
   */
  #canGoOn(front: Front, control: Control, mayInsert = true): boolean {
    const { parser } = this.reader;
    switch (control.kind) {
      case "take": {
        if (control.rest === undefined) return parser.acceptsEnd(front, control.spacing);
        const after = parser.take(front, control.terminal, control.spacing, mayInsert && control.mayInsert);
        return !after.isEmpty && this.#behind.search.canFinish(after, control.rest);
      }
      case "place":
        return this.#sides(front).some(([side, isSuspended]) => {
          const { segment, offset, spacing } = control;
          return side.nodes.some((node) => {
            const controls = allOf(parser.grammar.modesOf[node.state]!, (mode) =>
              this.#behind.run.lexer.controlsAt(segment, offset, spacing, mode, isSuspended),
            );
            const alone = parser.stacks.front([node]);
            const needsNone = controls.some((next) => this.#canTake(alone, next));
            return controls.some((next) => this.#canGoOn(alone, next, !needsNone));
          });
        });
      default:
        return this.#behind.search.canFinish(front, control);
    }
  }

  /** Whether some stack can take the lexeme that comes next without an insertion. */
  #canTake(front: Front, control: Control): boolean {
    if (control.kind !== "take" || control.rest === undefined) return false;
    const after = this.reader.parser.take(front, control.terminal, control.spacing, false);
    // Of a lexeme that stands for several terminals, the others come at once.
    return !after.isEmpty && (control.rest.kind !== "take" || this.#canTake(after, control.rest));
  }

  /**
   * Whether the text can go on where a line has begun with `indentation`, white space or a comment.
   */
  #canLineGoOn(front: Front, indentation: Uint8Array): boolean {
    const { parser } = this.reader;
    const segment = this.#behind.run.lexer.segments[0]!;
    const bytes = new Uint8Array(indentation.length + segment.length);
    bytes.set(indentation);
    bytes.set(segment, indentation.length);
    const line = findLineStart(parser.grammar.lex, bytes, 0, bytes.length);
    if (line.offset === bytes.length) {
      if (this.#behind.run.lexer.segments.length > 1)
        return this.#behind.search.canFinish(front, this.#behind.run.controls.hole(1));
      return !line.isCut && parser.acceptsEnd(this.reader.beginLine(front, Layouts.margin), broken);
    }
    // A backslash at the end of the filling joins no lines, and nothing else begins with one.
    if (line.offset < indentation.length) return false;
    const begun = this.reader.beginLine(front, parser.layouts.of(line));
    return (
      !begun.isEmpty &&
      this.#canGoOn(begun, this.#behind.run.controls.place(0, line.offset - indentation.length, broken))
    );
  }

  /** The ways to read on when a lexeme ends at its longest match so far. */
  #endedEarlier(
    reading: Reading,
    bytes: Uint8Array,
  ): readonly { readonly reading: Reading; readonly bytes: Uint8Array }[] {
    return this.reader.endLexeme(reading, bytes, bytes.length).map((earlier) => ({ reading: earlier, bytes }));
  }

  /** The stacks between brackets that suspend the layout, and those that are not. */
  #sides(front: Front): readonly (readonly [front: Front, isSuspended: boolean])[] {
    const { parser } = this.reader;
    if (parser.grammar.layout === undefined) return [[front, true]];
    const inside = parser.stacks.front(front.nodes.filter((node) => node.layout === suspended));
    const outside = parser.stacks.front(front.nodes.filter((node) => node.layout !== suspended));
    return (
      [
        [inside, true],
        [outside, false],
      ] as const
    ).filter(([side]) => !side.isEmpty);
  }
}

/** What `of` gives for each mode, each control once: the modes mostly agree. */
function allOf(modes: Uint8Array, of: (mode: number) => readonly Control[]): readonly Control[] {
  return [...new Set([...modes].flatMap(of))];
}

/**
 * The bytes of the lexeme that `control` takes: what is written of it, and its rest in the segment
 * behind the hole.
 */
function lexemeOf(control: Control, written: Uint8Array, segment: Uint8Array): Uint8Array {
  let rest: Control | undefined = control;
  while (rest?.kind === "take") rest = rest.rest;
  const end = rest?.kind === "place" && rest.segment === 0 ? rest.offset : segment.length;
  const bytes = new Uint8Array(written.length + end);
  bytes.set(written);
  bytes.set(segment.subarray(0, end), written.length);
  return bytes;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function openLexeme(state: number, firstByte: number): OpenLexeme {
  return { state, beganWithLineBreak: isLineBreak(firstByte) };
}
