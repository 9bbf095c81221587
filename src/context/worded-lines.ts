import { hashFactor, hashSeed, maxWordLength, type WordTable } from "./word-table.ts";

/**
 * What counts as a word.
 *
 * `plain`: every run of ASCII letters and digits, as it is written, without the {@link stopWords}.
 * `identifiers`: every identifier as it is written, and its parts in lower case, split at
 * underscores and where case changes: `parseURLPart` is itself, `parse`, `url` and `part`. Numbers
 * and single characters are none.
 *
 * A table holds words of one kind.
 */
export type WordKind = "plain" | "identifiers";

/** The lines of a text and the words on each, as numbers of a {@link WordTable}. */
export interface WordedLines {
  /** How many lines there are, at least 1; the text may go on behind them where it was clipped. */
  readonly count: number;
  /**
   * Where each line begins in the text, in UTF-16 units, and behind the last the end of what was
   * read.
   */
  readonly offsets: Uint32Array;
  /** Where each line's words begin in `words`, and behind the last how many there are. */
  readonly starts: Uint32Array;
  /** The words of all lines, in the order of the text, as often as they stand there. */
  readonly words: Int32Array;
}

/** Options of {@link wordLines}. */
export interface WordLinesOptions {
  readonly kind: WordKind;
  /** How much of the text is read at most, in UTF-16 units, to the end of a line; default: all. */
  readonly maxCharacters?: number;
  /**
   * Leaves out the words that the table does not have yet, so that looking something up adds
   * nothing to it.
   */
  readonly knownOnly?: boolean;
}

/**
 * The lines of a text and their words, in one pass. Lines end as everywhere in Emend: with `\n`,
 * `\r\n` or `\r`.
 *
 * A first line longer than `maxCharacters` is read as far as that.
 */
export function wordLines(text: string, table: WordTable, options: WordLinesOptions): WordedLines {
  const { kind, maxCharacters = Number.POSITIVE_INFINITY, knownOnly = false } = options;
  const isPlain = kind === "plain";
  const stopCount = isPlain ? internStopWords(table) : 0;
  const classes = isPlain ? plainClasses : identifierClasses;
  wordCount = 0;
  lineCount = 0;
  beginLine(0);
  const end = Math.min(text.length, maxCharacters);
  let at = 0;
  while (at < end) {
    const code = text.charCodeAt(at);
    const what: number = code < 128 ? classes[code]! : !isPlain && isWordBeyondAscii(code) ? lower : other;
    if (what === other) {
      at++;
      if (code === 10 || (code === 13 && text.charCodeAt(at) !== 10)) beginLine(at);
      continue;
    }
    let length = 0;
    let kinds = 0;
    let hash = seed;
    let next = what;
    let unit = code;
    do {
      if (length < longest) units[length] = unit;
      kinds |= next;
      hash = Math.imul(hash ^ unit, factor);
      length++;
      unit = text.charCodeAt(at + length);
      next = unit < 128 ? classes[unit]! : !isPlain && isWordBeyondAscii(unit) ? lower : other;
    } while (next !== other && at + length < end);
    at += length;
    if (length > longest) continue;
    if (isPlain) {
      const id = knownOnly ? table.find(units, 0, length, hash) : table.intern(units, 0, length, hash);
      if (id >= stopCount) push(id);
    } else if (length > 1 && what !== digit && (kinds & (lower | upper)) !== 0) {
      const id = knownOnly ? table.find(units, 0, length, hash) : table.intern(units, 0, length, hash);
      if (id >= 0) push(id);
      // What is all small letters, or small letters and digits, has no other parts.
      if ((kinds & (upper | joint)) !== 0) addParts(table, id, length, knownOnly);
    }
  }
  // A clipped text ends where its last line would begin, unless it has only one.
  if (end === text.length || lineCount === 1) beginLine(end);
  else wordCount = starts[lineCount - 1]!;
  return {
    count: lineCount - 1,
    offsets: offsets.slice(0, lineCount),
    starts: starts.slice(0, lineCount),
    words: words.slice(0, wordCount),
  };
}

/**
 * Adds the parts of the identifier in {@link units}, in lower case, which are longer than one
 * character. A table keeps the parts of each of its words once they were found.
 */
