import { lineFeed } from "./code-tokens.ts";
import { holdsWord, maxExamples } from "./match-rewrite.ts";
import { type Example, isWrap, lineFeedsIn, type PatternItem, type Rewrite } from "./rewrite.ts";
import type { TextLines } from "./text-lines.ts";

/**
 * Returns a cheap test of whether a rewrite may apply at a line of a text, by the tokens that its
 * lines contain. It rejects no line with a site.
 */
export function neededSigns(rewrite: Rewrite): (text: TextLines, line: number) => boolean {
  const [first] = rewrite.examples;
  const own = ownSigns(first);
  // A stretch without a fixed word needs two neighbouring tokens of an example. The number of lines
  // of a group is unknown at other places.
  const isHeld = first.items.some(isLong) || isWrap(first) || holdsWord(first);
  const pairs = isHeld ? [] : rewrite.examples.slice(0, maxExamples).flatMap(pairsBeside);
  return (text, line) => {
    const isPresent = ({ token, lineDelta }: NeededSign) => text.lineContains(line + lineDelta, token);
    return own.every(isPresent) && (isHeld || pairs.some((pair) => pair.every(isPresent)));
  };
}

/** A token, with its line relative to the start of a stretch. */
interface NeededSign {
  readonly token: string;
  readonly lineDelta: number;
}

/** The tokens of the first line of a stretch, which every site contains. */
function ownSigns({ items }: Example): readonly NeededSign[] {
  const needed = new Set<string>();
  for (const item of items) {
    if (isLong(item)) break;
    if (item.kind !== "sign") continue;
    if (item.text === lineFeed) break;
    needed.add(item.text);
  }
  return [...needed].map((token) => ({ token, lineDelta: 0 }));
}

function isLong(item: PatternItem): boolean {
  return item.kind === "group" && item.sample.includes("\n");
}

/**
 * Returns pairs of tokens, one of which is next to every place that agrees with an example in two
 * tokens: both on one side, both on the other, or one on each.
 */
function pairsBeside(example: Example): readonly (readonly NeededSign[])[] {
  const [left, right] = [signsBeside(example, -1), signsBeside(example, 1)];
  const nearest = [...left.slice(0, 1), ...right.slice(0, 1)];
  return [left, nearest, right].filter((pair) => pair.length === 2);
}

/** The two tokens next to a stretch on one side, without line endings. */
function signsBeside({ before: { list }, items, from, to }: Example, step: -1 | 1): readonly NeededSign[] {
  const found: NeededSign[] = [];
  let lineDelta = step < 0 ? 0 : lineFeedsIn(items);
  for (let at = step < 0 ? from - 1 : to; list[at] !== undefined && found.length < 2; at += step) {
    const token = list[at]!.text;
    if (token === lineFeed) lineDelta += step;
    else found.push({ token, lineDelta });
  }
  return found;
}
