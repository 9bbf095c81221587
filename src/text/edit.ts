import { tearsCharacter } from "./characters.ts";
import { EmendError, invariant } from "./errors.ts";
import { movedBy, printRange, printTextEdit, type TextEdit, type TextRange } from "./text-edit.ts";

/** Which side of text inserted at an offset the offset stays on. */
export type Bias = "before" | "after";

/** The order of the texts when two edits insert at the same offset. */
export type Ties = "mine-first" | "base-first";

/**
 * A change of one text: replacements in ascending order that do not overlap.
 *
 * All offsets refer to the text before the change, in UTF-16 code units. Replacements may touch:
 * `[1, 3)` beside `[3, 5)`, or an insertion at 3 beside either. Texts inserted at the same offset
 * appear in the order of the list, and before the text that replaces what follows.
 *
 * Law: inserting `a` and then `b` at one offset of the list equals inserting `a + b` there.
 * Follows the edit algebra of VS Code (`StringEdit`) and the change sets of CodeMirror.
 */
export class Edit {
  /** The edit that changes nothing. */
  static readonly empty: Edit = new Edit([]);

  /**
   * Returns the edit with these replacements; those that replace nothing by nothing are left out.
   *
   * Throws `InvariantError` unless each range has whole offsets from 0 on with `start <= end`, and
   * starts where the one before it ends, or later.
   */
  static of(edits: Iterable<TextEdit>): Edit {
    const kept: TextEdit[] = [];
    let last = 0;
    for (const { start, end, text } of edits) {
      invariant(
        Number.isSafeInteger(start) && Number.isSafeInteger(end) && start <= end,
        () => `An edit needs whole offsets with start <= end, got [${start}, ${end})`,
      );
      invariant(last <= start, () => `Edits must be sorted and disjoint: [${start}, ${end}) begins before ${last}`);
      last = end;
      if (start < end || text !== "") kept.push({ start, end, text });
    }
    return kept.length === 0 ? Edit.empty : new Edit(kept);
  }

  /**
   * Returns the edit with these replacements, given in any order, or `undefined` when two of them
   * touch the same text.
   *
   * For replacements that come from elsewhere, such as a model or a language server. Insertions at
   * the same offset keep their order. Throws `InvariantError`, as {@link of} does, for a range that
   * is not well formed.
   */
  static tryOf(edits: Iterable<TextEdit>): Edit | undefined {
    const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
    const disjoint = sorted.every((edit, i) => i === 0 || sorted[i - 1]!.end <= edit.start);
    return disjoint ? Edit.of(sorted) : undefined;
  }

  /** Returns the edit that inserts `text` at `offset`. Throws as {@link of} does. */
  static insert(offset: number, text: string): Edit {
    return Edit.of([{ start: offset, end: offset, text }]);
  }

  /** Returns the edit that replaces `range` by `text`. Throws as {@link of} does. */
  static replace(range: TextRange, text: string): Edit {
    return Edit.of([{ start: range.start, end: range.end, text }]);
  }

  /** Returns the edit that deletes `range`. Throws as {@link of} does. */
  static delete(range: TextRange): Edit {
    return Edit.replace(range, "");
  }

  /** The replacements, sorted and disjoint. */
  readonly edits: readonly TextEdit[];

  private constructor(edits: readonly TextEdit[]) {
    this.edits = edits;
  }

  /**
   * Returns this edit for a text that has `by` more UTF-16 code units in front, fewer where
   * negative. Throws as {@link of} does.
   */
  movedBy(by: number): Edit {
    return Edit.of(this.edits.map((edit) => movedBy(edit, by)));
  }

  /**
   * Whether nothing is replaced. An edit that replaces text by the same text is not empty; see
   * {@link normalize}.
   */
  get isEmpty(): boolean {
    return this.edits.length === 0;
  }

  /** The range from the first replacement to the last one; `[0, 0)` where there is none. */
  get span(): TextRange {
    return { start: this.edits[0]?.start ?? 0, end: this.edits.at(-1)?.end ?? 0 };
  }

  /**
   * Returns one replacement with the same effect on `text`: from the first replacement, or from
   * `start` in front of it, to the last. The text between them is replaced by itself. An empty edit
   * becomes an empty replacement at 0.
   */
  inOne(text: string, start: number = this.span.start): TextEdit {
    const { end } = this.span;
    return { start, end, text: this.movedBy(-start).apply(text.slice(start, end)) };
  }

