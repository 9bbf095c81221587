import {
  byteOrderMark,
  diffSequences,
  Edit,
  type LineEnding,
  type TextEdit,
  type TextRange,
} from "../../text/index.ts";
import { KeyedLines } from "./keyed-lines.ts";
import type { LineKey } from "./line-keys.ts";
import { type EndedLine, LineTable } from "./line-table.ts";
import { LineWords } from "./nearest-lines.ts";
import type { LineSplice } from "./placement.ts";

/**
 * A file while operations are applied: the text that the model was shown, and its current lines.
 *
 * Lines are addressed by their number in the snapshot, which never changes, or by their current
 * number; both count from 0. Lines that are not replaced keep their bytes. Inserted lines take the
 * ending of the line they replace, else of their neighbour, else the most frequent one. Whether the
 * last line has an ending is kept, unless {@link setFinalNewline} or {@link replaceTexts} changes
 * it.
 */
export class WorkingText {
  readonly snapshot: LineTable;
  /** The cache of the words of its lines. */
  readonly words = new LineWords();
  /**
   * How many lines after its line number the last operation with a number and one place was found;
   * 0 before the first one. The numbers of an answer are often wrong by the same amount.
   */
  numberShift = 0;
  /** The splices sorted by place; those at one place in text order. */
  readonly #splices: WorkingSplice[] = [];
  #endsWithBreak: boolean;
  readonly #textsPutIn: string[] = [];
  readonly #keyed = new Map<LineKey, KeyedLines>();
  /** Values derived from the splices, each computed on demand. */
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

  /** The current number of lines. */
  get count(): number {
    return this.#numbersNow().count;
  }

  /** The current lines. */
  get lines(): readonly EndedLine[] {
    this.#lines ??= Array.from({ length: this.count }, (_, line) => this.line(line));
    return this.#lines;
  }

  /** The current lines, without their endings. */
  get texts(): readonly string[] {
    this.#texts ??= Array.from({ length: this.count }, (_, line) => this.textAt(line));
    return this.#texts;
  }

  /**
   * The texts of all lines ever inserted, in the order of insertion, including those replaced
   * again.
   */
  get textsPutIn(): readonly string[] {
    return this.#textsPutIn;
  }

  /** The current numbers of inserted lines whose text satisfies `holds`, ascending. */
  linesPutIn(holds: (text: string) => boolean): number[] {
    const { starts } = this.#numbersNow();
    const found: number[] = [];
    for (const [index, { lines }] of this.#splices.entries()) {
      for (const [i, { text }] of lines.entries()) if (holds(text)) found.push(starts[index]! + i);
    }
    return found;
  }

