import { tearsCharacter } from "../text/index.ts";
import type { Removal, StreamFilter } from "./stream-filter.ts";

/** Holds back the first half of a surrogate pair or of a `\r\n` until the second has come. */
export class WholeCharacters implements StreamFilter {
  readonly isOver = false;
  readonly removed: ReadonlySet<Removal> = new Set();
  #held = "";

  push(text: string): string {
    const all = this.#held + text;
    const last = all.charCodeAt(all.length - 1);
    const isOpen = tearsCharacter(last, lowSurrogate) || tearsCharacter(last, lineFeed);
    this.#held = isOpen ? all.slice(-1) : "";
    return isOpen ? all.slice(0, -1) : all;
  }

  /**
   * The text held back, at the end of the answer; half of a surrogate pair is no character, and
   * dropped.
   */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held === "\r" ? held : "";
  }
}

const lowSurrogate = 0xdc00;
const lineFeed = 0x0a;