  /**
   * Returns the text after the change. Throws `EmendError` `out-of-bounds` when a range ends past
   * the end of `text`.
   */
  apply(text: string): string {
    this.#checkBounds(text);
    const parts: string[] = [];
    let offset = 0;
    for (const edit of this.edits) {
      parts.push(text.slice(offset, edit.start), edit.text);
      offset = edit.end;
    }
    parts.push(text.slice(offset));
    return parts.join("");
  }

  /**
   * Returns the change that reverts this one, for the text that {@link apply} returns.
   *
   * Throws `EmendError` `out-of-bounds` when a range ends past the end of `text`.
   * Law: `edit.invert(text).apply(edit.apply(text))` equals `text`.
   */
  invert(text: string): Edit {
    this.#checkBounds(text);
    const after = this.rangesAfter();
    return Edit.of(this.edits.map((edit, i) => ({ ...after[i]!, text: text.slice(edit.start, edit.end) })));
  }

  /**
   * Returns the change that has the effect of this one and then of `other`, which applies to the
   * text after this one.
   *
   * Replacements that touch become one, so that the result depends only on the characters that
   * remain. Laws: `a.compose(b).apply(t)` equals `b.apply(a.apply(t))`; composing is associative.
   */
  compose(other: Edit): Edit {
    const composed = new Joiner();
    const mine = this.edits;
    let i = 0;
    // How many code units of `mine[i].text` are behind us; its range counts as replaced once this
    // is above 0.
    let used = 0;
    // A survivor at `offset` before this change is at `offset + shift` after it.
    let shift = 0;

    // Passes what is left of `mine[i]` on, up to `length` code units of its text.
    const keep = (edit: TextEdit, length: number): void => {
      composed.add(used > 0 ? edit.end : edit.start, edit.end, edit.text.slice(used, length));
      used = length;
    };
    const leave = (edit: TextEdit): void => {
      shift += lengthChange(edit);
      used = 0;
      i++;
    };

    for (const theirs of other.edits) {
      for (; i < mine.length && mine[i]!.start + shift + mine[i]!.text.length <= theirs.start; leave(mine[i]!)) {
        keep(mine[i]!, mine[i]!.text.length);
      }
      const ahead = theirs.start - shift - (mine[i]?.start ?? Number.POSITIVE_INFINITY);
      if (ahead > 0) keep(mine[i]!, ahead);
      const start = used > 0 ? mine[i]!.end : theirs.start - shift;
      composed.add(start, start, theirs.text);

      // Everything in [offset, theirs.end) goes: survivors of this change, and text that it put in.
      let offset = theirs.start;
      while (offset < theirs.end) {
        const edit = mine[i];
        const editStart = edit === undefined ? Number.POSITIVE_INFINITY : edit.start + shift;
        if (edit === undefined || editStart >= theirs.end) {
          composed.add(offset - shift, theirs.end - shift, "");
          break;
        }
        if (offset < editStart) composed.add(offset - shift, edit.start, "");
        if (used === 0) composed.add(edit.start, edit.end, "");
        offset = Math.min(editStart + edit.text.length, theirs.end);
        used = offset - editStart;
        if (used === edit.text.length) leave(edit);
      }
    }
    for (; i < mine.length; leave(mine[i]!)) keep(mine[i]!, mine[i]!.text.length);
    return Edit.of(composed.edits);
  }

  /**
   * Whether this change and `other`, both of the same text, touch the same range.
   *
   * They do when both replace one and the same character, when one inserts strictly inside what the
   * other replaces, or when both insert at the same offset. Neighbours do not touch: `[1, 3)` and
   * `[3, 5)`, or an insertion at 3 and either of these; what was to the left stays to the left.
   * Symmetric.
   */
  touches(other: Edit): boolean {
    let i = 0;
    let j = 0;
    while (i < this.edits.length && j < other.edits.length) {
      const mine = this.edits[i]!;
      const theirs = other.edits[j]!;
      if (mine.start < theirs.end && theirs.start < mine.end) return true;
      if (isInsertion(mine) && isInsertion(theirs) && mine.start === theirs.start) return true;
      if (mine.end < theirs.end || (mine.end === theirs.end && mine.start < theirs.start)) i++;
      else j++;
    }
    return false;
  }

  /**
   * Moves this change past `base`, so that it applies to the text that `base` produces.
   *
   * Both start from the same text. Returns `undefined` when they touch the same range, see
   * {@link touches}. Law: `a.compose(b.tryRebase(a))` equals `b.compose(a.tryRebase(b))`, and both
   * are defined or neither is. Source: operational transformation, Ellis and Gibbs 1989.
   */
  tryRebase(base: Edit): Edit | undefined {
    return this.touches(base) ? undefined : this.rebase(base, "mine-first");
  }

