import { tearsCharacter } from "../text/index.ts";

/** Why a filter has removed text. */
export type Removal =
  /** Reasoning, or sentences about the text. */
  | "talk"
  /** A code fence, and what follows its end. */
  | "fence"
  /** A repetition of the text before or after the place. */
  | "repetition"
  | "invisible"
  /** A stop text, and what follows it. */
  | "stop"
  /** Lines beyond the requested ones. */
  | "lines";

/**
 * Removes parts of a model's text while it arrives.
 *
 * Laws: what comes out in total does not depend on how the text is cut into pieces, and what came
 * out is never taken back.
 */
export interface StreamFilter {
  /** Takes the next piece. Returns the text that can be let through now. */
  push(text: string): string;
  /** Returns the rest, at the end of the text or once nothing more comes out. */
  end(): string;
  /** Whether nothing more comes out, whatever follows. */
  readonly isOver: boolean;
  /** Why text was removed so far, in a pipeline also behind the end of what came out. */
  readonly removed: ReadonlySet<Removal>;
}

/**
 * One filter that passes text through several, in order. It is over as soon as one of them is, and
 * has let the rest of the others through then.
 */
export function pipeline(filters: readonly StreamFilter[]): StreamFilter {
  return new Pipeline(filters);
}

class Pipeline implements StreamFilter {
  #isOver = false;
  readonly #filters: readonly StreamFilter[];

  constructor(filters: readonly StreamFilter[]) {
    this.#filters = filters;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get removed(): ReadonlySet<Removal> {
    return new Set(this.#filters.flatMap(({ removed }) => [...removed]));
  }

  push(text: string): string {
    return this.#pass(text, false);
  }

  end(): string {
    return this.#pass("", true);
  }

  #pass(text: string, isLast: boolean): string {
    if (this.#isOver) return "";
    let passed = text;
    let isOver = isLast;
    for (const filter of this.#filters) {
      passed = filter.push(passed) + (isOver ? filter.end() : "");
      isOver ||= filter.isOver;
    }
    this.#isOver = isOver;
    return passed;
  }
}

/** How many UTF-16 units at the beginning of an answer a {@link BeginningFilter} removes. */
export type ReadBeginning = (text: string, isWhole: boolean) => number | undefined;

/**
 * Removes the beginning of an answer. The answer is held back while `read` returns `undefined` for
 * it, which it must not do where `isWhole` is set, for an answer that is complete.
 */
export class BeginningFilter implements StreamFilter {
  readonly isOver = false;
  readonly removed = new Set<Removal>();
  readonly #read: ReadBeginning;
  readonly #reason: Removal;
  #held: string | undefined = "";

  constructor(reason: Removal, read: ReadBeginning) {
    this.#reason = reason;
    this.#read = read;
  }

  push(text: string): string {
    return this.#take(text, false);
  }

  end(): string {
    return this.#take("", true);
  }

  #take(text: string, isWhole: boolean): string {
    if (this.#held === undefined) return text;
    this.#held += text;
    const length = this.#read(this.#held, isWhole);
    if (length === undefined) return "";
    if (length > 0) this.removed.add(this.#reason);
    const rest = this.#held.slice(length);
    this.#held = undefined;
    return rest;
  }
}

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
