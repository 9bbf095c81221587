import type { PastEdit } from "../../../context/index.ts";
import { diffSequences, type SequenceChange, sameEnds } from "../../../text/index.ts";
import {
  beginsOperand,
  type CodeTokens,
  closerOf,
  codeTokens,
  isWord,
  lineFeed,
  operandEnd,
} from "./example-tokens.ts";
import { type Example, itemText, type PatternItem, type ResultPart } from "./rewrite.ts";

/** How many lines before and after an edit belong to the context of an example. */
export const linesAround = 2;

/** An example and the key of the rewrite that it is an example of. */
export interface KeyedExample {
  readonly key: string;
  readonly example: Example;
}

/**
 * Returns the examples in one edit, each with the key of its rewrite. Empty where the edit changes
 * no tokens or too many. `above` and `below` are the lines around the edit before it; their tokens
 * are the surroundings of an example and not part of what it rewrites.
 *
 * Where an edit did the same to several consecutive runs of lines, each run is an example. Other
 * edits may give several examples of different extent: the whole change, the changes of single
 * lines, and parts of them.
 */
export function examplesOf(
  edit: PastEdit,
  above: readonly string[],
  below: readonly string[],
): readonly KeyedExample[] {
  for (const pieces of piecesOf(edit, above, below)) {
    const byPiece = pieces.map((piece) => examplesOfPiece(edit, piece, pieces.length));
    const keys = byPiece.map((own) => new Set(own.map(({ key }) => key)));
    const same = byPiece.flat().filter(({ key }) => keys.every((own) => own.has(key)));
    if (same.length > 0) return same;
  }
  return examplesOfPiece(edit, { ...edit, above, below, line: edit.lines.start }, 1);
}

/** Lines of an edit, before and after, with the surrounding lines before it. */
interface EditPiece {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly above: readonly string[];
  readonly below: readonly string[];
  /** The line in the present text where they begin, from 0. */
  readonly line: number;
}

/**
 * Splits an edit into equal pieces, the largest number first, because a history joins edits of
 * adjacent lines. Edits that keep the number of lines are not split: their lines are paired anyway.
 */
function* piecesOf(
  { before, after, lines }: PastEdit,
  above: readonly string[],
  below: readonly string[],
): Generator<readonly EditPiece[]> {
  if (before.length === after.length) return;
  for (let count = Math.min(before.length, after.length, maxPieces); count >= 2; count--) {
    const [olds, news] = [before.length / count, after.length / count];
    if (!Number.isInteger(olds) || !Number.isInteger(news)) continue;
    yield Array.from({ length: count }, (_, i) => ({
      before: before.slice(i * olds, (i + 1) * olds),
      after: after.slice(i * news, (i + 1) * news),
      above: [...above, ...before.slice(0, i * olds)].slice(-linesAround),
      below: [...before.slice((i + 1) * olds), ...below].slice(0, linesAround),
      line: lines.start + i * news,
    }));
  }
}

function examplesOfPiece(edit: PastEdit, whole: EditPiece, pieces: number): readonly KeyedExample[] {
  const piece = narrowed(whole);
  const window = (lines: readonly string[]) => [...piece.above, ...lines, ...piece.below].join("\n");
  const before = codeTokens(window(piece.before));
  const after = codeTokens(window(piece.after));
  const changes = tokenChanges(before, after);
  if (changes.length === 0 || changes.length > 60) return [];
  const runs = lineRuns(changes, before);
  const firstLine = piece.line - piece.above.length;
  const size = { runs: runs.length * pieces, changed: changedIn(changes) * pieces };
  const pair: EditTokens = { edit, before, after, firstLine, ...size };
  const found: KeyedExample[] = [];
  const add = (group: readonly SequenceChange[], isWhole: boolean) => {
    const made = tryExample(pair, group, isWhole);
    if (made === undefined) return;
    found.push(made);
    const loose = tryExample(pair, group, isWhole, { isLoose: true });
    if (loose !== undefined && loose.key !== made.key) found.push(loose);
    const wrap = tryWrap(pair, group, isWhole);
    if (wrap !== undefined) found.push(wrap);
  };
  if (runs.length > 1 && changes.length <= 24) add(changes, pieces === 1);
  for (const run of runs.slice(0, maxRuns)) {
    add(run, pieces === 1 && runs.length === 1);
    if (run.length > 1 && run.length <= maxParts)
      for (const part of balancedParts(run, before, after)) add(part, false);
  }
  return found;
}