  /**
   * Moves this change past `base`, also where both touch the same range: what either deletes is
   * deleted, and what either inserts stays.
   *
   * Both start from the same text. A replacement counts as an insertion at its start and a deletion
   * after it. `ties` decides whose text comes first where both insert, or both begin to replace,
   * at one offset; an insertion always comes before a replacement that begins there. Law:
   * `a.compose(b.rebase(a, "base-first"))` equals `b.compose(a.rebase(b, "mine-first"))`.
   */
  rebase(base: Edit, ties: Ties): Edit {
    const rebased = new Joiner();
    let j = 0;
    // A survivor at `offset` before `base` is at `offset + shift` after it, past the base edits
    // before `j`.
    let shift = 0;
    const leave = (edit: TextEdit): void => {
      shift += lengthChange(edit);
      j++;
    };

    for (const mine of this.edits) {
      while (j < base.edits.length && base.edits[j]!.end <= mine.start && baseGoesFirst(base.edits[j]!, mine, ties)) {
        leave(base.edits[j]!);
      }
      const around = base.edits[j];
      const insideBase = around !== undefined && around.start <= mine.start && baseGoesFirst(around, mine, ties);
      const start = insideBase ? around.start + shift + around.text.length : mine.start + shift;
      rebased.add(start, start, mine.text);

      // Deletes the characters of [offset, mine.end) which `base` left standing.
      let offset = mine.start;
      while (offset < mine.end) {
        const theirs = base.edits[j];
        const stop = theirs === undefined ? mine.end : Math.min(theirs.start, mine.end);
        if (offset < stop) rebased.add(offset + shift, stop + shift, "");
        if (theirs === undefined || theirs.start >= mine.end) break;
        offset = Math.max(offset, theirs.end);
        if (theirs.end > mine.end) break;
        leave(theirs);
      }
    }
    return Edit.of(rebased.edits);
  }

  /**
   * Returns the smallest edit of this shape with the same effect on `text`.
   *
   * Replacements that touch become one; what the old and the new text of each have in common at the
   * start, then at the end, is left out; what changes nothing is dropped. No replacement begins or
   * ends inside a surrogate pair or a `\r\n`, neither in `text` nor in the text after it: one that
   * did is widened first. What is common in the middle of a replacement stays replaced;
   * `minimalEdit` finds that.
   *
   * Throws `EmendError` `out-of-bounds` when a range ends past the end of `text`.
   * Laws: the effect on `text` is the same; normalizing again changes nothing.
   */
  normalize(text: string): Edit {
    this.#checkBounds(text);
    // A character is only ever torn from one of its two neighbours, so widened replacements may
    // meet, not overlap.
    const widened = new Joiner();
    for (const edit of join(this.edits)) {
      const { start, end, text: inserted } = widen(edit, text);
      widened.add(start, end, inserted);
    }
    return Edit.of(widened.edits.map((edit) => trim(edit, text)));
  }

  /**
   * Maps an offset of the text before the change to the text after it.
   *
   * At an insertion, and strictly inside a replaced range, `bias` decides: `before` is mapped to
   * the start of the new text, `after` to its end. The two ends of a replaced range map to the two
   * ends of its new text, whatever the bias.
   */
  mapOffset(offset: number, bias: Bias): number {
    let shift = 0;
    for (const edit of this.edits) {
      if (edit.start > offset) break;
      const decided = isInsertion(edit) ? edit.start === offset && bias === "before" : offset < edit.end;
      if (decided) {
        const front = offset === edit.start || bias === "before";
        return edit.start + shift + (front ? 0 : edit.text.length);
      }
      shift += lengthChange(edit);
    }
    return offset + shift;
  }

  /**
   * Maps a range of the text before the change to the text after it.
   *
   * `edges` decides whether text inserted exactly at an edge of the range becomes part of it. A
   * range that loses all of its own text strictly inside a replacement becomes, with `exclude`, the
   * empty range before the new text and, with `include`, the range of the new text. A range that is
   * replaced exactly becomes the range of its new text.
   */
  mapRange(range: TextRange, edges: "exclude" | "include"): TextRange {
    const start = this.mapOffset(range.start, edges === "include" ? "before" : "after");
    const end = this.mapOffset(range.end, edges === "include" ? "after" : "before");
    return { start: Math.min(start, end), end };
  }

