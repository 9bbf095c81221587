import { newlineSteps, TokenKind } from "./token.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * The contexts by which the built-in model remembers what came next.
 *
 * Each is a way of looking at the text before a place (and, for one, at the line after it). Two
 * places with the same look share a context, and what followed one is a proposal for the other.
 */
export const contextNames = [
  "last 2 tokens",
  "last 3 tokens",
  "last 5 tokens",
  "shape of the last 5 tokens",
  "shape of the line so far",
  "line so far and line before",
  "last 2 tokens and next line",
  "argument place",
  "receiver",
  "last token",
  "line so far and parent line",
  "shape of the line so far and the line before",
  "last 9 tokens",
  "shape of the line so far and next line",
] as const;

/**
 * The contexts that the workspace is linked by; the open file is linked by all. Each costs four
 * bytes a token and more: these are the ones that measurably help (`bench/README.md`).
 */
export const farContexts: readonly number[] = [0, 2, 3, 4, 6, 7, 11, 13];

/** The number of contexts. */
const contextCount = contextNames.length;

/** The contexts that the open file is linked by: all of them. */
export const nearContexts: readonly number[] = contextNames.map((_, context) => context);

/** How many tokens back the shape of the last tokens looks. */
export const shapeWidth = 5;

const windowSize = 16;
const maxLine = 40;
const maxDepth = 64;

/**
 * Reads tokens one by one and provides the hash of every context at the current place.
 *
 * Learning and lookup use the same walker, so that a context means the same in both. Hashes are
 * computed from the tokens' texts and do not depend on the order in which files were learnt.
 */
export class ContextWalker {
  /** The hash of each context at the place reached; valid after {@link look} or {@link lookFar}. */
  readonly hashes = new Int32Array(contextCount);
  /** The id of the token just read. */
  last = 0;
  /** Whether the place is inside a string, or a comment on its line. */
  inString = false;
  inComment = false;
  #longString = false;
  #longComment = false;
  /** Whether the line began with a word that brings names in from elsewhere. */
  inImport = false;
  /** How many tokens the present line has so far, at most 40. */
  lineLength = 0;
  readonly #vocabulary: Vocabulary;
  /** Text hashes and kinds of the last tokens, a ring. */
  readonly #hash = new Int32Array(windowSize);
  readonly #kind = new Uint8Array(windowSize);
  #at = 0;
  /**
   * The present line: one running hash of its exact text, one of its shape, and the names in it.
   */
  #lineExact = 0;
  #lineShape = 0;
  readonly #lineNames = new Int32Array(maxLine);
  #lineNameCount = 0;
  #lineBreak = 0;
  /** The first two tokens and the last token of the line before, and the first two of this one. */
  #beforeFirst = 0;
  #beforeSecond = 0;
  #first = 0;
  #second = 0;
  #beforeLast = 0;
  /** Open brackets: the text before each, which one it is, and the commas since. */
  readonly #heads = new Int32Array(maxDepth);
  readonly #brackets = new Int32Array(maxDepth);
  readonly #commas = new Int32Array(maxDepth);
  /** Which of the open brackets lead from a string into code. */
  readonly #templates = new Uint8Array(maxDepth);
  #depth = 0;
  /** What stood before the bracket that was closed last. */
  #closedHead = 0;
  /**
   * What each name of the document was declared as: its type, or what its first value was made by.
   */
  #declared: ReadonlyMap<number, number> = new Map();
  /** Declarations read since {@link settle}: few, so that a copy of them is cheap. */
  #declaredSince = new Map<number, number>();
  #assigning = 0;
  /** The indentation, in steps, and what the latest line at each indentation began with. */
  #level = 0;
  readonly #lineHeads = new Int32Array(maxDepth);
  #beforeShape = 0;
  /** The first two tokens of the line after the place, as far as known. */
  #nextFirst = 0;
  #nextSecond = 0;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Forgets everything: the start of a document. */
  reset(): void {
    this.#hash.fill(0);
    this.#kind.fill(0);
    this.#at = 0;
    this.last = 0;
    this.#lineExact = this.#lineShape = this.#lineNameCount = this.#lineBreak = this.lineLength = 0;
    this.#first = this.#second = this.#beforeFirst = this.#beforeSecond = this.#beforeLast = 0;
    this.#nextFirst = this.#nextSecond = 0;
    this.#depth = 0;
    this.#closedHead = this.#assigning = this.#level = this.#beforeShape = 0;
    this.#declared = new Map();
    this.#declaredSince = new Map();
    this.#lineHeads.fill(0);
    this.inString = this.inComment = this.inImport = this.#longString = this.#longComment = false;
  }

