import type { Removal, StreamFilter } from "./stream-filter.ts";

/**
 * A text without characters that only a compiler sees: the shown text has to be the written text.
 *
 * Removed are control characters other than tabs and line endings, and marks that turn the
 * direction of text or join, split and fill it without a sign of their own. A joiner stays between
 * letters of the scripts that write with it and within an emoji, so do the selectors of an emoji's
 * look and the tags of a flag; they stay in code too, where such letters are names. A string that
 * needs another one can have it as an escape.
 *
 * Source: Boucher and Anderson 2021, Trojan Source; Unicode Standard Annex 31, section 2.3, and 51.
 */
export function withoutInvisible(text: string): string {
  return mayHold.test(text) ? text.replace(invisible, "") : text;
}

const mayHold = /[^\t\n\r\x20-\x7e]/;

/**
 * Letters between which joiners are spelling: Arabic and its relatives, and the scripts of India
 * and its neighbours.
 */
const joining = String.raw`[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]`;

const pictograph = String.raw`\p{Extended_Pictographic}`;

const invisible = new RegExp(
  [
    // Controls but tabs and line ends; soft hyphens, fillers, and letters and marks that have no
    // shape.
    String.raw`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0\ufff9-\ufffb]`,
    // Marks, embeddings, overrides and isolates of direction; invisible spaces, joiners and
    // operators.
    String.raw`[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]`,
    // Joiners that join nothing.
    String.raw`\u200c(?!${joining})|(?<!${joining}\p{M}?)\u200c`,
    String.raw`\u200d(?!${joining}|${pictograph})|(?<!${joining}\p{M}?|(?:${pictograph}|\p{Emoji_Modifier})\ufe0f?)\u200d`,
    // Selectors of a look that nothing before them has.
    String.raw`(?<![\p{Emoji}\p{Script=Han}\p{Script=Mongolian}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?<=[0-9#*])\ufe0f(?!\u20e3)`,
    // Tags outside of a flag.
    String.raw`(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0000}-\u{e007f}]`,
  ].join("|"),
  "gu",
);

/** {@link withoutInvisible} while a text arrives. */
export class InvisibleFilter implements StreamFilter {
  readonly isOver = false;
  readonly removed = new Set<Removal>();
  /** The last ASCII character, which was let through, and what follows it, which was not. */
  #before = "";
  #held = "";

  push(text: string): string {
    const all = this.#held + text;
    // What decides about a character ends at an ASCII character on each side.
    let end = all.length;
    while (end > 0 && all.charCodeAt(end - 1) > 0x7f) end--;
    const decided = this.#clean(all.slice(0, end));
    if (end > 0) this.#before = all[end - 1]!;
    this.#held = all.slice(end);
    return decided;
  }

  end(): string {
    const rest = this.#clean(this.#held);
    this.#held = "";
    return rest;
  }

  #clean(text: string): string {
    const visible = withoutInvisible(this.#before + text).slice(withoutInvisible(this.#before).length);
    if (visible !== text) this.removed.add("invisible");
    return visible;
  }
}