  /** The line with this current number. */
  line(now: number): EndedLine {
    const line = this.#ownLine(now);
    if (now < this.count - 1) return this.#closed(line);
    if ((line.ending !== "") === this.#endsWithBreak) return line;
    return { text: line.text, ending: this.#endsWithBreak ? this.snapshot.ending : "" };
  }

  /** The line with this current number, without its ending. */
  textAt(now: number): string {
    return this.#ownLine(now).text;
  }

  /** Converts a current line number to a snapshot number; `undefined` for an inserted line. */
  shownAt(now: number): number | undefined {
    const index = this.#spliceAt(now);
    const splice = this.#splices[index];
    if (splice === undefined) return now;
    const inside = now - this.#numbersNow().starts[index]!;
    return inside < splice.lines.length ? undefined : splice.end + inside - splice.lines.length;
  }

  /** Converts a snapshot line number to a current one; `undefined` where the line was replaced. */
  keptAs(shown: number): number | undefined {
    const behind = firstIndex(this.#splices, ({ end }) => end > shown);
    if ((this.#splices[behind]?.start ?? Number.POSITIVE_INFINITY) <= shown) return undefined;
    const splice = this.#splices[behind - 1];
    if (splice === undefined) return shown;
    return this.#numbersNow().starts[behind - 1]! + splice.lines.length + shown - splice.end;
  }

  /** The index of the lines by a key; cached. */
  by(key: LineKey): KeyedLines {
    const keyed = this.#keyed.get(key) ?? new KeyedLines(this, key);
    this.#keyed.set(key, keyed);
    return keyed;
  }

  /** Whether the last line currently has an ending; true where there is no line. */
  get endsWithBreak(): boolean {
    return this.count === 0 || this.#endsWithBreak;
  }

  /** The current text. */
  get text(): string {
    this.#text ??= this.toEdit().apply(this.snapshot.source);
    return this.#text;
  }

  /**
   * Replaces the snapshot's lines from `start` up to `end` by `lines`.
   *
   * Returns `false` without a change where an earlier edit replaced one of them, or the lines
   * around the place.
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
   * Replaces lines by their current numbers. The splices are sorted and disjoint.
   *
   * Returns the splices in snapshot numbers; empty where earlier edits inserted some of the
   * replaced lines.
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
   * Replaces text at offsets of the current text, line endings included. The edits are sorted and
   * disjoint.
   *
   * Returns the changes of whole snapshot lines; empty where earlier edits inserted some of them.
   */
  replaceTexts(edits: readonly TextEdit[]): readonly LineSplice[] {
    const { count, text } = this;
    const starts = this.#startsNow();
    const lineFrom = (offset: number) => firstIndex(starts, (start) => start >= offset);

    // Group edits that touch the same lines, together with the next line where the last one loses
    // its ending.
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

  /**
   * The ending of the line with this current number, or the most frequent one where it has none.
   */
  endingOf(line: number): LineEnding {
    const ending = line < this.count ? this.line(line).ending : "";
    return ending === "" ? this.snapshot.ending : ending;
  }

  /** The current numbers of the lines at ascending offsets. */
  linesAt(offsets: readonly number[]): readonly number[] {
    const starts = this.#startsNow();
    const last = Math.max(0, this.count - 1);
    return offsets.map((offset) => Math.min(last, Math.max(0, firstIndex(starts, (start) => start > offset) - 1)));
  }

  /**
   * Converts a snapshot line number to a current one; where the line was replaced, that of the line
   * after it.
   */
  numberNow(shown: number): number {
    let shift = 0;
    for (const { start, end, lines } of this.#splices) {
      if (start >= shown && end > shown) break;
      if (end > shown) return start + shift;
      shift += lines.length - (end - start);
    }
    return shown + shift;
  }

  /** Sets whether the last line has an ending. */
  setFinalNewline(endsWithBreak: boolean): void {
    this.#endsWithBreak = endsWithBreak;
    this.#changed();
  }

  /** All changes, as an edit of the snapshot. */
  toEdit(): Edit {
    const { source, count } = this.snapshot;
    const edits = this.#splices.map(({ start, end, lines }): TextEdit => {
      const text = lines.map((line) => line.text + (line.ending === "" ? this.snapshot.ending : line.ending)).join("");
      return { start: this.snapshot.start(start), end: this.snapshot.start(end), text };
    });
    // A last line without an ending needs one when lines follow it.
    const atEnd = this.#splices.findIndex(({ start, lines }) => start === count && lines.length > 0);
    const isCut = count > 0 && this.snapshot.line(count - 1).ending === "";
    const isGone = this.#splices.some(({ start, end }) => start < count && end === count);
    if (atEnd >= 0 && isCut && !isGone) {
      edits[atEnd] = { ...edits[atEnd]!, text: this.snapshot.ending + edits[atEnd]!.text };
    }
    const edit = Edit.of(edits);
    return edit.compose(this.#lastBreak(edit.apply(source))).normalize(source);
  }

  /** Replaces lines by their current numbers, last first, so that the numbers stay valid. */
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

  /**
   * Replaces lines by their current numbers; returns their snapshot range, or `undefined` where it
   * has none.
   */
  #replace({ start, end, lines }: WorkingSplice): { start: number; end: number } | undefined {
    const from = this.#locate(start);
    const to = end > start ? this.#locate(end - 1) : from;
    const [first, last] = [this.#splices[from.index], this.#splices[to.index]];
    const head = from.inside === undefined ? [] : first!.lines.slice(0, from.inside);
    let merged: WorkingSplice;
    let absorbed: number;
    if (end === start) {
      // Before a splice, new lines form a splice of their own; inside of one they become part of
      // it.
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
    // Before lines inserted at the same place, the place alone does not determine the order.
    const isAhead = end === start && from.inside !== undefined && first!.start === first!.end;
    return absorbed === 0 && !isAhead ? { start: merged.start, end: merged.end } : undefined;
  }

  /**
   * The origin of the line with the current number `now`: a snapshot line before splice `index`, or
   * a line inside of it.
   */
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

  /** The line, with an ending if it has none. */
  #closed(line: EndedLine): EndedLine {
    return line.ending === "" ? { text: line.text, ending: this.snapshot.ending } : line;
  }

  /** The line with this current number, with its original ending. */
  #ownLine(now: number): EndedLine {
    const shown = this.shownAt(now);
    if (shown !== undefined) return this.snapshot.line(shown);
    const index = this.#spliceAt(now);
    return this.#splices[index]!.lines[now - this.#numbersNow().starts[index]!]!;
  }

  /**
   * The index of the last splice that begins at or before the line with this current number; -1 if
   * none does.
   */
  #spliceAt(now: number): number {
    return firstIndex(this.#numbersNow().starts, (start) => start > now) - 1;
  }

  /** The offset of each line's start in the current text, and of the end of the last line. */
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
      // A last snapshot line without an ending gets one when lines follow it.
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

  /** Splits text into lines as this file separates them. */
  #split(text: string): readonly EndedLine[] {
    const pieces = this.snapshot.mark === "\r" ? text.match(/[^\r]+\r?|\r/g) : text.match(/[^\n]+\n?|\n/g);
    return (pieces ?? []).map((piece) => {
      const ending = /\r?\n$/.exec(piece)?.[0] ?? (piece.endsWith(this.snapshot.mark) ? this.snapshot.mark : "");
      return { text: piece.slice(0, piece.length - ending.length), ending: ending as EndedLine["ending"] };
    });
  }

  /** The edit that gives the last line of `text` the required ending. */
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

/**
 * The current number of the first line of each splice, or of the line after it for an empty one;
 * and the number of all lines.
 */
interface LineNumbers {
  readonly starts: readonly number[];
  readonly count: number;
}

/** A replacement of snapshot lines. */
interface WorkingSplice {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly EndedLine[];
}

function lengthOf({ text, ending }: EndedLine): number {
  return text.length + ending.length;
}

/** Maps the index of each unchanged line of `lines` to the old line. */
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

/** The text in `range` after edits that are all inside of it. */
function appliedWithin(edits: readonly TextEdit[], text: string, range: TextRange): string {
  let changed = "";
  let passed = range.start;
  for (const edit of edits) {
    changed += text.slice(passed, edit.start) + edit.text;
    passed = edit.end;
  }
  return changed + text.slice(passed, range.end);
}

/**
 * Binary search: the index of the first item for which `holds` is true, given that it is true for
 * all later ones; the item count if there is none.
 */
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