  /** Becomes a copy of `other`. */
  copy(other: ContextWalker): void {
    this.#hash.set(other.#hash);
    this.#kind.set(other.#kind);
    this.#at = other.#at;
    this.last = other.last;
    this.lineLength = other.lineLength;
    this.#lineExact = other.#lineExact;
    this.#lineShape = other.#lineShape;
    this.#lineNames.set(other.#lineNames);
    this.#lineNameCount = other.#lineNameCount;
    this.#lineBreak = other.#lineBreak;
    this.#beforeFirst = other.#beforeFirst;
    this.#beforeSecond = other.#beforeSecond;
    this.#first = other.#first;
    this.#second = other.#second;
    this.#beforeLast = other.#beforeLast;
    this.#heads.set(other.#heads);
    this.#brackets.set(other.#brackets);
    this.#commas.set(other.#commas);
    this.#depth = other.#depth;
    this.#nextFirst = other.#nextFirst;
    this.#nextSecond = other.#nextSecond;
    this.#closedHead = other.#closedHead;
    this.#declared = other.#declared;
    if (this.#declaredSince.size > 0 || other.#declaredSince.size > 0) {
      this.#declaredSince = new Map(other.#declaredSince);
    }
    this.#assigning = other.#assigning;
    this.#level = other.#level;
    this.#lineHeads.set(other.#lineHeads);
    this.#beforeShape = other.#beforeShape;
    this.inString = other.inString;
    this.inComment = other.inComment;
    this.inImport = other.inImport;
    this.#longString = other.#longString;
    this.#longComment = other.#longComment;
    this.#templates.set(other.#templates);
  }

  /** Makes copies cheap from here on. */
  settle(): void {
    this.#declared = new Map([...this.#declared, ...this.#declaredSince]);
    this.#declaredSince = new Map();
  }

  /** Sets the first tokens of the next line: two ids, 0 where there is none. */
  setNextLine(first: number, second: number): void {
    const hashes = this.#vocabulary.hashes;
    this.#nextFirst = first === 0 ? 0 : hashes[first]!;
    this.#nextSecond = second === 0 ? 0 : hashes[second]!;
  }

  /** Reads the token `id`. */
  push(id: number): void {
    const vocabulary = this.#vocabulary;
    this.pushText(id, vocabulary.hashes[id]!, vocabulary.kinds[id]!, vocabulary.names[id]!);
  }

