import { isInsideCharacter } from "../../text/index.ts";
import type { TextGuide } from "./text-guide.ts";

/**
 * How many UTF-16 units of `text` may stand behind `before`, which is allowed; whole characters.
 *
 * Source: binary search, since each beginning of an allowed text is allowed.
 */
export function longestAllowed(guide: Pick<TextGuide, "allows">, text: string, before = ""): number {
  if (guide.allows(before + text)) return text.length;
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (guide.allows(before + text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return isInsideCharacter(text, good) ? good - 1 : good;
}
