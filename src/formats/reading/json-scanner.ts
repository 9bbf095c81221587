/**
 * Finds the end of a JSON text while it arrives: after the bracket that closes its first one.
 *
 * It tracks brackets and strings only. Raw line breaks in strings are allowed.
 */
export class JsonScanner {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** Whether the text so far ends inside of a string. */
  get isInString(): boolean {
    return this.#isInString;
  }

  /**
   * Scans `piece` from `start` on. Returns the offset after the last bracket, or `undefined` while
   * it is missing.
   */
  scan(piece: string, start = 0): number | undefined {
    for (let i = start; i < piece.length; i++) {
      const character = piece.charAt(i);
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (character === "\\") this.#isEscaped = true;
        else if (character === '"') this.#isInString = false;
      } else if (character === '"') {
        this.#isInString = true;
      } else if (character === "{" || character === "[") {
        this.#depth++;
      } else if (character === "}" || character === "]") {
        this.#depth--;
        if (this.#depth <= 0) return i + 1;
      }
    }
    return undefined;
  }
}
