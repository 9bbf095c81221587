import { getOrInsert } from "../../text/index.ts";
import { characterSet, otherCharacters, unicodeProperty, whiteSpace } from "./character-set.ts";
import type { CharacterSet, Pattern } from "./pattern.ts";

/** The highest count of a repetition. */
const maxCount = 1000;
/** The deepest nesting of groups. */
const maxDepth = 200;

const digits: CharacterSet = [0x30, 0x39];
const wordCharacters: CharacterSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
const defaultLineEnds: CharacterSet = [0x0a, 0x0a, 0x0d, 0x0d];

/**
 * A pattern, or what is wrong with it and where: `offset` is in UTF-16 code units of the source.
 */
export type ParsedPattern = { readonly pattern: Pattern } | { readonly error: string; readonly offset: number };

/** The characters of `\d`, `\w` and `\s`. */
export interface CharacterClasses {
  readonly digits: CharacterSet;
  readonly word: CharacterSet;
  readonly space: CharacterSet;
}

const asciiClasses: CharacterClasses = { digits, word: wordCharacters, space: whiteSpace };

/**
 * Reads a pattern in the notation of regular expressions; see "Tokens" in
 * `docs/grammar-notation.md`.
 *
 * `source` is the text between the slashes. `fragments` are the patterns that may be named as
 * `{Name}`; `lineEnds` is what `.` does not match, `\n` and `\r` by default. `classes` are `\d` and
 * `\w` of ASCII and JavaScript's `\s` by default. An invalid `source`, groups that nest over 200
 * deep, and a count above 1,000 do not throw: the result has `error` and `offset` then.
 *
 * The result is in normal form: a sequence has no sequence, and a choice no choice, as an item;
 * both have at least two items; adjacent literal characters are one text; the empty pattern is a
 * sequence without items. Law: `parsePattern(printPattern(p))` equals `p` for each `p` that was
 * parsed.
 */
export function parsePattern(
  source: string,
  fragments?: ReadonlyMap<string, Pattern>,
  lineEnds: CharacterSet = defaultLineEnds,
  classes: CharacterClasses = asciiClasses,
): ParsedPattern {
  const reader = new PatternReader(source, fragments ?? new Map(), lineEnds, classes);
  try {
    return { pattern: reader.whole() };
  } catch (fault) {
    if (fault instanceof PatternFault) return { error: fault.message, offset: fault.offset };
    throw fault;
  }
}

/** How a notation of regular expressions writes characters. */
export interface PatternCharacters {
  /** A character outside of sets, by its code point. */
  readonly character: (code: number) => string;
  readonly set: (set: CharacterSet) => string;
}

const ownCharacters: PatternCharacters = {
  character: (code) => printCharacter(code, false),
  set: printCharacters,
};

/**
 * A pattern as a regular expression, without slashes around it; by default in the notation that
 * `parsePattern` reads.
 */
export function printPattern(pattern: Pattern, characters: PatternCharacters = ownCharacters): string {
  const print = (part: Pattern): string => printPattern(part, characters);
  switch (pattern.kind) {
    case "characters":
      return characters.set(pattern.set);
    case "text":
      return Array.from(pattern.text, (character) => characters.character(character.codePointAt(0)!)).join("");
    case "sequence":
      return pattern.items.map((item) => (item.kind === "choice" ? `(${print(item)})` : print(item))).join("");
    case "choice":
      return pattern.items.map(print).join("|");
    case "repeat": {
      const { item } = pattern;
      const isOne = item.kind === "characters" || (item.kind === "text" && isOneCharacter(item.text));
      return (isOne ? print(item) : `(${print(item)})`) + printCount(pattern);
    }
  }
}

/** The postfix operator of a repetition, such as `*` or `{2,3}`. */
export function printCount({ min, max }: { readonly min: number; readonly max: number }): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

