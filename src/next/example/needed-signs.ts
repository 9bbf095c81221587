import { lineFeed } from "./code-tokens.ts";
import { holdsWord, maxExamples } from "./match-rewrite.ts";
import { type Example, isWrap, lineFeedsIn, type PatternItem, type Rewrite } from "./rewrite.ts";
import type { TextLines } from "./text-lines.ts";

/**
 * Whether a rewrite may apply on a line of a text, by what its lines say: it costs less than to look for the place, and no place is lost.
 */
export function neededSigns(rewrite: Rewrite): (text: TextLines, line: number) => boolean {
  const [first] = rewrite.examples;
  const own = ownSigns(first);
  // Of a stretch that no word holds two tokens beside it are those of an example. How many lines a group has elsewhere nobody knows.
  const isHeld = first.items.some(isLong) || isWrap(first) || holdsWord(first);
  const pairs = isHeld ? [] : rewrite.examples.slice(0, maxExamples).flatMap(pairsBeside);
  return (text, line) => {
    const says = ({ said, lineDelta }: NeededSign) => text.saysOnLine(line + lineDelta, said);
    return own.every(says) && (isHeld || pairs.some((pair) => pair.every(says)));
  };
}

/** A token, with the line it stands on as counted from where a stretch begins. */
interface NeededSign {
  readonly said: string;
  readonly lineDelta: number;
}

/** What the line says on which a stretch begins, wherever it is. */
function ownSigns({ items }: Example): readonly NeededSign[] {
  const needed = new Set<string>();
  for (const item of items) {
    if (isLong(item)) break;
    if (item.kind !== "sign") continue;
    if (item.text === lineFeed) break;
    needed.add(item.text);
  }
  return [...needed].map((said) => ({ said, lineDelta: 0 }));
}

function isLong(item: PatternItem): boolean {
  return item.kind === "group" && item.sample.includes("\n");
}

/** The pairs of tokens one of which is beside every place that agrees with an example in two tokens: on one side, on the other, or on both. */
function pairsBeside(example: Example): readonly (readonly NeededSign[])[] {
  const [left, right] = [signsBeside(example, -1), signsBeside(example, 1)];
  const nearest = [...left.slice(0, 1), ...right.slice(0, 1)];
  return [left, nearest, right].filter((pair) => pair.length === 2);
}

/** The two tokens next to a stretch on one side, line endings aside. */
function signsBeside({ before: { list }, items, from, to }: Example, step: -1 | 1): readonly NeededSign[] {
  const found: NeededSign[] = [];
  let lineDelta = step < 0 ? 0 : lineFeedsIn(items);
  for (let at = step < 0 ? from - 1 : to; list[at] !== undefined && found.length < 2; at += step) {
    const said = list[at]!.text;
    if (said === lineFeed) lineDelta += step;
    else found.push({ said, lineDelta });
  }
  return found;
}
