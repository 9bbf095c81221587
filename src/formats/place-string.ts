import type { StringAsk } from "./ask.ts";
import { type AskOutcome, placed, refused } from "./ask-outcome.ts";
import type { WorkingText } from "./working-text.ts";

/** Puts text in the place of text that reads as the ask says, wherever on a line it begins. */
export function placeString({ search, replace, isEvery }: StringAsk, text: WorkingText): AskOutcome {
  if (search === replace) return refused("no-change", "The new text is the same as the old one.");
  const starts = search === "" ? [0] : offsetsOf(search, text.text);
  if (starts.length === 0) return refused("not-found", "The text to replace is not in the file.");
  if (starts.length > 1 && isEvery !== true) {
    return refused("ambiguous", `The text to replace is there ${starts.length} times.`);
  }
  const splices = starts.toReversed().flatMap((start) => {
    const splice = text.replaceText({ start, end: start + search.length, text: replace });
    return splice === undefined ? [] : [splice];
  });
  return placed(splices.reverse());
}

/** Where `search` begins in `text`, without those that begin inside one before them. */
export function offsetsOf(search: string, text: string): readonly number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length)) offsets.push(at);
  return offsets;
}
