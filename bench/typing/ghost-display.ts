/** What became of the ghost text that a person sees. */
export interface DisplayCounts {
  /** Keys after which ghost text was there before the next key. */
  shown: number;
  /** Ghost text that gave way to other text although the person typed exactly it. */
  replaced: number;
  /** Ghost text that went although the person typed exactly it. */
  vanished: number;
  /** Ghost text that was typed to its end. */
  typedThrough: number;
}

/**
 * The ghost text of an editor: while the person types exactly what is shown, the rest of it stays;
 * any other key takes it away; an answer takes its place.
 */
export class GhostDisplay {
  readonly counts: DisplayCounts = { shown: 0, replaced: 0, vanished: 0, typedThrough: 0 };
  #rest = "";

  /** What is seen behind the cursor. */
  get rest(): string {
    return this.#rest;
  }

  /** The person types `key`. */
  type(key: string): void {
    if (this.#rest !== "") this.counts.shown += 1;
    const agrees = this.#rest !== "" && this.#rest.startsWith(key);
    if (agrees && this.#rest === key) this.counts.typedThrough += 1;
    this.#rest = agrees ? this.#rest.slice(key.length) : "";
  }

  /**
   * An answer about the present text has come; `""` when nothing is offered. One that only adds to
   * what is shown is no change to a person.
   */
  answer(ghost: string): void {
    if (this.#rest !== "" && !ghost.startsWith(this.#rest)) {
      if (ghost === "") this.counts.vanished += 1;
      else this.counts.replaced += 1;
    }
    this.#rest = ghost;
  }

  /** The document is closed. */
  clear(): void {
    this.#rest = "";
  }
}
