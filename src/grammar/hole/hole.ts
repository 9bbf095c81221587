import { getOrInsert } from "../../text/index.ts";
import { findLineStart, isLineBreak, Layouts, type LineStart, suspended } from "../lexing/layouts.ts";
import type { Endings } from "../lexing/lex-reach.ts";
import { longestMatch, movedReading, type Reader, type Reading } from "../reading/reader.ts";
import { anySpacing, broken, type Spacing } from "../reading/spacing.ts";
import type { Front, StackNode } from "../reading/stack.ts";
import { absent, PairMap } from "../tables/pair-map.ts";
import { type EndingSearchOptions, otherEndings, shortestEnding } from "./ending-search.ts";
import { joined } from "./ending-writer.ts";
import type { Filling, HoleQuestions } from "./filling.ts";
import { canEndInTrivia } from "./open-trivia.ts";
import type { SuffixAnalysis } from "./suffix-analysis.ts";
import type { Control } from "./suffix-control.ts";
import type { OpenLexeme } from "./suffix-lexer.ts";
import { SuffixNames } from "./suffix-names.ts";
import { noContinuation } from "./token-continuation.ts";

/**
 * A hole in a text: the prefix is read and the suffix analysed, so that each filling can be checked
 * for being completable and complete.
 *
 * The suffix may contain further holes, each of which may be filled by anything.
 */
export class Hole implements HoleQuestions {
  readonly reader: Reader;
  /** The empty filling. */
  readonly empty: Filling;
  readonly #suffix: SuffixAnalysis;
  /** Present where the grammar has names that must be equal. */
  readonly #suffixNames: SuffixNames | undefined;
  /** Results of `canLexemeEndAs`, by endings with spacing, and by front: 1 or 0. */
  readonly #lexemeEnds = new PairMap();
  /** Results of `canLexemeContinueInSuffix`, by continuation and front: 1 or 0. */
  readonly #continuations = new PairMap();
  /** Results of `#lineFrom`, by the bytes of the indentation. */
  readonly #lineStarts = new Map<string, LineStart>();
  /** The last result of `#isCommented`. */
  #commented: { readonly behind: string; readonly isCommented: boolean } | undefined;

  /** `before`: the prefix as a filling: all of its bytes, and its readings. */
  constructor(reader: Reader, before: Filling, behind: SuffixAnalysis) {
    this.reader = reader;
    this.#suffix = behind;
    this.#suffixNames = reader.follower && new SuffixNames(reader, behind.segments);
    this.empty = this.#viableFilling(before.readings, before.bytes);
  }

  /** The filling with `bytes` added to it. */
  add(filling: Filling, bytes: Uint8Array): Filling {
    if (bytes.length === 0 || filling.readings.length === 0) return filling;
    const all = new Uint8Array(filling.bytes.length + bytes.length);
    all.set(filling.bytes);
    all.set(bytes, filling.bytes.length);
    const { readings } = this.reader.read(filling.readings, all, filling.bytes.length, all.length);
    return this.#viableFilling(readings, all);
  }

  /** Whether the filling is completable. */
  isAlive(filling: Filling): boolean {
    return filling.readings.length > 0;
  }

