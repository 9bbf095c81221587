import { isTriviaFilling } from "./expected-terminals.ts";
import type { Filling } from "./filling.ts";
import type { Hole } from "./hole.ts";
import type { TextGuide } from "./text-guide.ts";

/** How a {@link HoleGuide} is made. */
export interface HoleGuideOptions {
  /** The most bytes of UTF-8 that a whole answer may have; default: any number. */
  readonly maxBytes?: number;
}

/** A text that was asked about, and what is known of it. */
interface Known {
  readonly text: string;
  readonly filling: Filling;
  readonly bytes: number;
  /**
   * How many bytes its shortest ending has at most, as far as that was needed; infinity where none
   * is found that fits.
   */
  endingBytes?: number;
}

/**
 * So many bytes longer the shortest ending may become by each byte that is written: `do` is ended
 * by `;while(a)`. Within this distance from the budget's end it is looked up for each text.
 */
const endingPerByte = 6;

/**
 * Says of texts what may stand in a hole: whether an answer may begin with them, and whether it may
 * end there.
 *
 * With a budget a text is allowed only where an ending is found that still fits. Texts that go on
 * from the one before are read on from there.
 */
export class HoleGuide implements TextGuide {
  readonly hole: Hole;
  readonly maxBytes: number;
  /** The texts asked about last, each the beginning of the next. */
  readonly #trail: [Known, ...Known[]];

  constructor(hole: Hole, { maxBytes = Number.POSITIVE_INFINITY }: HoleGuideOptions = {}) {
    this.hole = hole;
    this.maxBytes = maxBytes;
    this.#trail = [{ text: "", filling: hole.empty, bytes: 0 }];
  }

  allows(text: string): boolean {
    const known = this.#know(text);
    return this.hole.isAlive(known.filling) && this.#fits(known);
  }

  canGoOn(text: string): boolean {
    return this.hole.isAlive(this.#know(text).filling);
  }

  mayEnd(text: string): boolean {
    const { filling, bytes } = this.#know(text);
    return bytes <= this.maxBytes && !endsInHalf(text) && this.hole.canStop(filling);
  }

  isTrivia(text: string): boolean {
    return isTriviaFilling(this.hole, this.#know(text).filling);
  }

  ending(text: string): string | undefined {
    const known = this.#know(text);
    const bytes = this.#ending(known);
    return bytes === undefined || known.bytes + bytes.length > this.maxBytes ? undefined : decoder.decode(bytes);
  }

  /** Endings of `text` that fit, different ones: for a caller that knows more than the grammar. */
  *otherEndings(text: string): Generator<string, undefined> {
    const { filling, bytes } = this.#know(text);
    if (endsInHalf(text)) return undefined;
    for (const ending of this.hole.otherEndings(filling)) {
      if (bytes + ending.length <= this.maxBytes) yield decoder.decode(ending);
    }
    return undefined;
  }

  /** The ending's length is looked up only where a text may have become too long to be ended. */
  #fits(known: Known): boolean {
    const { maxBytes } = this;
    if (maxBytes === Number.POSITIVE_INFINITY) return true;
    const left = maxBytes - known.bytes;
    if (left < 0) return false;
    const before = this.#trail.at(-2);
    const most =
      before?.endingBytes === undefined ? undefined : before.endingBytes + endingPerByte * (known.bytes - before.bytes);
    known.endingBytes ??=
      most !== undefined && most <= left ? most : (this.#ending(known)?.length ?? Number.POSITIVE_INFINITY);
    return known.endingBytes <= left;
  }

  #ending(known: Known): Uint8Array | undefined {
    const ending = this.hole.isAlive(known.filling)
      ? this.hole.shortestEnding(known.filling, { maxBytes: this.maxBytes - known.bytes })
      : undefined;
    if (ending !== undefined) known.endingBytes = ending.length;
    return ending;
  }

  #know(text: string): Known {
    const whole = endsInHalf(text) ? text.slice(0, -1) : text;
    while (!whole.startsWith(this.#trail.at(-1)!.text)) this.#trail.pop();
    const last = this.#trail.at(-1)!;
    if (last.text.length === whole.length) return last;
    const added = encoder.encode(whole.slice(last.text.length));
    const known: Known = {
      text: whole,
      filling: this.hole.add(last.filling, added),
      bytes: last.bytes + added.length,
    };
    this.#trail.push(known);
    return known;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Whether a text ends in the first half of a character, whose other half is to come. */
function endsInHalf(text: string): boolean {
  return /[\ud800-\udbff]$/.test(text);
}
