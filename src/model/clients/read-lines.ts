/**
 * Collects pieces of text and hands out whole lines, without their ends; empty lines are left out.
 *
 * Takes time in proportion to the text, however small the pieces. Calls `tooLong`, which must
 * throw, when a line grows past `limit` characters.
 */
export class LineReader {
  readonly #limit: number;
  readonly #tooLong: () => never;
  #pieces: string[] = [];
  #length = 0;

  constructor(limit: number, tooLong: () => never) {
    this.#limit = limit;
    this.#tooLong = tooLong;
  }

  /** The lines that `text` completes. */
  push(text: string): readonly string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#add(text.slice(start, end));
      lines.push(...this.end());
      start = end + 1;
    }
    this.#add(text.slice(start));
    return lines;
  }

  /** The last line, which may lack its end; none when it is empty. */
  end(): readonly string[] {
    const line = this.#pieces.join("").replace(/\r$/, "");
    this.#pieces = [];
    this.#length = 0;
    return line.trim() === "" ? [] : [line];
  }

  #add(piece: string): void {
    if (piece === "") return;
    this.#length += piece.length;
    if (this.#length > this.#limit) this.#tooLong();
    this.#pieces.push(piece);
  }
}
