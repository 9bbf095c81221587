import { nameWords } from "../../text/index.ts";
import { BracketDebt, openerOf } from "./brackets.ts";
import { ContextWalker } from "./context-walker.ts";
import type { Corpus } from "./corpus.ts";
import { indentUnitOf, type Lexer, type LexRules } from "./lexer.ts";
import { firstTextId, isNewline, TokenKind } from "./token.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** How a token is in the open document. */
export interface Standing {
  /** Times before the place. */
  before: number;
  /** Times after the place. */
  after: number;
  /**
   * The last position before the place, in tokens from the document's start; -1 when there is none.
   */
  last: number;
  /** The first position after the place, in tokens from it; -1 when there is none. */
  next: number;
  /** Whether an import brought it in, before the place. */
  imported: boolean;
  /** Times after the place where it is free: not a member, not a key. */
  free: number;
}

/**
 * How many tokens before and after the place are searched for likenesses: some 1,500 lines, which
 * takes 5 ms.
 */
const linkedBefore = 10_000;
const linkedAfter = 5_000;

/** In place of a number of steps: no line follows. */
export const noNextLine = -9;

/** What is opened, and with what. */
export interface OpenDocumentOptions {
  readonly vocabulary: Vocabulary;
  readonly lexer: Lexer;
  readonly rules: LexRules;
  /** The text before the place. */
  readonly prefix: string;
  /** The text after the place. */
  readonly suffix: string;
  /** The path from the workspace's root. */
  readonly path: string;
  /**
   * How often the vocabulary counts the document's words while it is open: 2 when the file itself
   * is learnt too.
   */
  readonly counted: 1 | 2;
  /** Room for the document's tokens; what is in it is lost. */
  readonly corpus: Corpus;
}

/**
 * The document that is being written, split at the place where text is wanted.
 *
 * The text before and after the place is a small corpus of its own, separate from that of the
 * learnt files. The words of an open document are counted in the vocabulary until it is closed.
 */
export class OpenDocument {
  /**
   * The text after the place and then the text before it, each linked by context; then what is
   * being written.
   */
  readonly corpus: Corpus;
  /** Context hashes at the position of the next token. */
  readonly walker: ContextWalker;
  readonly brackets = new BracketDebt();
  readonly standings = new Map<number, Standing>();
  /** Where the text before the place begins in {@link corpus}. */
  readonly prefixStart: number;
  /** The part of a name that is typed already; empty when the place is not at the end of a name. */
  readonly typed: string;
  /** The word that begins right after the place, or the rest of one; empty when there is none. */
  readonly wordAfter: string;
  /** Whether the place lies inside a word or a number, and not at its edge. */
  readonly isInsideWord: boolean;
  /** Whether white space is right before the place. */
  readonly spaced: boolean;
  /**
   * The token that ends the wanted text: a line break, or the first token on the rest of the line.
   */
  readonly endId: number;
  /** Names within the next lines, nearest first. */
  readonly namesAhead: readonly number[];
  /**
   * Names that are free after the place and absent before it, in order of appearance: candidates
   * for a declaration or import.
   */
  readonly missing: readonly number[];
  /**
   * Names that occur once before the place and never after it, imports first, then latest first:
   * candidates for a use.
   */
  readonly unused: readonly number[];
  /** The tokens of the next line that is not blank, at most twelve. */
  readonly nextLine: readonly number[];
  /**
   * How the next line's indentation differs from the present line's, in steps; {@link noNextLine}
   * without one.
   */
  readonly nextSteps: number;
  readonly indentUnit: number;
  readonly hasSuffix: boolean;
  /** How often the vocabulary counts the document's words at present. */
  readonly counted: 1 | 2;
  /** The first line ending of the text. */
  readonly lineEnding: string;
  /** The words in the file's name and in its folder's. */
  readonly pathParts: ReadonlySet<string>;
  /** The path from the workspace's root. */
  readonly path: string;
  /** Which names the document uses, to compare it with others. */
  readonly signature: Uint32Array;
  /** How like each document of the far corpus is, by its index; absent where not yet known. */
  readonly likeness: number[] = [];
  readonly #vocabulary: Vocabulary;
  readonly #counted: number[] = [];
  /** Number of tokens in {@link corpus} before anything is written at the place. */
  readonly #base: number;
  readonly #baseWalker: ContextWalker;
  readonly #baseBrackets = new BracketDebt();
  readonly #indent: string;
  readonly #hasTabs: boolean;

