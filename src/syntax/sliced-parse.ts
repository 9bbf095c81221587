import type { Parser, ParseState, Tree } from "web-tree-sitter";
import { copyText, InvariantError } from "../text/index.ts";

/** The thread that a parser shares with other work. */
export interface SharedThread {
  /** Returns to the event loop, so that other work can run. */
  yieldThread(): Promise<void>;
  /** Milliseconds from any origin. */
  readonly nowMs: () => number;
  /**
   * Processor time of this process in milliseconds, from any origin: what other processes do does
   * not count.
   */
  readonly cpuMs: () => number;
  /** Whether a text that takes too long has no tree, as in an editor. */
  readonly givesUp: boolean;
}

/**
 * The limits for a text that is parsed in slices, and for one that is parsed at once. The unit is a
 * step of the parser, about 40 microseconds of work: limits in time would make results depend on
 * the machine's load.
 */
const defaultMaxSteps = 20_000;
export const maxStepsAtOnce = 2_000;
/**
 * The share of the steps that may pass before the parser is at the end of the text. The others
 * balance the tree: a quarter or more of the steps of an ordinary text. Where they are fewer, most
 * of the text is on the parser's stack, and one step at its end takes up to 0.4 seconds.
 */
const readingShare = 0.75;
/** The parser counts in bytes, two for a UTF-16 code unit. */
const bytesPerUnit = 2;
/**
 * The limit of processor time for a text that is parsed at once, in milliseconds. It only ends
 * texts whose steps take far longer than usual.
 */
const maxCpuMsAtOnce = 150;
/** How many steps pass between two looks at the processor time, each of which takes a while. */
const stepsPerLook = 8;
/**
 * The steps of a slice, about 15 milliseconds. A pause repeats no step, but a parser that follows
 * several readings of a broken text may go on with another one: with pauses by time, the errors of
 * a text would depend on the machine's load.
 */
const stepsPerSlice = 375;
/**
 * The processor time after which a slice ends anyway, in milliseconds, to which its last step is
 * added: in ambiguous texts one step takes a hundred times as long as usual.
 */
const maxSliceMs = 40;
/**
 * The time limit of all slices of one text, in milliseconds. It only ends texts whose steps take
 * far longer than usual, so that a request waits for less than 2 seconds.
 */
const maxMs = 1_200;

/** Options of {@link parseInSlices}. */
export interface SlicedParseOptions {
  /** The tree of the text before an edit. */
  readonly base?: Tree;
  /** The number of steps after which a text has no tree where `thread.givesUp`; default: 20,000. */
  readonly maxSteps?: number;
  /** Called at the first syntax error, with which the text has no tree. Not without a thread. */
  readonly onError?: (() => void) | undefined;
}

/**
 * Parses a text in slices, from scratch or from the tree `base` of the text before an edit. The
 * caller deletes the tree.
 *
 * With `thread.givesUp`, `undefined` where it takes more than `maxSteps` steps, or 75 % of them to
 * reach the end of the text, or about 1.2 seconds; 1 million characters take two thirds of the
 * default. Without a `thread` the text is parsed at once, however long it takes, and it rejects
 * with an {@link InvariantError} where `shared` has no grammar.
 */