/** The sequence of `items`, in normal form. No items make the empty pattern. */
export function sequenceOf(items: readonly Pattern[]): Pattern {
  const joined: Pattern[] = [];
  for (const item of items.flatMap((item) => (item.kind === "sequence" ? item.items : [item]))) {
    const last = joined.at(-1);
    if (item.kind === "text" && item.text === "") continue;
    if (item.kind === "text" && last?.kind === "text") {
      joined[joined.length - 1] = { kind: "text", text: last.text + item.text };
    } else joined.push(item);
  }
  return joined.length === 1 ? joined[0]! : { kind: "sequence", items: joined };
}

/**
 * The choice between `items`, with nested choices flattened; a single item is returned itself. A
 * choice of no items matches nothing.
 */
export function choiceOf(items: readonly Pattern[]): Pattern {
  const flat = items.flatMap((item) => (item.kind === "choice" ? item.items : [item]));
  return flat.length === 1 ? flat[0]! : { kind: "choice", items: flat };
}

const depths = new WeakMap<Pattern, number>();

/** The depth of a pattern's tree; 1 for a leaf. */
function depthOf(pattern: Pattern): number {
  if (pattern.kind === "characters" || pattern.kind === "text") return 1;
  return getOrInsert(depths, pattern, () => {
    const parts = pattern.kind === "repeat" ? [pattern.item] : pattern.items;
    return 1 + parts.reduce((deepest, part) => Math.max(deepest, depthOf(part)), 0);
  });
}

class PatternFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

class PatternReader {
  readonly #source: string;
  readonly #fragments: ReadonlyMap<string, Pattern>;
  readonly #lineEnds: CharacterSet;
  readonly #classes: CharacterClasses;
  #offset = 0;
  #depth = 0;

  constructor(
    source: string,
    fragments: ReadonlyMap<string, Pattern>,
    lineEnds: CharacterSet,
    classes: CharacterClasses,
  ) {
    this.#classes = classes;
    this.#source = source;
    this.#fragments = fragments;
    this.#lineEnds = lineEnds;
  }