  constructor(options: OpenDocumentOptions) {
    const { vocabulary, lexer, rules, prefix, suffix, path } = options;
    this.#vocabulary = vocabulary;
    this.counted = options.counted;
    this.path = path;
    this.pathParts = new Set(
      nameWords(
        path
          .replace(/\.\w+$/, "")
          .split("/")
          .slice(-2)
          .join("/"),
      ),
    );
    this.indentUnit = indentUnitOf(prefix.length > suffix.length ? prefix : suffix);
    const typed = /(?<![\p{L}\p{N}_$])[\p{L}\p{N}_$]+$/u.exec(prefix.slice(-200))?.[0] ?? "";
    this.wordAfter = /^[\p{L}\p{N}_$]+/u.exec(suffix.slice(0, 200))?.[0] ?? "";
    this.isInsideWord = typed !== "" && this.wordAfter !== "";
    this.typed = /^\d/.test(typed) ? "" : typed;
    const whole = prefix.slice(0, prefix.length - this.typed.length);

    lexer.lex(whole, rules, this.indentUnit);
    const prefixTokens = lexer.tokens.slice(0, lexer.length);
    // White space at the end of the text before the place: the line's own indentation is part of
    // its line break.
    const endsInBreak = lexer.length > 0 && isNewline(lexer.tokens[lexer.length - 1]! >> 2);
    this.spaced = whole.length > 0 && lexer.end < whole.length && !endsInBreak;
    // A place inside a string or a comment is followed by the rest of it.
    lexer.lex(suffix, rules, this.indentUnit, true);
    const suffixCount = lexer.length;
    this.corpus = options.corpus;
    this.corpus.clear();
    const after = this.corpus.append(lexer.tokens, suffixCount, path, 0, linkedAfter);
    this.hasSuffix = suffixCount > 0;
    const needed: string[] = [];
    let innerDepth = 0;
    const ahead: number[] = [];
    const nextLine: number[] = [];
    const freeAhead: number[] = [];
    let breaks = 0;
    for (let i = 0; i < suffixCount; i++) {
      const id = this.corpus.tokens[after.start + i]! >> 2;
      this.#counted.push(id);
      const kind = vocabulary.kinds[id]!;
      if (kind === TokenKind.open) innerDepth++;
      else if (kind === TokenKind.close) {
        if (innerDepth > 0) innerDepth--;
        else needed.push(openerOf(vocabulary.names[id]!));
      } else if (kind === TokenKind.newline) breaks++;
      if (breaks === 1 && kind !== TokenKind.newline && nextLine.length < 12) nextLine.push(id);
      if (id < firstTextId) continue;
      const standing = this.#standing(id);
      standing.after++;
      if (standing.next < 0) standing.next = i;
      if (kind === TokenKind.name && !isMemberOrKey(vocabulary, this.corpus.tokens, after.start + i)) {
        standing.free++;
        if (standing.free === 1) freeAhead.push(id);
      }
      if (breaks < 12 && kind === TokenKind.name && ahead.length < 24 && !ahead.includes(id)) ahead.push(id);
    }
    this.namesAhead = ahead;
    this.nextLine = nextLine;
    const firstAfter = suffixCount > 0 ? this.corpus.tokens[after.start]! >> 2 : 0;
    this.endId = firstAfter === 0 || isNewline(firstAfter) ? 0 : firstAfter;

    const prefixCount = prefixTokens.length;
    const before = this.corpus.append(prefixTokens, prefixCount, path, prefixCount - linkedBefore);
    this.signature = this.corpus.signatureAt(0).map((word, i) => word | this.corpus.signatureAt(1)[i]!);
    this.prefixStart = before.start;
    this.walker = new ContextWalker(vocabulary);
    const open: string[] = [];
    let earlier = 0;
    for (let place = before.start; place < before.end; place++) {
      const id = this.corpus.tokens[place]! >> 2;
      this.#counted.push(id);
      this.walker.push(id);
      const kind = vocabulary.kinds[id]!;
      if (kind === TokenKind.open) open.push(vocabulary.names[id]!);
      else if (kind === TokenKind.close) open.pop();
      else if (kind === TokenKind.newline) earlier = open.length;
      earlier = Math.min(earlier, open.length);
      if (id < firstTextId) continue;
      const standing = this.#standing(id);
      standing.before++;
      standing.last = place - before.start;
      if (this.walker.inImport && !this.walker.inString) standing.imported = true;
    }
    this.missing = freeAhead.filter((id) => this.standings.get(id)!.before === 0);
    const unused: number[] = [];
    const imported: number[] = [];
    const seen = new Set<number>();
    for (let place = before.end - 1; place >= before.start && unused.length < 24; place--) {
      const id = this.corpus.tokens[place]! >> 2;
      if (vocabulary.kinds[id] !== TokenKind.name || seen.has(id)) continue;
      const standing = this.standings.get(id)!;
      seen.add(id);
      if (standing.before === 1 && standing.after === 0 && !standing.imported) unused.push(id);
    }
    for (const [id, standing] of this.standings) {
      if (
        standing.imported &&
        standing.before === 1 &&
        standing.after === 0 &&
        vocabulary.kinds[id] === TokenKind.name &&
        imported.length < 16
      )
        imported.push(id);
    }
    this.unused = [...imported, ...unused];
    this.brackets.reset(open, needed.reverse(), earlier);
    // The line break after the place encodes the next line's indentation relative to the current
    // line's.
    const line = lineBefore(prefix);
    const present = indentOf(line, this.indentUnit);
    const next = /^[^\n]*\n(?:[ \t]*\r?\n)*([ \t]*)\S/.exec(suffix.slice(0, 4000));
    this.nextSteps =
      next === null
        ? noNextLine
        : Math.round(indentOf(next[1]!, this.indentUnit) / this.indentUnit - present / this.indentUnit);
    this.walker.setNextLine(nextLine[0] ?? 0, nextLine[1] ?? 0);
    this.#base = this.corpus.length;
    this.walker.settle();
    this.#baseWalker = new ContextWalker(vocabulary);
    this.#baseWalker.copy(this.walker);
    this.#baseBrackets.copy(this.brackets);
    this.lineEnding = /\r?\n|\r/.exec(prefix)?.[0] ?? /\r?\n|\r/.exec(suffix)?.[0] ?? "\n";
    this.#hasTabs = /^\t/m.test(prefix) || /^\t/m.test(suffix);
    this.#indent = /^[ \t]*/.exec(line)![0];
  }

