import type { Language } from "../languages/index.ts";
import type { TextRange } from "../text/index.ts";
import { type Scan, scan } from "./scan.ts";
import { tagName } from "./scan-markup.ts";
import type { RegionKind } from "./scan-state.ts";

export interface Bracket {
  readonly offset: number;
  /** The bracket itself, one code unit. */
  readonly text: string;
  /** The offset of its partner, or `undefined` where it has none. */
  readonly partner: number | undefined;
}

/**
 * A range of a text that is not code: a comment, a literal, or text between tags and around islands
 * of code.
 */
export interface Region extends TextRange {
  readonly kind: RegionKind;
}

/**
 * The brackets, strings and comments of a text, found in one pass by the language's row in the
 * registry.
 *
 * It works on any text, however broken, and on languages without a grammar, and is fast enough for
 * every keystroke. A closing bracket closes the nearest opening one of its kind, and brackets
 * opened in between stay unmatched. Offsets are UTF-16.
 *
 * Law: in a text that its parser accepts, every bracket has its partner.
 */
export class Structure {
  /** Scans `text` as this language. Never throws. */
  static of(text: string, language: Language): Structure {
    return new Structure(text, scan(text, language));
  }

  readonly text: string;
  readonly #scan: Scan;

  private constructor(text: string, result: Scan) {
    this.text = text;
    this.#scan = result;
  }

  /** All brackets in code, in the order of the text. */
  get brackets(): Bracket[] {
    return this.#scan.offsets.map((_, index) => this.#bracket(index));
  }

  /** The brackets without a partner, in the order of the text. */
  get unmatched(): Bracket[] {
    return this.brackets.filter((bracket) => bracket.partner === undefined);
  }

  /** All ranges that are not code, in the order of the text. */
  get regions(): Region[] {
    return this.#scan.regionStarts.map((_, index) => this.#region(index));
  }

  /**
   * The brackets that are open at `offset`, outermost first: opened before it, and closed after it
   * or never.
   */
  openersBefore(offset: number): Bracket[] {
    const { offsets, parents, leftAt, closing } = this.#scan;
    const open: Bracket[] = [];
    let index = lastBefore(offsets, offset);
    while (index >= 0) {
      if (closing[index] === 0 && leftAt[index]! >= offset) open.push(this.#bracket(index));
      index = parents[index]!;
    }
    return open.reverse();
  }

  /**
   * The closing brackets at or after `offset` whose partner is before it or missing, nearest first.
   */
  closersAfter(offset: number): Bracket[] {
    const partners = this.openersBefore(offset).flatMap((opener) =>
      opener.partner === undefined ? [] : [opener.partner],
    );
    const { offsets, strays } = this.#scan;
    const lost = strays.filter((index) => offsets[index]! >= offset).map((index) => offsets[index]!);
    return [...partners, ...lost].sort((a, b) => a - b).map((at) => this.bracketAt(at)!);
  }

  /** The bracket at `offset`; `undefined` where there is none, as in a string or a comment. */
  bracketAt(offset: number): Bracket | undefined {
    const index = lastBefore(this.#scan.offsets, offset + 1);
    return this.#scan.offsets[index] === offset ? this.#bracket(index) : undefined;
  }

  /**
   * The range that is not code into which a cursor at `offset` would type; `undefined` in code.
   *
   * A cursor before an opening quote or after a closing one is outside; at the end of a line
   * comment or an unclosed string, and at either end of text, it is inside.
   */
  regionAt(offset: number): Region | undefined {
    const { regionStarts, regionEnds, regionOpen } = this.#scan;
    const last = lastBefore(regionStarts, offset + 1);
    // Where two regions touch, the cursor may be at the end of one and at the start of the next.
    for (let index = last; index >= 0 && index >= last - 1; index--) {
      const isBehindStart = regionStarts[index]! < offset || (regionOpen[index]! & 1) === 1;
      const isBeforeEnd =
        regionEnds[index]! > offset || (regionEnds[index]! === offset && (regionOpen[index]! & 2) === 2);
      if (isBehindStart && isBeforeEnd) return this.#region(index);
    }
    return undefined;
  }

  /**
   * The names of the elements that are open at the end of the text, outermost first; empty for a
   * JSX fragment.
   *
   * In JSX, elements around code in braces are left out. In HTML, elements whose end tag is
   * optional are included.
   */
  get openElements(): string[] {
    return this.#scan.openTags.map((start) => tagName(this.text, start));
  }

  /** Whether a cursor at `offset` would type into a string. */
  isInsideString(offset: number): boolean {
    return this.regionAt(offset)?.kind === "string";
  }

  /** Whether a cursor at `offset` would type into a comment. */
  isInsideComment(offset: number): boolean {
    return this.regionAt(offset)?.kind === "comment";
  }

  #bracket(index: number): Bracket {
    const offset = this.#scan.offsets[index]!;
    const partner = this.#scan.partners[index]!;
    return { offset, text: this.text[offset]!, partner: partner < 0 ? undefined : this.#scan.offsets[partner]! };
  }

  #region(index: number): Region {
    const { regionStarts, regionEnds, regionKinds } = this.#scan;
    return { kind: regionKinds[index]!, start: regionStarts[index]!, end: regionEnds[index]! };
  }
}

/** The index of the last value below `limit` in ascending values, or -1. */
function lastBefore(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
