import type { Removal, StreamFilter } from "./stream-filter.ts";
import { BeginningFilter } from "./stream-filter.ts";

/**
 * Removes the repeated context at the beginning of an answer: the last lines of `prefix`, of which
 * the first may lack its indentation. A repetition counts from three characters without white space
 * at its ends up to 40 lines and 20,000 UTF-16 units.
 *
 * With `wholeLines`, the last line counts only together with a distinctive line above it, since the
 * last line alone may be what the text begins with.
 */
export function repeatedPrefixFilter(
  prefix: string,
  { wholeLines = false }: { readonly wholeLines?: boolean } = {},
): BeginningFilter {
  const ends = lastLines(prefix);
  return new BeginningFilter("repetition", (answer, isWhole) => {
    let longest = 0;
    for (const end of ends) {
      const isRepeated = answer.startsWith(end);
      if (!isRepeated && (isWhole || !end.startsWith(answer))) continue;
      if (wholeLines && !end.split("\n").slice(0, -1).some(isDistinctive)) continue;
      if (!isRepeated) return undefined;
      longest = Math.max(longest, end.length);
    }
    return longest;
  });
}

/**
 * The ends of a text that begin with a line, each also without its indentation, except for those
 * too short to be evidence.
 */
function lastLines(prefix: string): readonly string[] {
  const found: string[] = [];
  let start = prefix.length;
  for (let count = 0; count < maxEchoLines && start > 0; count++) {
    start = prefix.lastIndexOf("\n", start - 2) + 1;
    const lines = prefix.slice(start);
    if (lines.length > maxEcho) break;
    const bare = lines.trimStart();
    for (const echo of bare === lines ? [lines] : [lines, bare])
      if (echo.trim().length >= minEchoLength) found.push(echo);
  }
  return found;
}

/** More lines than this are held against the answer only by models that repeat the whole file. */
const maxEchoLines = 40;

/** More UTF-16 units than that no answer repeats. */
const maxEcho = 20_000;

/** Whether a line has two words, and is no item of a list: such lines may well be alike. */
function isDistinctive(line: string): boolean {
  const trimmed = line.trim();
  return (
    trimmed.length >= minLine &&
    !trimmed.endsWith(",") &&
    /\p{L}{2}/u.test(trimmed) &&
    /\p{L}\P{L}+\p{L}/u.test(trimmed)
  );
}

/** A shorter line is no evidence. UTF-16 units. */
const minLine = 8;

/** A shorter beginning of a line may well be what the text begins with, too. */
const minEchoLength = 3;

/**
 * Takes off a stream of text its end where that repeats the beginning of what follows the place.
 *
 * What may be such a repetition is held back until it is distinguished; what is held is the
 * beginning of what follows. One or two characters are no repetition: closing brackets alike are
 * distinguished by the caller, who sees the syntax.
 */
export class RepeatedSuffixFilter implements StreamFilter {
  readonly isOver = false;
  readonly removed = new Set<Removal>();
  readonly #suffix: string;
  readonly #failure: Int32Array;
  /** How much of the suffix's beginning is held back. */
  #matched = 0;

  /** `suffix` is what follows the place. */
  constructor(suffix: string) {
    this.#suffix = suffix.slice(0, maxSuffix);
    this.#failure = failureOf(this.#suffix);
  }

  push(text: string): string {
    const suffix = this.#suffix;
    const whole = suffix.slice(0, this.#matched) + text;
    let matched = this.#matched;
    for (const unit of text.split("")) {
      while (matched > 0 && (matched === suffix.length || unit !== suffix[matched]))
        matched = this.#failure[matched - 1]!;
      if (unit === suffix[matched]) matched += 1;
    }
    this.#matched = matched;
    return whole.slice(0, whole.length - matched);
  }

  end(): string {
    const held = this.#suffix.slice(0, this.#matched);
    this.#matched = 0;
    if (held.trim().length < minSuffix) return held;
    this.removed.add("repetition");
    return "";
  }
}

/** No more of what follows is compared: twice this is more than anyone waits for. */
const maxSuffix = 4_000;

const minSuffix = 3;

/**
 * For each beginning of `text`, how long its longest end is that is a shorter beginning.
 *
 * Source: the failure function of Knuth, Morris and Pratt 1977.
 */
function failureOf(text: string): Int32Array {
  const failure = new Int32Array(text.length);
  for (let i = 1, k = 0; i < text.length; i++) {
    while (k > 0 && text[i] !== text[k]) k = failure[k - 1]!;
    if (text[i] === text[k]) k += 1;
    failure[i] = k;
  }
  return failure;
}
