import { byteOrderMark, diffSequences, Edit, type TextEdit } from "../text/index.ts";
import { type EndedLine, LineTable } from "./line-table.ts";
import type { LineSplice } from "./placement.ts";

/**
 * A file while edits are put into it: the text that the model was shown, and what has become of its lines.
 *
 * Knows two ways to name lines: by their number in the snapshot, which never changes, and by their number now. Lines that
 * nobody replaces keep their bytes. Inserted lines take the ending of the line they replace, else of their neighbour,
 * else the one that the file uses most. Whether the last line has an ending stays as it was, unless
 * {@link setFinalNewline} or {@link replaceText} says otherwise.
 */
export class WorkingText {
  readonly snapshot: LineTable;
  /** Sorted by their places; those at one place in the order of the text. */
  readonly #splices: WorkingSplice[] = [];
  #endsWithBreak: boolean;
  #lines: readonly EndedLine[] | undefined;
  #text: string | undefined;

  constructor(text: string) {
    this.snapshot = LineTable.of(text);
    this.#endsWithBreak = this.snapshot.endsWithBreak;
    this.#text = text;
  }

  /** The lines as they are now. */
  get lines(): readonly EndedLine[] {
    this.#lines ??= this.#currentLines();
    return this.#lines;
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
    const index = firstIndex(this.#splices, (splice) => splice.end > start);
    const next = this.#splices[index];
    if (next !== undefined && next.start < (start === end ? start : end)) return false;
    const old = Array.from({ length: end - start }, (_, i) => this.snapshot.line(start + i));
    const neighbour = this.snapshot.line(start > 0 ? start - 1 : end);
    this.#splices.splice(index, 0, { start, end, lines: this.#ended(lines, old, neighbour) });
    this.#changed();
    return true;
  }

  /**
   * Puts `lines` in the place of those that are from `start` up to `end` now.
   *
   * Answers where that is in the snapshot, or `undefined` where earlier edits have put in some of the replaced lines.
   */
  replaceLines({ start, end, lines }: LineSplice): LineSplice | undefined {
    const now = this.lines;
    const neighbour = now[start - 1] ?? now[end] ?? { ending: "" as const };
    const place = this.#replace(start, end, this.#ended(lines, now.slice(start, end), neighbour));
    return place === undefined ? undefined : { ...place, lines };
  }

  /**
   * Puts `text` in the place of the text that is in `[start, end)` now, line endings included.
   *
   * Answers what that does to whole lines of the snapshot, or `undefined` where earlier edits have put in some of them.
   */
  replaceText({ start, end, text }: TextEdit): LineSplice | undefined {
    const now = this.lines;
    // The lines that the place touches: from the one it begins on to the one on which the new text ends.
    let offset = this.text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
    let first = 0;
    while (first < now.length && offset + lengthOf(now[first]!) <= start) offset += lengthOf(now[first++]!);
    let last = first;
    let lastOffset = offset;
    while (last < now.length && lastOffset < end) lastOffset += lengthOf(now[last++]!);
    let changed = this.text.slice(offset, start) + text + this.text.slice(end, lastOffset);
    if (!changed.endsWith(this.snapshot.mark) && changed !== "" && last < now.length) {
      changed += now[last]!.text + now[last]!.ending;
      last++;
    }
    const lines = this.#split(changed);
    const endsWithBreak = last < now.length ? this.#endsWithBreak : (lines.at(-1) ?? now[first - 1])?.ending !== "";
    const place = this.#replace(first, last, lines);
    this.#endsWithBreak = endsWithBreak;
    return place === undefined ? undefined : { ...place, lines: lines.map((line) => line.text) };
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
    const atEnd = this.#splices.findIndex((splice) => splice.start === count);
    const isCut = count > 0 && this.snapshot.line(count - 1).ending === "";
    if (atEnd >= 0 && isCut && this.#splices[atEnd - 1]?.end !== count) {
      edits[atEnd] = { ...edits[atEnd]!, text: this.snapshot.ending + edits[atEnd]!.text };
    }
    const edit = Edit.of(edits);
    return edit.compose(this.#lastBreak(edit.apply(source))).normalize(source);
  }

  /** Puts lines that have their endings in the place of those that are from `start` up to `end` now. */
  #replace(start: number, end: number, lines: readonly EndedLine[]): { start: number; end: number } | undefined {
    const from = this.#locate(start);
    const to = end > start ? this.#locate(end - 1) : from;
    const [first, last] = [this.#splices[from.index], this.#splices[to.index]];
    const head = from.inside === undefined ? [] : first!.lines.slice(0, from.inside);
    const isInsertion = end === start;
    let merged: WorkingSplice;
    let absorbed: number;
    if (isInsertion) {
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
    this.#changed();
    return absorbed === 0 ? { start: merged.start, end: merged.end } : undefined;
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

  #currentLines(): readonly EndedLine[] {
    const lines: EndedLine[] = [];
    let passed = 0;
    for (const splice of [...this.#splices, { start: this.snapshot.count, end: this.snapshot.count, lines: [] }]) {
      for (; passed < splice.start; passed++) lines.push(this.snapshot.line(passed));
      for (const line of splice.lines) lines.push(line);
      passed = splice.end;
    }
    for (const [i, line] of lines.entries()) {
      const isLast = i === lines.length - 1;
      if (isLast ? this.#endsWithBreak === (line.ending !== "") : line.ending !== "") continue;
      lines[i] = { text: line.text, ending: isLast && !this.#endsWithBreak ? "" : this.snapshot.ending };
    }
    return lines;
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
    const [last] = this.#split(text.slice(text.lastIndexOf(this.snapshot.mark, text.length - 2) + 1));
    if (last === undefined || text === byteOrderMark || (last.ending !== "") === this.#endsWithBreak) return Edit.empty;
    if (this.#endsWithBreak) return Edit.insert(text.length, this.snapshot.ending);
    return Edit.delete({ start: text.length - last.ending.length, end: text.length });
  }

  #changed(): void {
    this.#lines = undefined;
    this.#text = undefined;
  }
}

/** Lines in the place of lines of the snapshot. */
interface WorkingSplice {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly EndedLine[];
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

function lengthOf(line: EndedLine): number {
  return line.text.length + line.ending.length;
}

/** The index of the first of the items for which it holds, given that it holds for all behind that one; or their count. */
function firstIndex<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
