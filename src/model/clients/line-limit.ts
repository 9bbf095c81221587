/**
 * Cuts a stream of text behind a number of lines; the end of the last line is left out.
 *
 * Lines end with `\n`, `\r\n` or `\r`. A piece must not end between `\r` and `\n`.
 */
export class LineLimit {
  #left: number;

  /** Lets `maxLines` lines through, at least 1. */
  constructor(maxLines: number) {
    this.#left = maxLines;
  }

  /** Whether all lines have come; nothing comes out from then on. */
  get isReached(): boolean {
    return this.#left <= 0;
  }

  /** What of `text` belongs to the lines that are wanted. */
  push(text: string): string {
    if (this.isReached) return "";
    for (const { index } of text.matchAll(/\r\n|\r|\n/g)) {
      this.#left -= 1;
      if (this.#left <= 0) return text.slice(0, index);
    }
    return text;
  }
}