  /** Number of tokens before the current position, including those written at the place. */
  get position(): number {
    return this.corpus.length - this.prefixStart;
  }

  /** Writes `token` at the place. */
  write(token: number): void {
    const id = token >> 2;
    this.corpus.appendLoose(token);
    this.walker.push(id);
    const kind = this.#vocabulary.kinds[id]!;
    const name = this.#vocabulary.names[id]!;
    if (kind === TokenKind.open) this.brackets.push(name, 1);
    else if (kind === TokenKind.close) this.brackets.push(name, -1);
  }

  /**
   * Replaces what is written at the place by `tokens`. Cheap where they continue what is already
   * written.
   */
  rewrite(tokens: readonly number[]): void {
    const { corpus } = this;
    const written = corpus.length - this.#base;
    let goesOn = written <= tokens.length;
    for (let i = 0; goesOn && i < written; i++) goesOn = corpus.tokens[this.#base + i] === tokens[i];
    if (!goesOn) this.rewind();
    for (let i = corpus.length - this.#base; i < tokens.length; i++) this.write(tokens[i]!);
  }

  /** Takes back all that was written at the place. */
  rewind(): void {
    this.corpus.truncateLoose(this.#base);
    this.walker.copy(this.#baseWalker);
    this.brackets.copy(this.#baseBrackets);
  }

  /** The white space of a line that is `steps` deeper than the place's. */
  indentText(steps: number): string {
    return this.#indent + (this.#hasTabs ? "\t" : " ".repeat(this.indentUnit)).repeat(steps);
  }

  /** Whether the next line that is not blank begins with these tokens. */
  startsNextLine(ids: readonly number[]): boolean {
    return (
      ids.length > 0 &&
      this.nextLine.length > 0 &&
      ids.every((id, i) => i >= this.nextLine.length || id === this.nextLine[i])
    );
  }

  /** Counts a text that is not in the vocabulary for as long as the document is open. */
  coin(text: string, kind: number): number {
    const id = this.#vocabulary.add(text, 0, text.length, kind);
    this.#counted.push(id);
    return id;
  }

  /** Takes over the counts of `tokens` from the caller for as long as the document is open. */
  keep(tokens: readonly number[]): void {
    for (const token of tokens) this.#counted.push(token >> 2);
  }

  /** Gives the document's words back to the vocabulary. */
  [Symbol.dispose](): void {
    for (const id of this.#counted) this.#vocabulary.release(id);
    this.#counted.length = 0;
  }

  #standing(id: number): Standing {
    let standing = this.standings.get(id);
    if (standing === undefined) {
      standing = { before: 0, after: 0, last: -1, next: -1, imported: false, free: 0 };
      this.standings.set(id, standing);
    }
    return standing;
  }
}

function isMemberOrKey(vocabulary: Vocabulary, tokens: Int32Array, place: number): boolean {
  const before = vocabulary.names[tokens[place - 1]! >> 2]!;
  if (before === "." || before === "?." || vocabulary.kinds[tokens[place - 1]! >> 2] === TokenKind.quoteOpen)
    return true;
  return vocabulary.names[tokens[place + 1]! >> 2] === ":";
}

function lineBefore(prefix: string): string {
  return prefix.slice(Math.max(prefix.lastIndexOf("\n"), prefix.lastIndexOf("\r")) + 1);
}

function indentOf(line: string, unit: number): number {
  let width = 0;
  for (const c of line) {
    if (c === " ") width++;
    else if (c === "\t") width += unit;
    else break;
  }
  return width;
}
