import { byteOrderMark, diffSequences, Edit, type LineEnding, type TextEdit, type TextRange } from "../text/index.ts";
import { KeyedLines } from "./keyed-lines.ts";
import type { LineKey } from "./line-keys.ts";
import { type EndedLine, LineTable } from "./line-table.ts";
import { LineWords } from "./line-words.ts";
import type { LineSplice } from "./placement.ts";

/**
 * A file while edits are put into it: the text that the model was shown, and what has become of its lines.
 *
 * Knows two ways to name lines: by their number in the snapshot, which never changes, and by their number now. Lines that
 * nobody replaces keep their bytes. Inserted lines take the ending of the line they replace, else of their neighbour,
 * else the one that the file uses most. Whether the last line has an ending stays as it was, unless
 * {@link setFinalNewline} or {@link replaceTexts} says otherwise.
 */
export class WorkingText {
  readonly snapshot: LineTable;
  /** The words of its lines, found when first asked for. */
  readonly words = new LineWords();
  /** Sorted by their places; those at one place in the order of the text. */
  readonly #splices: WorkingSplice[] = [];
  #endsWithBreak: boolean;
  readonly #textsPutIn: string[] = [];
  readonly #keyed = new Map<LineKey, KeyedLines>();
  /** What follows from the splices, each made when first asked for. */
  #numbers: LineNumbers | undefined;
  #starts: Uint32Array | undefined;
  #lines: readonly EndedLine[] | undefined;
  #texts: readonly string[] | undefined;
  #text: string | undefined;

  constructor(text: string) {
    this.snapshot = LineTable.of(text);
    this.#endsWithBreak = this.snapshot.endsWithBreak;
    this.#text = text;
  }

  /** How many lines there are now. */
  get count(): number {
    return this.#numbersNow().count;
  }

  /** The lines as they are now. */
  get lines(): readonly EndedLine[] {
    this.#lines ??= Array.from({ length: this.count }, (_, line) => this.line(line));
    return this.#lines;
  }

  /** The lines as they are now, without their endings. */
  get texts(): readonly string[] {
    this.#texts ??= Array.from({ length: this.count }, (_, line) => this.textAt(line));
    return this.#texts;
  }

  /** The texts of all lines that edits have put in, in the order of the edits, also of lines that are gone again. */
  get textsPutIn(): readonly string[] {
    return this.#textsPutIn;
  }

  /** The numbers now of the lines that edits have put in and for whose text it holds, ascending. */
  linesPutIn(holds: (text: string) => boolean): number[] {
    const { starts } = this.#numbersNow();
    const found: number[] = [];
    for (const [index, { lines }] of this.#splices.entries()) {
      for (const [i, { text }] of lines.entries()) if (holds(text)) found.push(starts[index]! + i);
    }
    return found;
  }

