import { copyText } from "../text/copy-text.ts";

/** So many times what is like a text that took too long is not tried. */
const skips = 30;

/**
 * A text is like another one where the first so many UTF-16 units are the same, and its length
 * differs by less than that.
 */
const alike = 500;

/** The most texts that are remembered. */
const maxTexts = 8;

/**
 * Texts that took too long to parse. While such a text is typed in, each of its states would take
 * as long: only one in {@link skips} is tried, as it may have become better.
 */
export class TooLongTexts {
  #known: readonly KnownText[] = [];

  /** Whether a text is one of them, or like one, and is not to be tried this time. */
  holds(language: string, text: string): boolean {
    const known = this.#known.find((one) => isLike(one, language, text));
    if (known === undefined) return false;
    known.left -= 1;
    if (known.left <= 0) this.#known = this.#known.filter((one) => one !== known);
    return true;
  }

  add(language: string, text: string): void {
    const known = { language, start: copyText(text.slice(0, alike)), length: text.length, left: skips };
    this.#known = [...this.#known.filter((one) => !isLike(one, language, text)), known].slice(-maxTexts);
  }
}

interface KnownText {
  readonly language: string;
  readonly start: string;
  readonly length: number;
  left: number;
}

function isLike(one: KnownText, language: string, text: string): boolean {
  const isNear = one.language === language && Math.abs(one.length - text.length) < alike;
  return isNear && text.startsWith(one.start);
}