  /**
   * Whether the filling is complete: the text is in the language with it, and some filling of any
   * further holes.
   */
  canStop(filling: Filling): boolean {
    return (
      filling.readings.some((reading) => this.#canStop(reading, filling.bytes)) &&
      (this.#suffixNames === undefined || this.#suffixNames.agree(filling))
    );
  }

  /**
   * Whether a comment that begins in the filling `text` takes in code `behind` the hole. The
   * grammar allows this, but it disables existing code. False where a comment follows anyway.
   */
  hidesCode(text: string, behind: string): boolean {
    const code = /^\s*\S/.exec(behind)?.[0];
    // The first line behind the hole is read only for texts that hide code.
    return code !== undefined && this.#endsInComment(text, code) && !this.#isCommented(behind);
  }

  /** Whether the first line of code in `behind` ends in a comment. */
  #isCommented(behind: string): boolean {
    // Many texts of one hole are asked for in turn, and the line may be long.
    if (this.#commented?.behind !== behind) {
      const [line] = /^\s*\S.*/.exec(behind)!;
      const canBe = canEndInTrivia(this.reader.parser.grammar.lex, this.#suffix.index.endings, encoder.encode(line));
      this.#commented = { behind, isCommented: canBe && this.#endsInComment("", line) };
    }
    return this.#commented.isCommented;
  }

  /** Whether a text in the hole, with `behind` after it, ends in a comment that begins there. */
  #endsInComment(text: string, behind: string): boolean {
    const { readings, bytes } = this.empty;
    const added = encoder.encode(text + behind);
    const all = new Uint8Array(bytes.length + added.length);
    all.set(bytes);
    all.set(added, bytes.length);
    const after = this.reader.read(readings, all, bytes.length, all.length).readings;
    const last = bytes.length + encoder.encode(text === "" ? behind : text).length;
    return (
      after.length > 0 &&
      after.every(({ start, lexeme }) => {
        if (start < bytes.length || start >= last) return false;
        // Only comments are read on while the indentation of a line is not known.
        if (typeof lexeme === "string") return lexeme === "indentation";
        const { hasTrivia, matches } = this.#suffix.index.endings.of(lexeme.state);
        return hasTrivia && matches.length === 0;
      })
    );
  }

  /** A shortest ending that was found; `undefined` where none was found within `maxBytes`. */
  shortestEnding(filling: Filling, options?: EndingSearchOptions): Uint8Array | undefined {
    return shortestEnding(this, this.#suffix, filling, options);
  }

  /** Distinct endings, longer than necessary, for callers with more knowledge than the grammar. */
  otherEndings(filling: Filling): Generator<Uint8Array, undefined> {
    return otherEndings({ hole: this, behind: this.#suffix }, filling);
  }

  /** Whether the lexeme of `reading`, in the lexer's `state`, can continue into the suffix. */
  canContinueInSuffix({ front, start }: Reading, { bytes }: Filling, state: number): boolean {
    return this.#canContinueInSuffix(front, anySpacing, openLexeme(state, bytes[start]!));
  }

  namesAt({ readings, bytes }: Filling): readonly Uint8Array[] {
    const { follower } = this.reader;
    if (follower === undefined) return [];
    const rests = new Set<string>();
    // Punctuation that could be extended, as `<` to `</`, ends before a name.
    const ended = readings.flatMap((reading) => this.reader.endLexeme(reading, bytes, bytes.length));
    for (const { front, names, start, lexeme } of [...readings, ...ended]) {
      const awaited = follower.awaited(names!, front);
      if (awaited === undefined) continue;
      const isTrivia = typeof lexeme === "string" || this.#isTrivia(lexeme.state);
      const written = awaited.written + (isTrivia ? "" : decoder.decode(bytes.subarray(start)));
      for (const name of awaited.name === undefined ? this.#suffixNames!.written : [awaited.name]) {
        if (!name.startsWith(written)) continue;
        for (const rest of this.#suffixNames!.withoutEndBehind(name.slice(written.length))) rests.add(rest);
      }
    }
    return [...rests].map((rest) => encoder.encode(rest));
  }

  /**
   * For each reading of `filling`, the rest of the name that it writes as a second occurrence;
   * `undefined` where it writes none. Empty where the grammar has no such names.
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

  /** Whether some of these stacks can reach the end of the text. */
  canFinish(front: Front): boolean {
    return this.#suffix.search.canFinish(front, this.#suffix.inHole);
  }

  /** Whether everything that can be begun on a stack with `node` on top can also be completed. */
  isOpenEnded(node: StackNode): boolean {
    return this.#suffix.search.isOpenEnded(node, this.#suffix.inHole);
  }

  /** Whether a lexeme can end in the hole or in the suffix so that the text is completable. */
  canLexemeEnd(front: Front, spacing: Spacing, open: OpenLexeme): boolean {
    return (
      this.canLexemeEndAs(front, spacing, this.#suffix.index.endings.of(open.state)) ||
      this.canLexemeContinueInSuffix(front, open)
    );
  }

  /** Whether a lexeme with these endings can end in the hole so that the text is completable. */
  canLexemeEndAs(front: Front, spacing: Spacing, endings: Endings): boolean {
    const known = this.#lexemeEnds.get(endings.id * 4 + spacing, front.id);
    if (known !== absent) return known === 1;
    const canEnd = this.#canLexemeEndAs(front, spacing, endings);
    this.#lexemeEnds.set(endings.id * 4 + spacing, front.id, canEnd ? 1 : 0);
    return canEnd;
  }

  /**
   * Whether a lexeme, extended or not, can continue into the suffix so that the text is
   * completable.
   */
  canLexemeContinueInSuffix(front: Front, open: OpenLexeme): boolean {
    const { parser } = this.reader;
    // Without a layout there is one side only; this is called for thousands of lexemes.
    if (parser.grammar.layout === undefined) return this.#canSideContinue(front, open, true);
    return this.#canSomeSideContinue(front, open);
  }

  #canSomeSideContinue(front: Front, open: OpenLexeme): boolean {
    return this.#sides(front).some(([side, isSuspended]) => this.#canSideContinue(side, open, isSuspended));
  }

  #canSideContinue(side: Front, open: OpenLexeme, isSuspended: boolean): boolean {
    const { tokenContinuation } = this.#suffix;
    const continuation = tokenContinuation.continuationOf(open, isSuspended);
    if (continuation === noContinuation) return false;
    const known = this.#continuations.get(continuation, side.id);
    if (known !== absent) return known === 1;
    const canContinueInSuffix = this.#canContinueAny(side, tokenContinuation.controls(continuation));
    this.#continuations.set(continuation, side.id, canContinueInSuffix ? 1 : 0);
    return canContinueInSuffix;
  }

  #canContinueAny(front: Front, controls: readonly Control[]): boolean {
    return controls.some((control) => this.#canContinue(front, control));
  }

  #viableFilling(readings: readonly Reading[], bytes: Uint8Array): Filling {
    const viable = readings.filter((reading) => this.#isViable(reading, bytes));
    const from = Math.min(bytes.length, ...viable.map(({ start }) => start));
    if (from === 0) return { readings: viable, bytes };
    return { readings: viable.map((reading) => movedReading(reading, -from)), bytes: bytes.slice(from) };
  }

  #isViable(reading: Reading, bytes: Uint8Array): boolean {
    const { front, lexeme } = reading;
    if (typeof lexeme === "string") return this.#suffix.search.canFinish(front, this.#suffix.inHole);
    if (
      this.#canBecomeName(reading, lexeme.state, bytes) &&
      this.canLexemeEnd(front, reading.spacing, openLexeme(lexeme.state, bytes[reading.start]!))
    )
      return true;
    return this.#endedEarlier(reading, bytes).some((earlier) => this.#isViable(earlier.reading, earlier.bytes));
  }

  /** Whether an open lexeme can become the name that is required, if one is. */
  #canBecomeName({ front, names, start }: Reading, state: number, bytes: Uint8Array): boolean {
    const awaited = names && this.reader.follower!.awaited(names, front);
    if (awaited?.name === undefined || awaited.written === awaited.name) return true;
    return (
      this.#suffix.index.endings.of(state).hasTrivia ||
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
   * Whether a lexeme can continue into the suffix. `written`: the bytes of the lexeme in the hole,
   * where it is not extended in the hole; then it may follow an insertion only where no other mode
   * has a lexeme there that needs none.
   */
  #canContinueInSuffix(front: Front, spacing: Spacing, open: OpenLexeme, written?: Uint8Array): boolean {
    return this.#sides(front).some(([side, isSuspended]) =>
      this.#suffix.run.lexer.continueLexeme(0, open, spacing, isSuspended)?.some((control) => {
        if (written === undefined || spacing !== broken) return this.#canContinue(side, control);
        const withoutInsertion = side.nodes.filter((node) =>
          this.#needsNoInsertion(node, spacing, () => lexemeOf(control, written, this.#suffix.run.lexer.segments[0]!)),
        );
        if (withoutInsertion.length === 0) return this.#canContinue(side, control);
        const { stacks } = this.reader.parser;
        const others = side.nodes.filter((node) => !withoutInsertion.includes(node));
        return (
          this.#canContinue(stacks.front(others), control) ||
          this.#canContinue(stacks.front(withoutInsertion), control, false)
        );
      }),
    );
  }

