/** The end of what a program says, of at most so many characters, on whole lines where it can be. */
export class OutputTail {
  readonly #most: number;
  #text = "";

  constructor(most: number) {
    this.#most = most;
  }

  add(text: string): void {
    this.#text += text;
    // It is cut now and then, not at each word.
    if (this.#text.length > 4 * this.#most) this.#text = this.#text.slice(-this.#most);
  }

  get text(): string {
    if (this.#text.length <= this.#most) return this.#text;
    const tail = this.#text.slice(-this.#most);
    const start = tail.indexOf("\n") + 1;
    return start < tail.length / 2 ? tail.slice(start) : tail;
  }
}
