import { Parser, type Tree } from "web-tree-sitter";
import { copyText } from "../text/copy-text.ts";
import { InvariantError } from "../text/errors.ts";

/** The thread that a parser shares with all else that is to be done. */
export interface SharedThread {
  /** Returns to the event loop, so that other work can run. */
  yieldThread(): Promise<void>;
  /** Milliseconds from any origin. */
  readonly nowMs: () => number;
  /** Whether a text that takes too long has no tree, as where a person is typing. */
  readonly givesUp: boolean;
}

/**
 * How much a parser does for one text in all, and for one that is parsed at once. The unit is the
 * parser's own, about 40 microseconds of work: by a clock alone one text could have a tree today
 * and none tomorrow.
 */
const defaultMaxSteps = 20_000;
export const maxStepsAtOnce = 2_000;
/**
 * The least length of a slice, in milliseconds: in texts with many possible readings one step takes
 * a hundred times as long as usual.
 */
const minSliceMs = 15;
/**
 * A slice is at least such a part of all before it together. A parser that pauses begins its last
 * step again, which may take longer than {@link minSliceMs}.
 */
const growth = 1 / 10;
/**
 * The most time for one text, in milliseconds of its slices. It ends only texts whose steps take
 * far longer than usual, so that a request waits for less than 2 seconds.
 */
const maxMs = 1_200;

/** How a text is parsed in slices. */
export interface SlicedParseOptions {
  /** The tree of the text before an edit. */
  readonly base?: Tree;
  /** After so many steps a text has no tree where `thread.givesUp`; default 20,000. */
  readonly maxSteps?: number;
}

/**
 * Parses a text from nothing, or from the tree `base` of the text before an edit, a slice at a
 * time.
 *
 * `undefined` where it takes too long; 1 million characters take two thirds of what is given.
 * Without a `thread` the text is parsed at once, however long it takes.
 */
export async function parseInSlices(
  shared: Parser,
  text: string,
  thread: SharedThread | undefined,
  { base, maxSteps = defaultMaxSteps }: SlicedParseOptions = {},
): Promise<Tree | undefined> {
  if (thread === undefined) return parseAtOnce(shared, text, undefined, base);
  // Between two slices others may parse other texts.
  const parser = new Parser();
  try {
    parser.setLanguage(shared.language);
    const limit = thread.givesUp ? maxSteps : Number.POSITIVE_INFINITY;
    let steps = 0;
    let spentMs = 0;
    while (steps < limit && !(thread.givesUp && spentMs > maxMs)) {
      const startMs = thread.nowMs();
      const sliceMs = Math.max(minSliceMs, spentMs * growth);
      const progressCallback = () => ++steps > limit || thread.nowMs() - startMs > sliceMs;
      const tree = parser.parse(text, base ?? null, { progressCallback });
      if (tree !== null) return tree;
      spentMs += thread.nowMs() - startMs;
      await thread.yieldThread();
    }
    return undefined;
  } finally {
    parser.delete();
  }
}

/** Parses a text at once; `undefined` where that would keep a shared `thread` for too long. */
export function parseAtOnce(
  parser: Parser,
  text: string,
  thread: SharedThread | undefined,
  base?: Tree,
): Tree | undefined {
  const givesUp = thread?.givesUp === true;
  const options = givesUp ? { progressCallback: stopAfter(maxStepsAtOnce) } : undefined;
  const tree = parser.parse(text, base ?? null, options);
  if (tree !== null) return tree;
  if (!givesUp) throw new InvariantError("A parser without a grammar was asked to parse.");
  // What was begun is not gone on with.
  parser.reset();
  return undefined;
}

function stopAfter(steps: number): () => boolean {
  let done = 0;
  return () => ++done > steps;
}

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