/**
 * The number of UTF-16 units of a line beyond which only the surroundings of the change are read,
 * as in generated code.
 */
const maxLineCharacters = 4_000;

/** Returns a piece in which wide lines are reduced to the surroundings of the change. */
function narrowed(piece: EditPiece): EditPiece {
  const isWide = (line: string) => line.length > maxLineCharacters;
  const { before, after, above, below } = piece;
  if (![...before, ...after, ...above, ...below].some(isWide)) return piece;
  const around = { above: above.map((line) => line.slice(-maxLineCharacters)), below: below.map(firstOf) };
  const pairs = before.map((line, index) => narrowPair(line, after[index] ?? ""));
  if (before.length !== after.length)
    return { ...piece, ...around, before: before.map(firstOf), after: after.map(firstOf) };
  return { ...piece, ...around, before: pairs.map(([line]) => line), after: pairs.map(([, line]) => line) };
}

const nameSign = /[\w$]/;

function firstOf(line: string): string {
  return line.slice(0, maxLineCharacters);
}

/** Returns two wide lines without most of what they share at both ends. */
function narrowPair(before: string, after: string): readonly [string, string] {
  if (Math.min(before.length, after.length) <= maxLineCharacters) return [before, after];
  const { front, back } = sameEnds(before, after);
  const around = maxLineCharacters / 2;
  // A name at the cut is left out as a whole.
  let start = Math.max(0, front - around);
  while (start > 0 && start < front && nameSign.test(before[start]!)) start++;
  let rest = Math.max(0, back - around);
  while (rest > 0 && rest < back && nameSign.test(before[before.length - 1 - rest]!)) rest++;
  return [before.slice(start, before.length - rest), after.slice(start, after.length - rest)];
}

/** The tokens of an edit, before and after. */
interface EditTokens {
  readonly edit: PastEdit;
  readonly before: CodeTokens;
  readonly after: CodeTokens;
  /** The line of the present text where the tokens begin. */
  readonly firstLine: number;
  /**
   * How many runs of lines the edit changed, and how many tokens it added and removed in all of
   * them.
   */
  readonly runs: number;
  readonly changed: number;
}

/** The number of added and removed tokens. */
function changedIn(changes: readonly SequenceChange[]): number {
  let sum = 0;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of changes)
    sum += beforeEnd - beforeStart + afterEnd - afterStart;
  return sum;
}

/** The most pieces that an edit is split into. */
const maxPieces = 12;
/**
 * The most lines of an edit that are examples of their own, and the most changes on one of them.
 */
const maxRuns = 10;
const maxParts = 8;
/** The most tokens of an example, before or after. */
const maxTokens = 400;

/**
 * Returns the changed tokens. Lines are paired first, so that the tokens of a line are compared
 * with those of the line it became.
 */
function tokenChanges(before: CodeTokens, after: CodeTokens): readonly SequenceChange[] {
  const [olds, news] = [linesOf(before), linesOf(after)];
  const changes: SequenceChange[] = [];
  const compare = (oldFrom: number, oldTo: number, newFrom: number, newTo: number) => {
    const textsOf = ({ list }: CodeTokens, from: number, to: number) => list.slice(from, to).map(({ text }) => text);
    const [one, other] = [textsOf(before, oldFrom, oldTo), textsOf(after, newFrom, newTo)];
    const whole = { beforeStart: oldFrom, beforeEnd: oldTo, afterStart: newFrom, afterEnd: newTo };
    const inside = diffSequences(one, other).map((change) => ({
      beforeStart: oldFrom + change.beforeStart,
      beforeEnd: oldFrom + change.beforeEnd,
      afterStart: newFrom + change.afterStart,
      afterEnd: newFrom + change.afterEnd,
    }));
    changes.push(...(keepsWords(one, inside, oldFrom) ? inside : [whole]));
  };
  for (const change of diffSequences(
    olds.map(({ content }) => content),
    news.map(({ content }) => content),
  )) {
    const [oldCount, newCount] = [change.beforeEnd - change.beforeStart, change.afterEnd - change.afterStart];
    const place = (lines: readonly TokenLine[], index: number, tokens: CodeTokens) =>
      lines[index]?.from ?? tokens.list.length;
    if (oldCount === newCount) {
      for (let i = 0; i < oldCount; i++) {
        const [old, fresh] = [olds[change.beforeStart + i]!, news[change.afterStart + i]!];
        compare(old.from, old.to, fresh.from, fresh.to);
      }
    } else {
      compare(
        place(olds, change.beforeStart, before),
        place(olds, change.beforeEnd, before),
        place(news, change.afterStart, after),
        place(news, change.afterEnd, after),
      );
    }
  }
  return joined(slidToNeighbours(joined(changes), before, after));
}

