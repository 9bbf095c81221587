import { isTriviaFilling } from "./expected-terminals.ts";
import type { Filling } from "./filling.ts";
import type { Hole } from "./hole.ts";
import type { TextGuide } from "./text-guide.ts";

/** Options of {@link HoleGuide}. */
export interface HoleGuideOptions {
  /** The most bytes of UTF-8 in a whole answer; no limit by default. */
  readonly maxBytes?: number;
}

/** A text that was checked, with its results. */
interface CheckedText {
  readonly text: string;
  readonly filling: Filling;
  readonly bytes: number;
  /**
   * An upper bound on the length of its shortest ending, in bytes, as far as it was needed;
   * infinity where no ending that fits was found.
   */
  endingBytes?: number;
}

/**
 * The most bytes by which one more written byte can lengthen the shortest ending: `do` needs
 * `;while(a)`. Within this distance of the budget's end the ending is computed for each text.
 */
const endingPerByte = 6;

/**
 * Guides an answer that fills a hole: decides whether an answer may begin with a text, and whether
 * the text is complete.
 *
 * With a budget, a text is allowed only where an ending that still fits is found. A text that
 * extends the previous one is read incrementally.
 */
export class HoleGuide implements TextGuide {
  readonly hole: Hole;
  readonly maxBytes: number;
  /** The latest checked texts, each a prefix of the next. */
  readonly #prefixes: [CheckedText, ...CheckedText[]];

  constructor(hole: Hole, { maxBytes = Number.POSITIVE_INFINITY }: HoleGuideOptions = {}) {
    this.hole = hole;
    this.maxBytes = maxBytes;
    this.#prefixes = [{ text: "", filling: hole.empty, bytes: 0 }];
  }

  allows(text: string): boolean {
    const known = this.#lookUp(text);
    return this.hole.isAlive(known.filling) && this.#fits(known);
  }

  canContinue(text: string): boolean {
    return this.hole.isAlive(this.#lookUp(text).filling);
  }

  mayEnd(text: string): boolean {
    const { filling, bytes } = this.#lookUp(text);
    return bytes <= this.maxBytes && !endsInHighSurrogate(text) && this.hole.canStop(filling);
  }

  isTrivia(text: string): boolean {
    return isTriviaFilling(this.hole, this.#lookUp(text).filling);
  }

  ending(text: string): string | undefined {
    const known = this.#lookUp(text);
    const bytes = this.#ending(known);
    return bytes === undefined || known.bytes + bytes.length > this.maxBytes ? undefined : decoder.decode(bytes);
  }

  /** Distinct endings of `text` that fit, for callers with more knowledge than the grammar. */
  *otherEndings(text: string): Generator<string, undefined> {
    const { filling, bytes } = this.#lookUp(text);
    if (endsInHighSurrogate(text)) return undefined;
    for (const ending of this.hole.otherEndings(filling)) {
      if (bytes + ending.length <= this.maxBytes) yield decoder.decode(ending);
    }
    return undefined;
  }

  /** Computes the ending only where the text may have become too long for one. */
  #fits(known: CheckedText): boolean {
    const { maxBytes } = this;
    if (maxBytes === Number.POSITIVE_INFINITY) return true;
    const left = maxBytes - known.bytes;
    if (left < 0) return false;
    const before = this.#prefixes.at(-2);
    const most =
      before?.endingBytes === undefined ? undefined : before.endingBytes + endingPerByte * (known.bytes - before.bytes);
    known.endingBytes ??=
      most !== undefined && most <= left ? most : (this.#ending(known)?.length ?? Number.POSITIVE_INFINITY);
    return known.endingBytes <= left;
  }

  #ending(known: CheckedText): Uint8Array | undefined {
    const ending = this.hole.isAlive(known.filling)
      ? this.hole.shortestEnding(known.filling, { maxBytes: this.maxBytes - known.bytes })
      : undefined;
    if (ending !== undefined) known.endingBytes = ending.length;
    return ending;
  }

  #lookUp(text: string): CheckedText {
    const whole = endsInHighSurrogate(text) ? text.slice(0, -1) : text;
    while (!whole.startsWith(this.#prefixes.at(-1)!.text)) this.#prefixes.pop();
    const last = this.#prefixes.at(-1)!;
    if (last.text.length === whole.length) return last;
    const added = encoder.encode(whole.slice(last.text.length));
    const known: CheckedText = {
      text: whole,
      filling: this.hole.add(last.filling, added),
      bytes: last.bytes + added.length,
    };
    this.#prefixes.push(known);
    return known;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Whether a text ends in a high surrogate, whose low surrogate is still to come. */
function endsInHighSurrogate(text: string): boolean {
  return /[\ud800-\udbff]$/.test(text);
}