export async function parseInSlices(
  shared: Parser,
  text: string,
  thread: SharedThread | undefined,
  { base, maxSteps = defaultMaxSteps, onError }: SlicedParseOptions = {},
): Promise<Tree | undefined> {
  if (thread === undefined) return parseAtOnce(shared, text, undefined, base);
  // Has been loaded with `shared`; an import at the top would load it where nothing is parsed.
  const { Parser } = await import("web-tree-sitter");
  // A parser of its own, since other texts may be parsed between two slices.
  const parser = new Parser();
  try {
    parser.setLanguage(shared.language);
    const limit = thread.givesUp ? maxSteps : Number.POSITIVE_INFINITY;
    // The parser reports no progress after the last token.
    const endOffset = text.trimEnd().length * bytesPerUnit;
    let steps = 0;
    let isTooLong = false;
    let isBroken = false;
    let spentMs = 0;
    while (!isTooLong && !isBroken && !(thread.givesUp && spentMs > maxMs)) {
      const startMs = thread.nowMs();
      const startCpuMs = thread.cpuMs();
      const firstStep = steps;
      const isSliceOver = () =>
        steps - firstStep >= stepsPerSlice ||
        (thread.nowMs() - startMs > maxSliceMs && thread.cpuMs() - startCpuMs > maxSliceMs);
      const progressCallback = ({ currentOffset, hasError }: ParseState) => {
        steps += 1;
        isBroken = onError !== undefined && hasError;
        if (isBroken) return true;
        isTooLong = steps > limit || (steps > limit * readingShare && currentOffset < endOffset);
        return isTooLong || isSliceOver();
      };
      const tree = parser.parse(text, base ?? null, { progressCallback });
      if (tree !== null) {
        // The work of the caller on the tree is not added to the last slice.
        if (spentMs > 0) await thread.yieldThread();
        return tree;
      }
      spentMs += thread.nowMs() - startMs;
      await thread.yieldThread();
    }
    if (isBroken) onError?.();
    return undefined;
  } finally {
    parser.delete();
  }
}

/**
 * Parses a text at once; the caller deletes the tree. Where `thread` gives up, `undefined` after
 * 2,000 steps or 150 milliseconds of processor time, or without a grammar. Else it throws an
 * {@link InvariantError} where `parser` has no grammar.
 */
export function parseAtOnce(
  parser: Parser,
  text: string,
  thread: SharedThread | undefined,
  base?: Tree,
): Tree | undefined {
  const givesUp = thread?.givesUp === true;
  const options = givesUp ? { progressCallback: limitAtOnce(thread) } : undefined;
  const tree = parser.parse(text, base ?? null, options);
  if (tree !== null) return tree;
  if (!givesUp) throw new InvariantError("A parser without a grammar was asked to parse.");
  // Discard the unfinished parse.
  parser.reset();
  return undefined;
}

function limitAtOnce({ cpuMs }: SharedThread): () => boolean {
  const endMs = cpuMs() + maxCpuMsAtOnce;
  let steps = 0;
  return () => ++steps > maxStepsAtOnce || (steps % stepsPerLook === 0 && cpuMs() > endMs);
}

/** How many times texts that are similar to a known one are skipped. */
const skips = 30;

/**
 * Two texts are similar if their first or their last so many UTF-16 code units are equal, and their
 * lengths differ by less than that: an edit may be at either end.
 */
const alike = 500;

/** The most texts that are remembered. */
const maxTexts = 8;

/**
 * Texts that took too long to parse. While such a text is edited, each of its states would take as
 * long, so only one in {@link skips} is tried, since it may have become faster to parse.
 */
export class TooLongTexts {
  #known: readonly KnownText[] = [];

  /**
   * Whether a text is similar to a known one and has to be skipped this time. Each call counts:
   * after {@link skips} of them the known text is forgotten.
   */
  holds(language: string, text: string): boolean {
    const known = this.#known.find((one) => isLike(one, language, text));
    if (known === undefined) return false;
    known.left -= 1;
    if (known.left <= 0) this.#known = this.#known.filter((one) => one !== known);
    return true;
  }

  /** Adds a text, in place of similar ones; the oldest is dropped. */
  add(language: string, text: string): void {
    const [start, end] = [copyText(text.slice(0, alike)), copyText(text.slice(-alike))];
    const known = { language, start, end, length: text.length, left: skips };
    this.#known = [...this.#known.filter((one) => !isLike(one, language, text)), known].slice(-maxTexts);
  }
}

interface KnownText {
  readonly language: string;
  readonly start: string;
  readonly end: string;
  readonly length: number;
  left: number;
}

function isLike(one: KnownText, language: string, text: string): boolean {
  const isNear = one.language === language && Math.abs(one.length - text.length) < alike;
  return isNear && (text.startsWith(one.start) || text.endsWith(one.end));
}