/**
 * Moves an insertion or deletion back to the change before it where the tokens between are equal to
 * its last ones: for `f((` in place of `(`, a diff may report `f` and `(` as two insertions around
 * the old bracket.
 */
function slidToNeighbours(
  changes: readonly SequenceChange[],
  before: CodeTokens,
  after: CodeTokens,
): readonly SequenceChange[] {
  const slid: SequenceChange[] = [];
  for (const change of changes) {
    const last = slid.at(-1);
    const between = last === undefined ? 0 : change.beforeStart - last.beforeEnd;
    const comes = change.beforeStart === change.beforeEnd;
    const goes = change.afterStart === change.afterEnd;
    const [list, end] = comes ? [after.list, change.afterEnd] : [before.list, change.beforeEnd];
    const length = comes ? change.afterEnd - change.afterStart : change.beforeEnd - change.beforeStart;
    const isSame = (i: number) => list[end - 1 - i]!.text === list[end - 1 - i - length]!.text;
    const maySlide = last !== undefined && comes !== goes && between <= maxSlid;
    if (!maySlide || !Array.from({ length: between }, (_, i) => i).every(isSame)) slid.push(change);
    else {
      slid.push({
        beforeStart: change.beforeStart - between,
        beforeEnd: change.beforeEnd - between,
        afterStart: change.afterStart - between,
        afterEnd: change.afterEnd - between,
      });
    }
  }
  return slid;
}

/** The most tokens that a change is moved by. */
const maxSlid = 4;

/** Whether changes leave a word unchanged, so that they are not a replacement of everything. */
function keepsWords(tokens: readonly string[], changes: readonly SequenceChange[], offset: number): boolean {
  if (tokens.length === 0) return true;
  let at = 0;
  for (const { beforeStart, beforeEnd } of [...changes, { beforeStart: tokens.length + offset, beforeEnd: 0 }]) {
    if (tokens.slice(at, beforeStart - offset).some(isWord)) return true;
    at = beforeEnd - offset;
  }
  return false;
}

/** Joins adjacent changes. */
function joined(changes: readonly SequenceChange[]): readonly SequenceChange[] {
  const all: SequenceChange[] = [];
  for (const change of changes) {
    const last = all.at(-1);
    if (last !== undefined && last.beforeEnd === change.beforeStart && last.afterEnd === change.afterStart) {
      all[all.length - 1] = { ...last, beforeEnd: change.beforeEnd, afterEnd: change.afterEnd };
    } else all.push(change);
  }
  return all;
}

/** A line as tokens `[from, to)`, its line ending included. */
interface TokenLine {
  readonly content: string;
  readonly from: number;
  readonly to: number;
}

function linesOf({ list }: CodeTokens): readonly TokenLine[] {
  const lines: TokenLine[] = [];
  for (let from = 0, at = 0; at < list.length; at++) {
    if (list[at]!.text !== lineFeed && at < list.length - 1) continue;
    const content = list.slice(from, at + 1).map(({ text }) => text);
    lines.push({ content: content.join(" "), from, to: at + 1 });
    from = at + 1;
  }
  return lines;
}

