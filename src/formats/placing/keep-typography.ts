import { diffSequences } from "../../text/index.ts";
import { oddCharacters, withPlainTypography } from "./line-keys.ts";

/**
 * Applies the change from `before` to `after` to the file's lines `own`, which equal `before` apart
 * from typography.
 *
 * Unchanged words and characters are taken from `own`, such as its curly quotes, whatever the
 * number of lines in `after`. They count as unchanged only where half of the words of one of both
 * lines are, or everything but the words is: quotes of a deleted comment are not those of new code.
 * A line of `own` that is `undefined` or differs in more than typography is not used.
 */
export function keepTypography(
  before: readonly string[],
  after: readonly string[],
  own: readonly (string | undefined)[],
): readonly string[] {
  if (own.every((line, i) => line === undefined || line === before[i])) return after;
  const old = before.flatMap((line, i) => [...piecesOf(line, own[i], i), lineBreak]);
  const fresh = after.flatMap((line, i) => [...piecesOf(line, undefined, i), lineBreak]);
  const kept = keptPairs(old, fresh);
  const isChanged = changedLines(kept, old, fresh);
  const put = fresh.map((piece) => piece.own);
  for (const { from, to, at } of kept) if (isChanged(from, to)) put[at] = from.own;
  return put.join("").split("\n").slice(0, after.length);
}

/** An unchanged piece: the old one, the new one, and its index among all new pieces. */
interface KeptPair {
  readonly from: Piece;
  readonly to: Piece;
  readonly at: number;
}

function keptPairs(old: readonly Piece[], fresh: readonly Piece[]): readonly KeptPair[] {
  const pairs: KeptPair[] = [];
  const [before, after] = [old, fresh].map((pieces) => pieces.map(({ key }) => key));
  let [passedOld, at] = [0, 0];
  const keep = (end: number): void => {
    for (; passedOld < end; passedOld++, at++) pairs.push({ from: old[passedOld]!, to: fresh[at]!, at });
  };
  for (const { beforeStart, beforeEnd, afterEnd } of diffSequences(before!, after!)) {
    keep(beforeStart);
    [passedOld, at] = [beforeEnd, afterEnd];
  }
  keep(old.length);
  return pairs;
}

/**
 * Decides for the lines of two pieces whether one is a change of the other, by the words they
 * share.
 */
function changedLines(
  kept: readonly KeptPair[],
  old: readonly Piece[],
  fresh: readonly Piece[],
): (from: Piece, to: Piece) => boolean {
  const shared = countBy(kept.filter(({ from }) => from.isWord).map(({ from, to }) => `${from.line} ${to.line}`));
  const [ofOld, ofFresh] = [old, fresh].map((pieces) =>
    countBy(pieces.filter(({ isWord }) => isWord).map(({ line }) => line)),
  );
  const [oldMarks, freshMarks] = [old, fresh].map(marksByLine);
  return (from, to) => {
    // A single changed word between quotes leaves all other characters unchanged.
    if (oldMarks!.get(from.line) === freshMarks!.get(to.line)) return true;
    const words = shared.get(`${from.line} ${to.line}`) ?? 0;
    return words > 0 && words * 2 >= Math.min(ofOld!.get(from.line)!, ofFresh!.get(to.line)!);
  };
}

/** All characters outside of words, by line. */
function marksByLine(pieces: readonly Piece[]): ReadonlyMap<number, string> {
  const marks = new Map<number, string>();
  for (const { line, key, isWord } of pieces) if (!isWord) marks.set(line, (marks.get(line) ?? "") + key);
  return marks;
}

function countBy<T>(items: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** A word or a single other character: its key for comparison, and its spelling in the file. */
interface Piece {
  readonly key: string;
  readonly own: string;
  /** The index of its line, from 0. */
  readonly line: number;
  readonly isWord: boolean;
}

const lineBreak: Piece = { key: "\n", own: "\n", line: -1, isWord: false };

/** The pieces of a line, with the characters of `own` if that differs in typography only. */
function piecesOf(line: string, own: string | undefined, index: number): readonly Piece[] {
  const pieces = split(line, index);
  const there = own === undefined ? [] : split(own, index);
  const isAlike = there.length === pieces.length && there.every(({ key }, i) => key === pieces[i]!.key);
  return isAlike ? there : pieces;
}

function split(text: string, line: number): readonly Piece[] {
  return Array.from(text.matchAll(piece), ([own]) => {
    const key = withPlainTypography(own) || " ";
    return { key, own, line, isWord: /[\p{L}\p{N}]/u.test(key) };
  });
}

/** Invisible characters belong to the piece before them. */
const piece = /(?:[\p{L}\p{M}\p{N}_]+|\.{3}|[\s\S])[\u200b\u2060\ufeff]*/gu;

/**
 * Replaces typographic quotes, dashes and blanks in new lines by plain ones, for those kinds that
 * the answer uses where the file has plain ones; `pairs` are old lines as in the answer and in the
 * file. A character is kept where `isInFile` finds it in the file between the same characters.
 */
export function straighten(
  lines: readonly string[],
  pairs: readonly (readonly [answer: string, file: string])[],
  isInFile: (text: string) => boolean = () => false,
): readonly string[] {
  const kinds = oddCharacters.filter(([odd, plain]) =>
    pairs.some(([answer, file]) => countOf(odd, answer) > countOf(odd, file) && file.includes(plain)),
  );
  const isKept = (line: string, at: number) => {
    const part = line.slice(Math.max(0, at - beside), at + 1 + beside);
    return /[\p{L}\p{N}]/u.test(part) && isInFile(part);
  };
  return lines.map((line) =>
    kinds.reduce(
      // Each replacement keeps the length, so offsets stay valid.
      (straight, [odd, plain]) => straight.replace(odd, (own, at: number) => (isKept(line, at) ? own : plain)),
      line,
    ),
  );
}

/** The characters on each side that identify an occurrence in the file. */
const beside = 4;

function countOf(odd: RegExp, text: string): number {
  return text.match(odd)?.length ?? 0;
}
