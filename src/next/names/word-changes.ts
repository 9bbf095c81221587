import { diffSequences } from "../../text/index.ts";
import type { EditedLines } from "./edited-files.ts";

/** A word of a text and where it begins there. */
export interface PlacedWord {
  readonly word: string;
  readonly start: number;
}

/** A word that stands in the place of another one. */
export interface ReplacedWord {
  readonly before: PlacedWord;
  readonly after: PlacedWord;
  /** How much of the lines around it stayed, from 0 to 1; words that only stand in the place of others count as kept. */
  readonly kept: number;
}

/** Words that edited lines lost and got. */
export interface WordChanges {
  /** Words that stand in the place of others, with as many signs around them as before. */
  readonly replaced: readonly ReplacedWord[];
  /** Words that went, and words that came, of which nothing says what they stand for. */
  readonly gone: readonly PlacedWord[];
  readonly come: readonly PlacedWord[];
  /** Words that stayed, where an alias came or went: where each begins now, and where it did. */
  readonly stayed: ReadonlyMap<number, number>;
  /** Whether a name came to stand beside another one, or went from there: with a `:` or an `as` between them. */
  readonly isAlias: boolean;
  /** Whether words were replaced and nothing else was changed. */
  readonly isWhole: boolean;
}

/** Compares edited lines word by word; white space does not count. Offsets speak of the whole texts. */
export function wordChanges(edit: EditedLines, lineBreak: string): WordChanges {
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
  const lengths = { before: lineLengths(before), after: lineLengths(after) };
  const replaced = pairs.map((pair): ReplacedWord => {
    const all = lengths.before.get(pair.before.line)! + lengths.after.get(pair.after.line)!;
    const changed = (lost.before.get(pair.before.line) ?? 0) + (lost.after.get(pair.after.line) ?? 0);
    return { ...pair, kept: 1 - changed / all };
  });
  // Who asks what an alias stands for has to know what stayed.
  const stayed = isAlias ? placesOf(changes, before, after) : none;
  return { replaced, gone, come, stayed, isAlias, isWhole: lost.before.size === 0 && lost.after.size === 0 };
}

const none: ReadonlyMap<number, number> = new Map();

/** Where words that stayed begin now, and where they did. */
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

/** A word with the line that it stands on. */
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

/** How many words and signs each line has. */
function lineLengths(words: readonly LineWord[]): ReadonlyMap<number, number> {
  const lengths = new Map<number, number>();
  for (const { line } of words) lengths.set(line, (lengths.get(line) ?? 0) + 1);
  return lengths;
}