/** Groups changes without an unchanged line ending between them. */
function lineRuns(changes: readonly SequenceChange[], { list }: CodeTokens): readonly (readonly SequenceChange[])[] {
  const runs: SequenceChange[][] = [];
  for (const change of changes) {
    const last = runs.at(-1)?.at(-1);
    const between = last && list.slice(last.beforeEnd, change.beforeStart);
    if (between === undefined || between.some(({ text }) => text === lineFeed)) runs.push([change]);
    else runs.at(-1)!.push(change);
  }
  return runs;
}

/**
 * Splits a run into the smallest groups of changes that leave the bracket depth unchanged; empty
 * where it cannot be split.
 */
function balancedParts(
  run: readonly SequenceChange[],
  before: CodeTokens,
  after: CodeTokens,
): readonly (readonly SequenceChange[])[] {
  const parts: SequenceChange[][] = [];
  let part: SequenceChange[] = [];
  let depth = 0;
  for (const change of run) {
    part.push(change);
    depth += depthOf(after, change.afterStart, change.afterEnd) - depthOf(before, change.beforeStart, change.beforeEnd);
    if (depth !== 0) continue;
    parts.push(part);
    part = [];
  }
  return parts.length > 1 || part.length > 0 ? parts : [];
}

/** The number of line endings before a token. */
function lineBreaks({ list }: CodeTokens, index: number): number {
  return list.slice(0, index).filter(({ text }) => text === lineFeed).length;
}

function depthOf({ list }: CodeTokens, from: number, to: number): number {
  let depth = 0;
  for (const { text } of list.slice(from, to)) {
    if (text === "(" || text === "[" || text === "{") depth++;
    else if (text === ")" || text === "]" || text === "}") depth--;
  }
  return depth;
}

/**
 * Returns the example in a group of changes; `undefined` where it has too many tokens or changes
 * nothing. A loose example treats the rest of a bracket or quote of the stretch as a hole, such as
 * a path in quotes after a prefix, and removed and kept occurrences of a word as the same word.
 */