  /** The line that has this number now. */
  line(now: number): EndedLine {
    const line = this.#ownLine(now);
    if (now < this.count - 1) return this.#closed(line);
    if ((line.ending !== "") === this.#endsWithBreak) return line;
    return { text: line.text, ending: this.#endsWithBreak ? this.snapshot.ending : "" };
  }

  /** The line that has this number now, without its ending. */
  textAt(now: number): string {
    return this.#ownLine(now).text;
  }

  /** The number in the snapshot of the line that has this number now; `undefined` for one that an edit has put in. */
  shownAt(now: number): number | undefined {
    const index = this.#spliceAt(now);
    const splice = this.#splices[index];
    if (splice === undefined) return now;
    const inside = now - this.#numbersNow().starts[index]!;
    return inside < splice.lines.length ? undefined : splice.end + inside - splice.lines.length;
  }

  /** The number that a line of the snapshot has now; `undefined` where an edit has replaced it. */
  keptAs(shown: number): number | undefined {
    const behind = firstIndex(this.#splices, ({ end }) => end > shown);
    if ((this.#splices[behind]?.start ?? Number.POSITIVE_INFINITY) <= shown) return undefined;
    const splice = this.#splices[behind - 1];
    if (splice === undefined) return shown;
    return this.#numbersNow().starts[behind - 1]! + splice.lines.length + shown - splice.end;
  }

  /** The lines by a key; what was found out about it is kept. */
  by(key: LineKey): KeyedLines {
    const keyed = this.#keyed.get(key) ?? new KeyedLines(this, key);
    this.#keyed.set(key, keyed);
    return keyed;
  }

  /** Whether the last line has an ending now; so too where there is no line. */
  get endsWithBreak(): boolean {
    return this.count === 0 || this.#endsWithBreak;
  }

  /** The text as it is now. */
  get text(): string {
    this.#text ??= this.toEdit().apply(this.snapshot.source);
    return this.#text;
  }

  /**
   * Puts `lines` in the place of those of the snapshot from `start` up to `end`.
   *
   * Does nothing and answers `false` where an earlier edit has one of them, or has replaced the lines around the place.
   */
  tryReplaceShown({ start, end, lines }: LineSplice): boolean {
    if (start === end && lines.length === 0) return true;
    const index = firstIndex(this.#splices, (splice) => splice.end > start);
    const next = this.#splices[index];
    if (next !== undefined && next.start < (start === end ? start : end)) return false;
    const old = Array.from({ length: end - start }, (_, i) => this.snapshot.line(start + i));
    const neighbour = this.snapshot.line(start > 0 ? start - 1 : end);
    this.#splices.splice(index, 0, { start, end, lines: this.#ended(lines, old, neighbour) });
    for (const text of lines) this.#textsPutIn.push(text);
    this.#changed();
    return true;
  }

  /**
   * Puts lines in the place of lines as they are numbered now. The splices are sorted and disjoint.
   *
   * Answers where that is in the snapshot; nothing where earlier edits have put in some of the replaced lines.
   */
  replaceLines(splices: readonly LineSplice[]): readonly LineSplice[] {
    const changing = splices.filter(({ start, end, lines }) => start < end || lines.length > 0);
    const fresh = changing.map(({ start, end, lines }) => {
      const old = Array.from({ length: end - start }, (_, i) => this.line(start + i));
      const beside = start > 0 ? start - 1 : end;
      const neighbour = beside < this.count ? this.line(beside) : { ending: "" as const };
      return { start, end, lines: this.#ended(lines, old, neighbour) };
    });
    return this.#replaceAll(fresh);
  }

  /**
   * Puts texts in the place of texts as they are now, line endings included. The edits are sorted and disjoint.
   *
   * Answers what that does to whole lines of the snapshot; nothing where earlier edits have put in some of them.
   */
  replaceTexts(edits: readonly TextEdit[]): readonly LineSplice[] {
    const { count, text } = this;
    const starts = this.#startsNow();
    const lineFrom = (offset: number) => firstIndex(starts, (start) => start >= offset);

    // Edits that touch the same lines go together, and with them the next line where the last one loses its ending.
    const groups: WorkingSplice[] = [];
    for (let i = 0; i < edits.length; ) {
      const first = lineFrom(edits[i]!.start + 1) - 1;
      let last = Math.max(first, lineFrom(edits[i]!.end));
      let behind = i + 1;
      for (let isOpen = true; isOpen; ) {
        for (; behind < edits.length && edits[behind]!.start < starts[last]!; behind++) {
          last = Math.max(last, lineFrom(edits[behind]!.end));
        }
        const changed = appliedWithin(edits.slice(i, behind), text, { start: starts[first]!, end: starts[last]! });
        isOpen = last < count && changed !== "" && !changed.endsWith(this.snapshot.mark);
        if (isOpen) last++;
        else groups.push({ start: first, end: last, lines: this.#split(changed) });
      }
      i = behind;
    }
    const end = groups.at(-1);
    const endsWithBreak =
      end?.end === count
        ? (end.lines.at(-1) ?? (end.start > 0 ? this.line(end.start - 1) : undefined))?.ending !== ""
        : this.#endsWithBreak;
    const shown = this.#replaceAll(groups);
    this.#endsWithBreak = endsWithBreak;
    this.#text = appliedWithin(edits, text, { start: 0, end: text.length });
    return shown;
  }

  /** What ends the line that has this number now, or the ending used most where it has none. */
  endingOf(line: number): LineEnding {
    const ending = line < this.count ? this.line(line).ending : "";
    return ending === "" ? this.snapshot.ending : ending;
  }

  /** The numbers of the lines, as they are now, at ascending offsets. */
  linesAt(offsets: readonly number[]): readonly number[] {
    const starts = this.#startsNow();
    const last = Math.max(0, this.count - 1);
    return offsets.map((offset) => Math.min(last, Math.max(0, firstIndex(starts, (start) => start > offset) - 1)));
  }

  /** The number that a line of the snapshot has now; that of the line behind it, where it is gone. */
  numberNow(shown: number): number {
    let shift = 0;
    for (const { start, end, lines } of this.#splices) {
      if (start >= shown && end > shown) break;
      if (end > shown) return start + shift;
      shift += lines.length - (end - start);
    }
    return shown + shift;
  }

  /** Says whether the last line is to have an ending. */
  setFinalNewline(endsWithBreak: boolean): void {
    this.#endsWithBreak = endsWithBreak;
    this.#changed();
  }

  /** All that was done, as an edit of the snapshot. */
  toEdit(): Edit {
    const { source, count } = this.snapshot;
    const edits = this.#splices.map(({ start, end, lines }): TextEdit => {
      const text = lines.map((line) => line.text + (line.ending === "" ? this.snapshot.ending : line.ending)).join("");
      return { start: this.snapshot.start(start), end: this.snapshot.start(end), text };
    });
    // A last line without an ending needs one where lines come behind it.
    const atEnd = this.#splices.findIndex(({ start, lines }) => start === count && lines.length > 0);
    const isCut = count > 0 && this.snapshot.line(count - 1).ending === "";
    const isGone = this.#splices.some(({ start, end }) => start < count && end === count);
    if (atEnd >= 0 && isCut && !isGone) {
      edits[atEnd] = { ...edits[atEnd]!, text: this.snapshot.ending + edits[atEnd]!.text };
    }
    const edit = Edit.of(edits);
    return edit.compose(this.#lastBreak(edit.apply(source))).normalize(source);
  }

  /** Puts lines in the place of lines as they are numbered now, the last first, so that numbers stay true. */
  #replaceAll(splices: readonly WorkingSplice[]): readonly LineSplice[] {
    const shown: LineSplice[] = [];
    for (const splice of splices.toReversed()) {
      for (const { text } of splice.lines) this.#textsPutIn.push(text);
      const place = this.#replace(splice);
      if (place !== undefined) shown.push({ ...place, lines: splice.lines.map((line) => line.text) });
    }
    this.#changed();
    return shown.length === splices.length ? shown.reverse() : [];
  }

  /** Puts lines in the place of lines as they are numbered now. */
  #replace({ start, end, lines }: WorkingSplice): { start: number; end: number } | undefined {
    const from = this.#locate(start);
    const to = end > start ? this.#locate(end - 1) : from;
    const [first, last] = [this.#splices[from.index], this.#splices[to.index]];
    const head = from.inside === undefined ? [] : first!.lines.slice(0, from.inside);
    let merged: WorkingSplice;
    let absorbed: number;
    if (end === start) {
      // In front of a splice, new lines are a splice of their own; inside of one they become part of it.
      const isWithin = head.length > 0;
      const at = from.inside === undefined ? from.shown : first!.start;
      merged = isWithin
        ? { ...first!, lines: [...head, ...lines, ...first!.lines.slice(from.inside)] }
        : { start: at, end: at, lines };
      absorbed = isWithin ? 1 : 0;
    } else {
      const tail = to.inside === undefined ? [] : last!.lines.slice(to.inside + 1);
      merged = {
        start: from.inside === undefined ? from.shown : first!.start,
        end: to.inside === undefined ? to.shown + 1 : last!.end,
        lines: [...head, ...lines, ...tail],
      };
      absorbed = to.index - from.index + (to.inside === undefined ? 0 : 1);
    }
    this.#splices.splice(from.index, absorbed, merged);
    // In front of lines that were put in at the same place, the place alone does not say the order.
    const isAhead = end === start && from.inside !== undefined && first!.start === first!.end;
    return absorbed === 0 && !isAhead ? { start: merged.start, end: merged.end } : undefined;
  }

  /** Where the line that has the number `now` comes from: a line of the snapshot in front of splice `index`, or inside it. */
  #locate(now: number): { readonly index: number; readonly shown: number; readonly inside: number | undefined } {
    let passed = 0;
    let shown = 0;
    for (const [index, splice] of this.#splices.entries()) {
      const kept = splice.start - shown;
      if (now < passed + kept) return { index, shown: shown + now - passed, inside: undefined };
      passed += kept;
      if (now < passed + splice.lines.length) return { index, shown: splice.start, inside: now - passed };
      passed += splice.lines.length;
      shown = splice.end;
    }
    return { index: this.#splices.length, shown: shown + now - passed, inside: undefined };
  }

  /** Gives new lines the endings of those that they replace, of a neighbour, or of the file. */
  #ended(
    lines: readonly string[],
    old: readonly EndedLine[],
    neighbour: Pick<EndedLine, "ending">,
  ): readonly EndedLine[] {
    const own = old.some((line) => line.ending !== old[0]!.ending) ? alike(old, lines) : undefined;
    return lines.map((text, i) => {
      const { ending } = own?.get(i) ?? old[Math.min(i, old.length - 1)] ?? neighbour;
      return { text, ending: ending === "" ? this.snapshot.ending : ending };
    });
  }

  /** The line with an ending. */
  #closed(line: EndedLine): EndedLine {
    return line.ending === "" ? { text: line.text, ending: this.snapshot.ending } : line;
  }

  /** The line that has this number now, with the ending that it came with. */
  #ownLine(now: number): EndedLine {
    const shown = this.shownAt(now);
    if (shown !== undefined) return this.snapshot.line(shown);
    const index = this.#spliceAt(now);
    return this.#splices[index]!.lines[now - this.#numbersNow().starts[index]!]!;
  }

  /** The last splice that does not begin behind the line that has this number now; -1 where all do. */
  #spliceAt(now: number): number {
    return firstIndex(this.#numbersNow().starts, (start) => start > now) - 1;
  }

  /** The offset in the text as it is now at which each line begins, and at which the last one ends. */
  #startsNow(): Uint32Array {
    if (this.#starts !== undefined) return this.#starts;
    const { snapshot, count } = this;
    const starts = new Uint32Array(count + 1);
    let offset = this.text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
    let line = 0;
    let passed = 0;
    for (const splice of [...this.#splices, { start: snapshot.count, end: snapshot.count, lines: [] }]) {
      const shift = offset - snapshot.start(passed);
      for (; passed < splice.start; passed++) starts[line++] = snapshot.start(passed) + shift;
      offset = snapshot.start(passed) + shift;
      // What stood last in the snapshot without an ending has one where lines come behind it.
      if (line > 0 && line < count) offset = starts[line - 1]! + lengthOf(this.line(line - 1));
      for (const one of splice.lines) {
        starts[line++] = offset;
        offset += lengthOf(this.#closed(one));
      }
      passed = splice.end;
    }
    starts[count] = count === 0 ? offset : starts[count - 1]! + lengthOf(this.line(count - 1));
    this.#starts = starts;
    return starts;
  }

  #numbersNow(): LineNumbers {
    if (this.#numbers !== undefined) return this.#numbers;
    let shift = 0;
    const starts = this.#splices.map(({ start, end, lines }) => {
      const first = start + shift;
      shift += lines.length - (end - start);
      return first;
    });
    this.#numbers = { starts, count: this.snapshot.count + shift };
    return this.#numbers;
  }

  /** The lines of a piece of text, as this file separates them. */
  #split(text: string): readonly EndedLine[] {
    const pieces = this.snapshot.mark === "\r" ? text.match(/[^\r]*\r|[^\r]+/g) : text.match(/[^\n]*\n|[^\n]+/g);
    return (pieces ?? []).map((piece) => {
      const ending = /\r?\n$/.exec(piece)?.[0] ?? (piece.endsWith(this.snapshot.mark) ? this.snapshot.mark : "");
      return { text: piece.slice(0, piece.length - ending.length), ending: ending as EndedLine["ending"] };
    });
  }

  /** What makes the last line of `text` end as it should. */
  #lastBreak(text: string): Edit {
    const start = text.length < 2 ? 0 : text.lastIndexOf(this.snapshot.mark, text.length - 2) + 1;
    const [last] = this.#split(text.slice(start));
    if (last === undefined || text === byteOrderMark || (last.ending !== "") === this.#endsWithBreak) return Edit.empty;
    if (this.#endsWithBreak) return Edit.insert(text.length, this.snapshot.ending);
    return Edit.delete({ start: text.length - last.ending.length, end: text.length });
  }

  #changed(): void {
    this.#numbers = undefined;
    this.#starts = undefined;
    this.#lines = undefined;
    this.#texts = undefined;
    this.#text = undefined;
  }
}

/** The number now of the first line of each splice, or of the line behind it where it has none; and of all lines. */
interface LineNumbers {
  readonly starts: readonly number[];
  readonly count: number;
}

/** Lines in the place of lines of the snapshot. */
interface WorkingSplice {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly EndedLine[];
}

function lengthOf({ text, ending }: EndedLine): number {
  return text.length + ending.length;
}

/** For each of `lines` that stays as it is, by its index, the line that it was. */
function alike(old: readonly EndedLine[], lines: readonly string[]): ReadonlyMap<number, EndedLine> {
  const kept = new Map<number, EndedLine>();
  let before = 0;
  let after = 0;
  const texts = old.map((line) => line.text);
  const end = { beforeStart: old.length, beforeEnd: old.length, afterEnd: lines.length };
  for (const change of [...diffSequences(texts, lines), end]) {
    while (before < change.beforeStart) kept.set(after++, old[before++]!);
    before = change.beforeEnd;
    after = change.afterEnd;
  }
  return kept;
}

/** The text in `range` after edits that all lie in it. */
function appliedWithin(edits: readonly TextEdit[], text: string, range: TextRange): string {
  let changed = "";
  let passed = range.start;
  for (const edit of edits) {
    changed += text.slice(passed, edit.start) + edit.text;
    passed = edit.end;
  }
  return changed + text.slice(passed, range.end);
}

/** The index of the first of the items for which it holds, given that it holds for all behind that one; or their count. */
function firstIndex<T>(items: ArrayLike<T>, holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