  /** Reads a token that may not be in the vocabulary. */
  pushText(id: number, hash: number, kind: number, text: string): void {
    if (kind === TokenKind.newline) {
      this.#beforeFirst = this.#first;
      this.#beforeSecond = this.#second;
      this.#beforeLast = this.#hash[(this.#at - 1) & 15]!;
      this.#first = this.#second = 0;
      if (!this.#longString) this.inString = false;
      if (!this.#longComment) this.inComment = false;
      if (this.#depth === 0) this.inImport = false;
      this.#lineBreak = hash;
      this.#beforeShape = this.#lineShape;
      this.#level = Math.max(0, Math.min(maxDepth - 1, this.#level + newlineSteps(id)));
      this.#assigning = 0;
      this.#lineExact = this.#lineShape = 0;
      this.#lineNameCount = 0;
      this.lineLength = 0;
    } else {
      if (this.lineLength === 0) this.#lineHeads[this.#level] = this.#first = hash;
      else if (this.lineLength === 1) {
        this.#second = hash;
        this.#lineHeads[this.#level] = mix(this.#first, hash);
      }
      this.#declare(hash, kind, text);
      this.#enter(kind, text);
      if (this.lineLength < maxLine) this.lineLength++;
      this.#lineExact = mix(this.#lineExact, hash);
      this.#lineShape = mix(this.#lineShape, this.#shapeInLine(hash, kind));
      if (kind === TokenKind.open) {
        if (this.#depth < maxDepth) {
          this.#heads[this.#depth] = this.#hash[(this.#at - 1) & 15]!;
          this.#brackets[this.#depth] = hash;
          this.#commas[this.#depth] = 0;
          this.#templates[this.#depth] = text === "${" ? 1 : 0;
          if (text === "${") this.inString = false;
        }
        this.#depth++;
      } else if (kind === TokenKind.close) {
        if (this.#depth > 0) {
          this.#depth--;
          if (this.#depth < maxDepth) {
            this.#closedHead = this.#heads[this.#depth]!;
            if (this.#templates[this.#depth] === 1) this.inString = this.#longString = true;
          }
        }
      } else if (text === "," && this.#depth > 0 && this.#depth <= maxDepth) {
        this.#commas[this.#depth - 1]!++;
      }
    }
    this.#hash[this.#at] = hash;
    this.#kind[this.#at] = kind;
    this.#at = (this.#at + 1) & 15;
    this.last = id;
  }

  /** Computes {@link hashes} for the place reached. */
  look(): void {
    this.lookFar();
    const hashes = this.hashes;
    const ring = this.#hash;
    const at = this.#at;
    const t1 = ring[(at - 1) & 15]!;
    const t2 = ring[(at - 2) & 15]!;
    const three = mix(mix(mix(0x51ed270b, t1), t2), ring[(at - 3) & 15]!);
    hashes[1] = finish(three + 1);
    hashes[5] = finish(mix(mix(mix(this.#lineExact, this.#beforeFirst), this.#beforeSecond), this.#beforeLast) + 5);
    const receiver =
      this.#kind[(at - 2) & 15] === TokenKind.close
        ? mix(this.#closedHead, t2)
        : (this.#declaredSince.get(t2) ?? this.#declared.get(t2) ?? t2);
    hashes[8] = finish(mix(mix(receiver, t1), 8));
    hashes[9] = finish(mix(t1, 9));
    hashes[10] = finish(mix(mix(this.#lineExact, this.#level > 0 ? this.#lineHeads[this.#level - 1]! : 0), 10));
    let nine = three;
    for (let i = 4; i <= 9; i++) nine = mix(nine, ring[(at - i) & 15]!);
    hashes[12] = finish(nine + 12);
  }

  /** Computes {@link hashes} of {@link farContexts} alone, which takes less time. */
  lookFar(): void {
    const hashes = this.hashes;
    const ring = this.#hash;
    const at = this.#at;
    const t1 = ring[(at - 1) & 15]!;
    const two = mix(mix(0x51ed270b, t1), ring[(at - 2) & 15]!);
    const three = mix(two, ring[(at - 3) & 15]!);
    hashes[0] = finish(two);
    hashes[2] = finish(mix(mix(three, ring[(at - 4) & 15]!), ring[(at - 5) & 15]!) + 2);
    hashes[3] = finish(this.#shape() + 3);
    hashes[4] = finish(mix(this.#lineShape, this.#lineBreak) + 4);
    hashes[6] = finish(mix(mix(two, this.#nextFirst), this.#nextSecond) + 6);
    const depth = Math.min(this.#depth, maxDepth) - 1;
    hashes[7] =
      depth < 0
        ? finish(mix(two, 7))
        : finish(mix(mix(mix(this.#heads[depth]!, this.#brackets[depth]!), Math.min(this.#commas[depth]!, 7)), t1) + 7);
    hashes[11] = finish(mix(mix(this.#lineShape, this.#beforeShape), 11));
    hashes[13] = finish(mix(mix(mix(this.#lineShape, this.#nextFirst), this.#nextSecond), 13));
  }

  /** Follows declarations such as `name: Type` and `name = await new Maker(`. */
  #declare(hash: number, kind: number, text: string): void {
    if (text === "=" || text === ":=" || text === ":") {
      // The type of an optional name comes after a question mark.
      const back = this.#vocabulary.names[this.last] === "?" ? 2 : 1;
      const slot = (this.#at - back) & 15;
      this.#assigning = this.#kind[slot] === TokenKind.name ? this.#hash[slot]! : 0;
    } else if (kind === TokenKind.name) {
      if (this.#assigning !== 0) this.#declaredSince.set(this.#assigning, hash);
    } else if (text !== "." && text !== "new" && text !== "await" && text !== "const") {
      this.#assigning = 0;
    }
  }

  /** Follows strings, comments and imports. */
  #enter(kind: number, text: string): void {
    if (kind === TokenKind.quoteOpen) {
      this.inString = true;
      this.#longString = text.length > 1 || text === "`";
    } else if (kind === TokenKind.quoteClose) this.inString = false;
    else if (kind === TokenKind.lineComment || kind === TokenKind.commentOpen) {
      this.inComment = true;
      this.#longComment = kind === TokenKind.commentOpen;
    } else if (kind === TokenKind.commentClose) this.inComment = false;
    else if (this.lineLength === 0 && this.#depth === 0) {
      this.inImport = text === "import" || text === "from" || text === "use";
    }
  }

  #shapeInLine(hash: number, kind: number): number {
    if (kind === TokenKind.number) return 77;
    if (kind !== TokenKind.name) return hash;
    const names = this.#lineNames;
    for (let i = 0; i < this.#lineNameCount; i++) if (names[i] === hash) return 1000 + i;
    if (this.#lineNameCount < maxLine) names[this.#lineNameCount++] = hash;
    return 999;
  }

  /** The last tokens with every name replaced by where it stood first among them. */
  #shape(): number {
    const ring = this.#hash;
    const kinds = this.#kind;
    const at = this.#at;
    let result = 0x2545f491;
    for (let i = 1; i <= shapeWidth; i++) {
      const slot = (at - i) & 15;
      const kind = kinds[slot]!;
      let code = ring[slot]!;
      if (kind === TokenKind.number) code = 77;
      else if (kind === TokenKind.name) {
        let j = 1;
        while (j < i && ring[(at - j) & 15] !== code) j++;
        code = 100 + j;
      }
      result = mix(result, code);
    }
    return result;
  }
}

function mix(hash: number, value: number): number {
  hash = Math.imul(hash ^ value, 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

function finish(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return hash ^ (hash >>> 16);
}