function tryExample(
  pair: EditTokens,
  group: readonly SequenceChange[],
  isWhole: boolean,
  { isLoose = false } = {},
): KeyedExample | undefined {
  const { before, after } = pair;
  const [first, last] = [group[0]!, group.at(-1)!];
  const [from, to] = [first.beforeStart, last.beforeEnd];
  const [newFrom, newTo] = [first.afterStart, last.afterEnd];
  if (to - from > maxTokens || newTo - newFrom > maxTokens) return undefined;

  const inserted = new Set<string>();
  for (const change of group) {
    for (const { text } of after.list.slice(change.afterStart, change.afterEnd)) inserted.add(text);
  }
  const kept = new Set<string>();
  if (isLoose) {
    for (const [index, change] of group.slice(1).entries()) {
      for (const { text } of before.list.slice(group[index]!.beforeEnd, change.beforeStart)) kept.add(text);
    }
  }
  const items: PatternItem[] = [];
  /** The hole of a kept token, and where its group ends. */
  const groupOf = new Map<number, { readonly hole: number; readonly end: number }>();
  let holes = 0;
  const addGroup = (start: number, end: number) => {
    const sample = before.source.slice(before.list[start]!.start, before.list[end - 1]!.end);
    groupOf.set(start, { hole: holes, end });
    items.push({ kind: "group", hole: holes++, sample });
  };
  const addKept = (start: number, end: number) => {
    const rest = isLoose ? restOfBracket(start, end) : undefined;
    for (let at = start; at < end; at++) {
      if (at === rest?.start) {
        addGroup(rest.start, rest.end);
        at = rest.end;
      }
      const { text } = before.list[at]!;
      const partner = before.partners[at]!;
      const opensHere = partner > at || /^[([{]$/.test(text);
      items.push(isWord(text) ? { kind: "word", sample: text } : { kind: "sign", text });
      if (!opensHere) continue;
      const close = partner > at && partner < end ? partner : end;
      const inside = before.list.slice(at + 1, close);
      const isHole = inside.length > 1 && inside.some((token) => isWord(token.text)) && isSign(close);
      if (isHole && isBalanced(before, at + 1, close)) {
        addGroup(at + 1, close);
        at = close - 1;
      }
    }
  };
  /**
   * Returns the kept tokens of a bracket or quote that opens in the stretch, from its first word to
   * its closing.
   */
  const restOfBracket = (start: number, end: number) => {
    const opener = before.openers[start]!;
    const close = opener < from ? -1 : before.partners[opener]!;
    if (close < 0 || close >= end) return undefined;
    let first = start;
    while (first < close && !isWord(before.list[first]!.text)) first++;
    const isHole = close - first > 1 && isBalanced(before, first, close);
    return isHole ? { start: first, end: close } : undefined;
  };
  /** Whether a group may end at an index: the token there is a fixed sign. */
  const isSign = (index: number) => {
    const text = before.list[index]?.text;
    return text !== undefined && !isWord(text);
  };
  let at = from;
  for (const change of group) {
    const isInside = at > from && before.openers[at]! >= from && before.openers[at]! < at;
    const mayEnd = change.beforeEnd > change.beforeStart && isSign(change.beforeStart);
    if (isInside && mayEnd && change.beforeStart - at > 1 && isBalanced(before, at, change.beforeStart)) {
      addGroup(at, change.beforeStart);
    } else addKept(at, change.beforeStart);
    for (const { text } of before.list.slice(change.beforeStart, change.beforeEnd)) {
      items.push(
        isWord(text) && (inserted.has(text) || kept.has(text))
          ? { kind: "word", sample: text }
          : { kind: "sign", text },
      );
    }
    at = change.beforeEnd;
  }

  const result = resultOf(pair, group, groupOf);
  const gaps = {
    leadBefore: gapAt(before, from),
    leadAfter: gapAt(after, newFrom),
    tailBefore: gapAt(before, to),
    tailAfter: gapAt(after, newTo),
  };
  const newTokens = after.list.slice(newFrom, newTo).map(({ text }) => text);
  const isNothing = items.length === newTokens.length && items.every((item, i) => itemText(item) === newTokens[i]);
  if (isNothing) return undefined;
  const line = pair.firstLine + lineBreaks(before, from);
  const example: Example = {
    ...{ edit: pair.edit, before, from, to, items, result, newTokens, gaps, isWhole, line },
    indent: indentAt(before, from),
    ...{ runs: pair.runs, share: changedIn(group) / pair.changed },
  };
  return { key: keyOf(items, result), example };
}

/**
 * Returns the example of two brackets that are put around an operand, whatever the operand is;
 * `undefined` where the changes are anything else.
 */
function tryWrap(pair: EditTokens, group: readonly SequenceChange[], isWhole: boolean): KeyedExample | undefined {
  const { before, after, edit } = pair;
  const [opening, closing, more] = group;
  if (opening === undefined || closing === undefined || more !== undefined) return undefined;
  const from = opening.beforeStart;
  if (group.some((change) => change.beforeEnd > change.beforeStart)) return undefined;
  const opened = after.list.slice(opening.afterStart, opening.afterEnd);
  const closer = closerOf(opened.map(({ text }) => text));
  if (closer === undefined || !beginsOperand(before, from)) return undefined;
  const end = operandEnd(before, from);
  const closed = after.list.slice(closing.afterStart, closing.afterEnd);
  // Of several equal brackets in a row, a diff may report any as the inserted one.
  const isSame = ({ text }: { readonly text: string }) => closed.length === 1 && text === closer;
  if (end === undefined || !before.list.slice(closing.beforeStart, end).every(isSame)) return undefined;
  if (depthOf(after, closing.afterStart, closing.afterEnd) !== -1) return undefined;
  const textOf = (tokens: typeof opened) => after.source.slice(tokens[0]!.start, tokens.at(-1)!.end);
  const items: readonly PatternItem[] = [
    { kind: "group", hole: 0, sample: before.source.slice(before.list[from]!.start, before.list[end - 1]!.end) },
  ];
  const result: readonly ResultPart[] = [
    { kind: "text", text: textOf(opened) },
    { kind: "group", hole: 0 },
    { kind: "text", text: textOf(closed) },
  ];
  const [lead, tail] = [gapAt(before, from), gapAt(before, end)];
  const example: Example = {
    ...{ edit, before, from, to: end, items, result, isWhole, line: pair.firstLine + lineBreaks(before, from) },
    newTokens: [...opened, ...closed].map(({ text }) => text),
    gaps: { leadBefore: lead, leadAfter: lead, tailBefore: tail, tailAfter: tail },
    indent: indentAt(before, from),
    ...{ runs: pair.runs, share: changedIn(group) / pair.changed },
  };
  return { key: keyOf(items, result), example };
}

function isBalanced(tokens: CodeTokens, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const partner = tokens.partners[at]!;
    if (partner >= 0 && (partner < from || partner >= to)) return false;
    if (partner < 0 && /^[()[\]{}]$/.test(tokens.list[at]!.text)) return false;
  }
  return true;
}

/** Returns the new text from the first to the last change, in parts. */
function resultOf(
  { after }: EditTokens,
  group: readonly SequenceChange[],
  groupOf: ReadonlyMap<number, { readonly hole: number; readonly end: number }>,
): readonly ResultPart[] {
  const parts: ResultPart[] = [];
  const from = group[0]!.afterStart;
  let writtenTo = after.list[from]?.start ?? after.source.length;
  const addText = (end: number) => {
    if (end > writtenTo) parts.push({ kind: "text", text: after.source.slice(writtenTo, end) });
  };
  for (const [index, change] of group.entries()) {
    for (let at = change.afterStart; at < change.afterEnd; at++) {
      const { text, start, end } = after.list[at]!;
      if (!isWord(text)) continue;
      addText(start);
      parts.push({ kind: "word", sample: text });
      writtenTo = end;
    }
    const next = group[index + 1];
    if (next === undefined) break;
    const shift = change.afterEnd - change.beforeEnd;
    for (let at = change.beforeEnd; at < next.beforeStart; at++) {
      const held = groupOf.get(at);
      const { text, start } = after.list[at + shift]!;
      if (held === undefined && !isWord(text)) continue;
      addText(start);
      parts.push(held === undefined ? { kind: "word", sample: text } : { kind: "group", hole: held.hole });
      if (held !== undefined) at = held.end - 1;
      writtenTo = after.list[at + shift]!.end;
    }
  }
  const last = after.list[group.at(-1)!.afterEnd - 1];
  if (group.at(-1)!.afterEnd > from && last !== undefined) addText(last.end);
  return parts;
}

/**
 * The blanks before a token, on its own line. The index after the last token gives those at the end
 * of the range.
 */
export function gapAt({ source, end, list }: CodeTokens, index: number): string {
  const from = index === 0 ? 0 : (list[index - 1]?.end ?? 0);
  const to = list[index]?.start ?? end;
  // The first token of a range may have more than the blanks of its line before it.
  return source.slice(from, to).replace(/^.*\n/s, "");
}

/**
 * The indentation of the line of the token with this index. For an empty line, that of the line
 * before.
 */
export function indentAt(tokens: CodeTokens, index: number): string {
  let at = Math.min(index, tokens.list.length - 1);
  if (at < 0) return "";
  if (index > 0 && tokens.list[index - 1]!.text === lineFeed && tokens.list[index]?.text === lineFeed) at = index - 1;
  while (at > 0 && tokens.list[at - 1]!.text !== lineFeed) at--;
  return gapAt(tokens, at);
}

function keyOf(items: readonly PatternItem[], result: readonly ResultPart[]): string {
  const names = new Map<string, number>();
  const nameOf = (sample: string) => {
    const known = names.get(sample) ?? names.size;
    names.set(sample, known);
    return known;
  };
  const left = items.map((item) => {
    if (item.kind === "sign") return item.text;
    return item.kind === "word" ? `\u0001${nameOf(item.sample)}` : `\u0002${item.hole}`;
  });
  const right = result.map((part) => {
    if (part.kind === "text") return part.text.replace(/\s+/g, " ");
    if (part.kind === "group") return `\u0002${part.hole}`;
    return names.has(part.sample) ? `\u0001${names.get(part.sample)!}` : part.sample;
  });
  return `${left.join(" ")}\u0000${right.join("")}`;
}