  /** The range of each replacement's new text, in the text after the change. */
  rangesAfter(): readonly TextRange[] {
    let shift = 0;
    return this.edits.map((edit) => {
      const start = edit.start + shift;
      shift += lengthChange(edit);
      return { start, end: start + edit.text.length };
    });
  }

  /** Whether `other` has exactly the same replacements. */
  equals(other: Edit): boolean {
    return (
      this.edits.length === other.edits.length &&
      this.edits.every((mine, i) => {
        const theirs = other.edits[i]!;
        return mine.start === theirs.start && mine.end === theirs.end && mine.text === theirs.text;
      })
    );
  }

  /** Prints one short line: the first three replacements and the number of the others. */
  toString(): string {
    if (this.isEmpty) return "no change";
    const shown = this.edits.slice(0, 3).map(printTextEdit).join(", ");
    return this.edits.length > 3 ? `${shown} and ${this.edits.length - 3} more` : shown;
  }

  #checkBounds(text: string): void {
    const last = this.edits.at(-1);
    if (last === undefined || last.end <= text.length) return;
    throw new EmendError("out-of-bounds", `${printRange(last)} lies outside a text of ${text.length} code units`);
  }
}

/** Collects replacements in ascending order and joins those that touch. */
class Joiner {
  readonly edits: { start: number; end: number; text: string }[] = [];

  add(start: number, end: number, text: string): void {
    const last = this.edits.at(-1);
    if (last !== undefined && last.end === start) {
      last.end = end;
      last.text += text;
    } else if (start < end || text !== "") {
      this.edits.push({ start, end, text });
    }
  }
}

function join(edits: readonly TextEdit[]): readonly TextEdit[] {
  const joined = new Joiner();
  for (const edit of edits) joined.add(edit.start, edit.end, edit.text);
  return joined.edits;
}

function lengthChange(edit: TextEdit): number {
  return edit.text.length - (edit.end - edit.start);
}

function isInsertion(edit: TextEdit): boolean {
  return edit.start === edit.end;
}

/**
 * Whether the base's new text comes before this edit's, where neither range begins after the other
 * one ends.
 */
function baseGoesFirst(base: TextEdit, mine: TextEdit, ties: Ties): boolean {
  if (base.start !== mine.start) return base.start < mine.start;
  if (isInsertion(base) !== isInsertion(mine)) return isInsertion(base);
  return ties === "base-first";
}

/**
 * Widens an edit whose ends are inside a character, in `text` or in the text after.
 */
function widen(edit: TextEdit, text: string): TextEdit {
  let { start, end, text: inserted } = edit;
  const left = text.charCodeAt(start - 1);
  const firstAfter = inserted === "" ? text.charCodeAt(end) : inserted.charCodeAt(0);
  if (tearsCharacter(left, text.charCodeAt(start)) || tearsCharacter(left, firstAfter)) {
    inserted = text.charAt(--start) + inserted;
  }
  const right = text.charCodeAt(end);
  // If nothing is inserted still, what is now to the left and to the right was just found not to be
  // torn.
  const lastAfter = inserted.charCodeAt(inserted.length - 1);
  if (tearsCharacter(text.charCodeAt(end - 1), right) || tearsCharacter(lastAfter, right)) {
    inserted += text.charAt(end++);
  }
  return { start, end, text: inserted };
}

/**
 * Leaves out the common start and then the common end, without splitting a character in either
 * text.
 */
function trim(edit: TextEdit, text: string): TextEdit {
  const { start, end, text: inserted } = edit;
  const oldAt = (i: number): number => text.charCodeAt(start + i);
  // Past the inserted text, and before it, stand the survivors around the edit.
  const newAt = (i: number): number => {
    if (i < 0) return text.charCodeAt(start + i);
    return i < inserted.length ? inserted.charCodeAt(i) : text.charCodeAt(end + i - inserted.length);
  };
  const tears = (at: (i: number) => number, i: number): boolean => tearsCharacter(at(i - 1), at(i));

  const oldLength = end - start;
  const shorter = Math.min(oldLength, inserted.length);
  let front = 0;
  while (front < shorter && oldAt(front) === newAt(front)) front++;
  if (front > 0 && (tears(oldAt, front) || tears(newAt, front))) front--;
  let back = 0;
  while (back < shorter - front && oldAt(oldLength - back - 1) === newAt(inserted.length - back - 1)) back++;
  if (back > 0 && (tears(oldAt, oldLength - back) || tears(newAt, inserted.length - back))) back--;
  return { start: start + front, end: end - back, text: inserted.slice(front, inserted.length - back) };
}