  /**
   * Whether some mode of the stack finds a lexeme at the start of `written` that the stack takes
   * without an insertion. A stack with one mode does not ask for `written`, which may be long.
   */
  #needsNoInsertion(node: StackNode, spacing: Spacing, written: () => Uint8Array): boolean {
    const { parser } = this.reader;
    const modes = parser.grammar.modesOf[node.state]!;
    if (modes.length < 2) return false;
    const front = parser.stacks.front([node]);
    const bytes = written();
    return modes.some((mode) => {
      const match = longestMatch(parser.grammar.lex, mode, bytes, 0, bytes.length);
      return match !== 0 && !parser.takeMatch(front, match, spacing, false).isEmpty;
    });
  }

  #canStop(reading: Reading, bytes: Uint8Array): boolean {
    const { front, spacing, lexeme } = reading;
    if (lexeme === "none") return this.#canContinue(front, this.#suffix.run.controls.place(0, 0, spacing));
    if (lexeme === "indentation") return this.#canLineContinue(front, bytes.subarray(reading.start));
    const open = openLexeme(lexeme.state, bytes[reading.start]!);
    if (this.#canContinueInSuffix(front, spacing, open, bytes.subarray(reading.start))) return true;
    if (this.#suffix.run.lexer.mustContinueInSuffix(0, open)) return false;
    return this.#endedEarlier(reading, bytes).some((earlier) => this.#canStop(earlier.reading, earlier.bytes));
  }

  /**
   * Reads on from `control` with known stacks: the first terminal is taken exactly as in a text
   * without a hole.
   */
  #canContinue(front: Front, control: Control, mayInsert = true): boolean {
    const { parser } = this.reader;
    switch (control.kind) {
      case "take": {
        if (control.rest === undefined) return parser.acceptsEnd(front, control.spacing);
        const after = parser.take(front, control.terminal, control.spacing, mayInsert && control.mayInsert);
        return !after.isEmpty && this.#suffix.search.canFinish(after, control.rest);
      }
      case "place":
        return this.#sides(front).some(([side, isSuspended]) => {
          const { segment, offset, spacing } = control;
          return side.nodes.some((node) => {
            const controls = distinctControls(parser.grammar.modesOf[node.state]!, (mode) =>
              this.#suffix.run.lexer.controlsAt(segment, offset, spacing, mode, isSuspended),
            );
            const alone = parser.stacks.front([node]);
            const needsNone = controls.some((next) => this.#canTake(alone, next));
            return controls.some((next) => this.#canContinue(alone, next, !needsNone));
          });
        });
      default:
        return this.#suffix.search.canFinish(front, control);
    }
  }

  /** Whether some stack can take the next lexeme without an insertion. */
  #canTake(front: Front, control: Control): boolean {
    if (control.kind !== "take" || control.rest === undefined) return false;
    const after = this.reader.parser.take(front, control.terminal, control.spacing, false);
    // A lexeme of several terminals must be taken as a whole.
    return !after.isEmpty && (control.rest.kind !== "take" || this.#canTake(after, control.rest));
  }

  /**
   * Whether the text is complete where a line has begun with `indentation`: white space, or a
   * comment.
   */
  #canLineContinue(front: Front, indentation: Uint8Array): boolean {
    const { parser } = this.reader;
    const line = this.#lineFrom(indentation);
    if (line.offset === indentation.length + this.#suffix.run.lexer.segments[0]!.length) {
      if (this.#suffix.run.lexer.segments.length > 1)
        return this.#suffix.search.canFinish(front, this.#suffix.run.controls.hole(1));
      return !line.isCut && parser.acceptsEnd(this.reader.beginLine(front, Layouts.margin), broken);
    }
    // A backslash at the end of the filling continues no line, and no lexeme begins with one.
    if (line.offset < indentation.length) return false;
    const begun = this.reader.beginLine(front, parser.layouts.of(line));
    return (
      !begun.isEmpty &&
      this.#canContinue(begun, this.#suffix.run.controls.place(0, line.offset - indentation.length, broken))
    );
  }

  /**
   * The start of the first line that is not blank, of a text that begins with `indentation` and
   * continues with the suffix. Endings are checked thousands of times, with few indentations, and
   * the suffix may be long.
   */
  #lineFrom(indentation: Uint8Array): LineStart {
    const key = String.fromCharCode(...indentation);
    return getOrInsert(this.#lineStarts, key, () => {
      const bytes = joined([indentation, this.#suffix.run.lexer.segments[0]!]);
      return findLineStart(this.reader.parser.grammar.lex, bytes, 0, bytes.length);
    });
  }

  /** The readings when a lexeme ends at its longest match so far. */
  #endedEarlier(
    reading: Reading,
    bytes: Uint8Array,
  ): readonly { readonly reading: Reading; readonly bytes: Uint8Array }[] {
    return this.reader.endLexeme(reading, bytes, bytes.length).map((earlier) => ({ reading: earlier, bytes }));
  }

  /** The stacks between brackets that suspend the layout, and the others. */
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

/** The distinct controls of all modes, which mostly agree. */
function distinctControls(modes: Uint8Array, of: (mode: number) => readonly Control[]): readonly Control[] {
  return [...new Set([...modes].flatMap(of))];
}

/** The bytes of the lexeme that `control` takes: `written`, and its rest in the suffix. */
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
