import { countsOf, detectLineEnding, diffSequences, sameEnds } from "../../../text/index.ts";
import type { NextEditContext } from "../next-edit-provider.ts";
import { type EditedLines, editedFiles } from "./changed-texts.ts";

/** A word of a text and its offset. */
interface PlacedWord {
  readonly word: string;
  readonly start: number;
}

/** A word that replaces another one. */
export interface ReplacedWord {
  readonly before: PlacedWord;
  readonly after: PlacedWord;
  /** The share of the surrounding lines that stayed, in [0, 1]; replaced words count as kept. */
  readonly kept: number;
}

/** The words that edited lines lost and gained. */
export interface WordChanges {
  /** Words that replace others, with the same number of signs around them as before. */
  readonly replaced: readonly ReplacedWord[];
  /** Words that were removed and words that were added, without a counterpart. */
  readonly gone: readonly PlacedWord[];
  readonly come: readonly PlacedWord[];
  /** Words that stayed, where an alias was added or removed: present offsets to previous ones. */
  readonly stayed: ReadonlyMap<number, number>;
  /**
   * Whether a name was added beside another one or removed from there, with a `:` or an `as`
   * between them.
   */
  readonly isAlias: boolean;
  /** Whether words were replaced and nothing else was changed. */
  readonly isWhole: boolean;
}

/**
 * Compares edited lines word by word, without white space. `lineBreak` is the line ending of the
 * file. Offsets refer to the whole texts.
 */
export function wordChanges(lines: EditedLines, lineBreak: string): WordChanges {
  const edit = nearChange(lines);
  const before = wordsOf(edit.before, edit.beforeStart, lineBreak.length);
  const after = wordsOf(edit.after, edit.afterStart, lineBreak.length);
  const pairs: { readonly before: LineWord; readonly after: LineWord }[] = [];
  const gone: LineWord[] = [];
  const come: LineWord[] = [];
  let isAlias = false;
  const lost = { before: new Map<number, number>(), after: new Map<number, number>() };
  const changes = diffSequences(
    before.map(({ word }) => word),
    after.map(({ word }) => word),
  );
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of changes) {
    const old = before.slice(beforeStart, beforeEnd);
    const now = after.slice(afterStart, afterEnd);
    isAlias ||= isAliasOf(old.length === 0 ? now : now.length === 0 ? old : []);
    if (
      old.length === now.length &&
      old.every((one, i) => one.word === now[i]!.word || (isName(one) && isName(now[i]!)))
    ) {
      for (const [i, one] of old.entries()) if (one.word !== now[i]!.word) pairs.push({ before: one, after: now[i]! });
      continue;
    }
    for (const { line } of old) lost.before.set(line, (lost.before.get(line) ?? 0) + 1);
    for (const { line } of now) lost.after.set(line, (lost.after.get(line) ?? 0) + 1);
    const names = { old: old.filter(isName), now: now.filter(isName) };
    if (names.old.length === 1 && names.now.length === 1 && names.old[0]!.word !== names.now[0]!.word) {
      pairs.push({ before: names.old[0]!, after: names.now[0]! });
    } else {
      gone.push(...names.old);
      come.push(...names.now);
    }
  }
  /** The number of words and signs of each line. */
  const lengths = { before: countsOf(before.map(({ line }) => line)), after: countsOf(after.map(({ line }) => line)) };
  const replaced = pairs.map((pair): ReplacedWord => {
    const all = lengths.before.get(pair.before.line)! + lengths.after.get(pair.after.line)!;
    const changed = (lost.before.get(pair.before.line) ?? 0) + (lost.after.get(pair.after.line) ?? 0);
    return { ...pair, kept: 1 - changed / all };
  });
  // Only for an alias must the words that stayed be known.
  const stayed = isAlias ? placesOf(changes, before, after) : none;
  return { replaced, gone, come, stayed, isAlias, isWhole: lost.before.size === 0 && lost.after.size === 0 };
}

/**
 * The length, in UTF-16 units, from which a line is compared near its change only, as in a minified
 * file.
 */
const maxLineLength = 20_000;
/** The UTF-16 units on either side of the change that are compared. */
const sideLength = 2_000;

/** Returns the part of a very long line that is near its change. */
function nearChange(edit: EditedLines): EditedLines {
  const [before = "", ...linesBefore] = edit.before;
  const [after = "", ...linesAfter] = edit.after;
  if (linesBefore.length + linesAfter.length > 0 || before.length < maxLineLength) return edit;
  const { front, back } = sameEnds(before, after);
  const start = Math.max(0, front - sideLength);
  const cut = Math.max(0, back - sideLength);
  return {
    ...edit,
    ...{ before: [before.slice(start, before.length - cut)], beforeStart: edit.beforeStart + start },
    ...{ after: [after.slice(start, after.length - cut)], afterStart: edit.afterStart + start },
  };
}

const none: ReadonlyMap<number, number> = new Map();

/** Returns the present offsets of words that stayed, with their previous ones. */
function placesOf(
  changes: ReturnType<typeof diffSequences>,
  before: readonly PlacedWord[],
  after: readonly PlacedWord[],
): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  let [from, to] = [0, 0];
  for (const change of [...changes, undefined]) {
    const { beforeStart = before.length, beforeEnd = before.length, afterEnd = after.length } = change ?? {};
    for (; from < beforeStart; from++, to++) places.set(after[to]!.start, before[from]!.start);
    [from, to] = [beforeEnd, afterEnd];
  }
  return places;
}

function isAliasOf(words: readonly PlacedWord[]): boolean {
  const [first, second, ...others] = words.map(({ word }) => word);
  const marks = [":", "as"];
  return others.length === 0 && (marks.includes(first ?? "") || marks.includes(second ?? ""));
}

/** A word with the index of its line. */
interface LineWord extends PlacedWord {
  readonly line: number;
}

function wordsOf(lines: readonly string[], offset: number, breakLength: number): LineWord[] {
  const words: LineWord[] = [];
  let start = offset;
  for (const [line, text] of lines.entries()) {
    for (const match of text.matchAll(wordOrSign)) words.push({ word: match[0], start: start + match.index, line });
    start += text.length + breakLength;
  }
  return words;
}

const wordOrSign = /#?[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*|[\p{N}][\p{ID_Continue}.]*|[^\s]/gu;

function isName({ word }: PlacedWord): boolean {
  return /^#?[\p{ID_Start}_$]/u.test(word);
}

/**
 * Returns the names that recent edits replaced by others without any other change beside them: old
 * names to new ones, the latest where several were written.
 *
 * An edit of a single word is a rename however different the names are; a commit shows only the end
 * result, which is weaker evidence.
 */
export function replacedNames(context: NextEditContext): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { text, edits } of editedFiles(context)) {
    const lineBreak = detectLineEnding(text) ?? "\n";
    for (const edit of edits) {
      const { replaced, isWhole } = wordChanges(edit, lineBreak);
      if (!isWhole) continue;
      const pairs = new Map(replaced.map(({ before, after }) => [before.word, after.word]));
      const [pair] = pairs;
      if (pairs.size === 1 && pair !== undefined && !names.has(pair[0])) names.set(...pair);
    }
  }
  return names;
}