  whole(): Pattern {
    const pattern = this.#choice();
    if (this.#offset < this.#source.length) this.#fail("`)` closes no group; write `\\)` for the character");
    return pattern;
  }

  #choice(): Pattern {
    const items = [this.#sequence()];
    while (this.#take("|")) items.push(this.#sequence());
    return choiceOf(items);
  }

  #sequence(): Pattern {
    const items: Pattern[] = [];
    while (this.#offset < this.#source.length && !this.#sees("|") && !this.#sees(")")) items.push(this.#counted());
    return sequenceOf(items);
  }

  #counted(): Pattern {
    const item = this.#item();
    const count = this.#count();
    if (count === undefined) return item;
    const start = this.#offset;
    if (this.#count() !== undefined) this.#fail("A repetition follows another; put the first in a group", start);
    return count[0] === 1 && count[1] === 1 ? item : { kind: "repeat", item, min: count[0], max: count[1] };
  }

  #count(): readonly [min: number, max: number] | undefined {
    if (this.#take("?")) return [0, 1];
    if (this.#take("*")) return [0, Number.POSITIVE_INFINITY];
    if (this.#take("+")) return [1, Number.POSITIVE_INFINITY];
    const start = this.#offset;
    const counted = this.#match(/\{(\d+)(,(\d*))?\}/y);
    if (counted === undefined) return undefined;
    const min = Number(counted[1]);
    const max = counted[2] === undefined ? min : counted[3] === "" ? Number.POSITIVE_INFINITY : Number(counted[3]);
    if (max < min) this.#fail("The larger number of a count comes last", start);
    if (min > maxCount || (max > maxCount && max !== Number.POSITIVE_INFINITY)) {
      this.#fail(`A count goes up to ${maxCount}`, start);
    }
    return [min, max];
  }

  #item(): Pattern {
    const start = this.#offset;
    switch (this.#source[start]) {
      case "(":
        return this.#group();
      case "[":
        return { kind: "characters", set: this.#class() };
      case "{":
        return this.#fragment();
      case ".":
        this.#offset += 1;
        return { kind: "characters", set: otherCharacters(this.#lineEnds) };
      case "\\": {
        const escaped = this.#escape();
        return typeof escaped === "number"
          ? { kind: "text", text: String.fromCodePoint(escaped) }
          : { kind: "characters", set: escaped };
      }
      case "^":
      case "$":
        return this.#fail(`There are no anchors; write \`\\${this.#source[start]}\` for the character`);
      case "?":
      case "*":
      case "+":
        return this.#fail(
          `Nothing stands before \`${this.#source[start]}\` to repeat; write \`\\${this.#source[start]}\` for the character`,
        );
      case "]":
      case "}":
        return this.#fail(
          `\`${this.#source[start]}\` closes nothing; write \`\\${this.#source[start]}\` for the character`,
        );
      default:
        return { kind: "text", text: String.fromCodePoint(this.#character()) };
    }
  }

  #group(): Pattern {
    const start = this.#offset;
    this.#offset += 1;
    if (this.#sees("?") && this.#match(/\?:/y) === undefined) {
      this.#fail(
        "There is no look-around and there are no named groups; `(?:` is the only group that begins with `(?`",
        start,
      );
    }
    this.#depth += 1;
    if (this.#depth > maxDepth) this.#fail(`Groups nest up to ${maxDepth} deep`, start);
    const pattern = this.#choice();
    this.#depth -= 1;
    if (!this.#take(")")) this.#fail("The group is never closed; write `\\(` for the character", start);
    return pattern;
  }

  #fragment(): Pattern {
    const start = this.#offset;
    const name = this.#match(/\{([\p{ID_Start}_][\p{ID_Continue}_]*)\}/uy)?.[1];
    if (name === undefined) {
      return this.#fail(
        "`{` is followed by no count after an item and no name of a fragment; write `\\{` for the character",
      );
    }
    const fragment = this.#fragments.get(name) ?? this.#fail(`There is no fragment called ${name}`, start);
    if (this.#depth + depthOf(fragment) > maxDepth) this.#fail(`Groups nest up to ${maxDepth} deep`, start);
    return fragment;
  }

  #class(): CharacterSet {
    const start = this.#offset;
    this.#offset += 1;
    const negated = this.#take("^");
    const ranges: number[] = [];
    while (!this.#take("]")) {
      if (this.#offset >= this.#source.length)
        this.#fail("The class is never closed; write `\\[` for the character", start);
      const rangeStart = this.#offset;
      const first = this.#member();
      if (!this.#sees("-") || this.#source[this.#offset + 1] === "]") {
        ranges.push(...(typeof first === "number" ? [first, first] : first));
        continue;
      }
      this.#offset += 1;
      if (this.#offset >= this.#source.length)
        this.#fail("The class is never closed; write `\\[` for the character", start);
      const last = this.#member();
      if (typeof first !== "number" || typeof last !== "number") {
        return this.#fail("A range goes from one character to another; write `\\-` for the character", rangeStart);
      }
      if (last < first) this.#fail("A range goes from the lower character to the higher one", rangeStart);
      ranges.push(first, last);
    }
    const set = characterSet(ranges);
    return negated ? otherCharacters(set) : set;
  }

  #member(): number | CharacterSet {
    return this.#sees("\\") ? this.#escape() : this.#character();
  }

  /** The character or class of an escape. */
  #escape(): number | CharacterSet {
    const start = this.#offset;
    this.#offset += 1;
    const letter = this.#source[this.#offset];
    if (letter === undefined)
      return this.#fail("The pattern ends in a backslash; write `\\\\` for the character", start);
    if (!/[0-9A-Za-z]/.test(letter)) return this.#character();
    this.#offset += 1;
    switch (letter) {
      case "n":
        return 0x0a;
      case "r":
        return 0x0d;
      case "t":
        return 0x09;
      case "v":
        return 0x0b;
      case "f":
        return 0x0c;
      case "0":
        if (!/[0-9]/.test(this.#source[this.#offset] ?? "")) return 0;
        break;
      case "x": {
        const code = this.#match(/[0-9a-fA-F]{2}/y);
        if (code === undefined) return this.#fail("`\\x` is followed by two hexadecimal digits", start);
        return Number.parseInt(code[0], 16);
      }
      case "u":
        return this.#unicodeEscape(start);
      case "p":
      case "P": {
        const name = this.#match(/\{([^{}]*)\}/y)?.[1];
        if (name === undefined)
          return this.#fail(`\`\\${letter}\` is followed by a property such as \`{ID_Start}\``, start);
        const set = unicodeProperty(name) ?? this.#fail(`There is no Unicode property called ${name}`, start);
        return letter === "p" ? set : otherCharacters(set);
      }
      case "d":
        return this.#classes.digits;
      case "D":
        return otherCharacters(this.#classes.digits);
      case "w":
        return this.#classes.word;
      case "W":
        return otherCharacters(this.#classes.word);
      case "s":
        return this.#classes.space;
      case "S":
        return otherCharacters(this.#classes.space);
      case "b":
      case "B":
        return this.#fail("There are no anchors, so no word boundaries either; `\\x08` is the backspace", start);
    }
    return this.#fail(
      /[0-9]/.test(letter) ? "There are no references back to groups" : `There is no escape \`\\${letter}\``,
      start,
    );
  }

  #unicodeEscape(start: number): number {
    const code = this.#match(/([0-9a-fA-F]{4})|\{([0-9a-fA-F]+)\}/y);
    if (code === undefined) return this.#fail("`\\u` is followed by four hexadecimal digits or by `{…}`", start);
    const character = Number.parseInt(code[1] ?? code[2]!, 16);
    if (character > 0x10ffff) return this.#fail("The last character is `\\u{10ffff}`", start);
    if (character < 0xd800 || character > 0xdfff) return character;
    // Two escapes may encode one character beyond the first plane, as in JavaScript.
    const low =
      code[1] !== undefined && character < 0xdc00 ? this.#match(/\\u([dD][c-fC-F][0-9a-fA-F]{2})/y) : undefined;
    if (low === undefined) return this.#fail("Half of a surrogate pair is no character", start);
    return 0x10000 + ((character - 0xd800) << 10) + (Number.parseInt(low[1]!, 16) - 0xdc00);
  }

  /** Reads the character at the offset. */
  #character(): number {
    const character = this.#source.codePointAt(this.#offset)!;
    if (character >= 0xd800 && character <= 0xdfff) this.#fail("Half of a surrogate pair is no character");
    this.#offset += character > 0xffff ? 2 : 1;
    return character;
  }

  #sees(text: string): boolean {
    return this.#source.startsWith(text, this.#offset);
  }

  #take(text: string): boolean {
    if (!this.#sees(text)) return false;
    this.#offset += text.length;
    return true;
  }

  /** Matches a sticky expression at the offset, and moves the offset behind the match. */
  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#offset;
    const match = expression.exec(this.#source);
    if (match === null) return undefined;
    this.#offset += match[0].length;
    return match;
  }

  #fail(message: string, offset = this.#offset): never {
    throw new PatternFault(message, offset);
  }
}

function isOneCharacter(text: string): boolean {
  return text !== "" && text.length === (text.codePointAt(0)! > 0xffff ? 2 : 1);
}

function printCharacters(set: CharacterSet): string {
  const others = otherCharacters(set);
  // A set that contains the last code point was most likely written as a complement.
  const negated = set.at(-1) === 0x10ffff;
  const ranges = negated ? others : set;
  let printed = "";
  for (let i = 0; i < ranges.length; i += 2) {
    const [first, last] = [ranges[i]!, ranges[i + 1]!];
    printed += printCharacter(first, true);
    if (last > first + 1) printed += "-";
    if (last > first) printed += printCharacter(last, true);
  }
  return `[${negated ? "^" : ""}${printed}]`;
}

const shortEscapes = new Map([
  [0x00, "\\x00"],
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0b, "\\v"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
]);

function printCharacter(character: number, inClass: boolean): string {
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  if (character < 0x20 || character === 0x7f) return `\\x${character.toString(16).padStart(2, "0")}`;
  if (character > 0x7f) return `\\u{${character.toString(16)}}`;
  const text = String.fromCharCode(character);
  return (inClass ? "\\]^-/" : "\\/^$.*+?()[]{}|").includes(text) ? `\\${text}` : text;
}