function addParts(table: WordTable, id: number, length: number, knownOnly: boolean): void {
  const count = id < 0 ? -1 : table.partCount(id);
  for (let i = 0; i < count; i++) push(table.part(id, i));
  if (count >= 0) return;
  const first = wordCount;
  let start = 0;
  for (let i = 1; i <= length; i++) {
    if (i < length && !isBorder(i, length)) continue;
    if (lowerPart(start, i, length)) {
      const found = knownOnly ? table.find(part, 0, i - start) : table.intern(part, 0, i - start);
      if (found >= 0) push(found);
    }
    start = i;
  }
  if (!knownOnly) table.setParts(id, words.subarray(first, wordCount));
}

/** Whether a part of the identifier in {@link units} begins at `i`. */
function isBorder(i: number, length: number): boolean {
  const before = classOf(units[i - 1]!);
  const here = classOf(units[i]!);
  if (here === joint || before === joint) return true;
  if (here !== upper) return false;
  // `URLPart`: the last capital of a run begins the next part.
  return before !== upper || (i + 1 < length && classOf(units[i + 1]!) === lower);
}

/**
 * Writes a part of {@link units} in lower case to {@link part}, and returns whether it is one to
 * add.
 */
function lowerPart(start: number, end: number, length: number): boolean {
  const kind = classOf(units[start]!);
  if (end - start < 2 || kind === joint || kind === digit) return false;
  let changed = end - start < length;
  for (let i = start; i < end; i++) {
    const isUpper = classOf(units[i]!) === upper;
    part[i - start] = isUpper ? units[i]! | 32 : units[i]!;
    changed ||= isUpper;
  }
  return changed;
}

function classOf(unit: number): number {
  return unit < 128 ? identifierClasses[unit]! : lower;
}

// Flags, so that what a word is made of can be gathered.
const other = 0;
const lower = 1;
const upper = 2;
const digit = 4;
const joint = 8;
const identifierClasses = Uint8Array.from({ length: 128 }, (_, code) => {
  const text = String.fromCharCode(code);
  if (/[a-z]/.test(text)) return lower;
  if (/[A-Z]/.test(text)) return upper;
  return /[0-9]/.test(text) ? digit : /[_$]/.test(text) ? joint : other;
});
const plainClasses = identifierClasses.map((one) => (one === joint ? other : one));

/**
 * Letters beyond ASCII; general punctuation and its neighbours are not, halves of surrogate pairs
 * are.
 */
function isWordBeyondAscii(code: number): boolean {
  return code >= 0xaa && !(code >= 0x2000 && code <= 0x2bff) && !(code >= 0x3000 && code <= 0x303f) && code !== 0xfeff;
}

// Room that every call uses again: nothing in here is reentrant.
// Copies, since reading another module's constant costs a call in some bundles.
const [longest, seed, factor] = [maxWordLength, hashSeed, hashFactor];
const units = new Uint16Array(longest);
const part = new Uint16Array(longest);
let offsets = new Uint32Array(1 << 10);
let starts = new Uint32Array(1 << 10);
let lineCount = 0;
let words = new Int32Array(1 << 12);
let wordCount = 0;

function beginLine(offset: number): void {
  if (lineCount === offsets.length) {
    offsets = doubled(offsets, new Uint32Array(lineCount * 2));
    starts = doubled(starts, new Uint32Array(lineCount * 2));
  }
  offsets[lineCount] = offset;
  starts[lineCount++] = wordCount;
}

function push(word: number): void {
  if (wordCount === words.length) words = doubled(words, new Int32Array(wordCount * 2));
  words[wordCount++] = word;
}

function doubled<T extends { set(values: ArrayLike<number>): void }>(from: T & ArrayLike<number>, to: T): T {
  to.set(from);
  return to;
}

/**
 * Gives the stop words the first ids of a table that only plain words are put into, and answers how
 * many they are.
 */
function internStopWords(table: WordTable): number {
  if (table.size === 0) {
    for (const word of stopWords) {
      for (let i = 0; i < word.length; i++) units[i] = word.charCodeAt(i);
      table.intern(units, 0, word.length);
    }
  }
  return stopWords.length;
}

/**
 * Words that say nothing about what code does: those of English, and those of many languages'
 * grammars.
 */
const stopWords: readonly string[] = `a about above after again all an and any are as at be because been before being
  below between both but by can did do does doing don down during each few from further had has have having here how
  if in into is it its just more most no not now of off on once only or other our out over own s same should so some
  such t than that the their them then there these they this those through to too under until up very was we were what
  when where which while who why will with would you
  TODO assert break case catch class const continue def else enum finally for function import match new raise repeat
  return static struct super switch try var`.split(/\s+/);
