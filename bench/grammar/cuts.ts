/** A text taken apart: the text before a hole, what was in it, and the text behind. */
export interface Cut {
  readonly before: string;
  readonly middle: string;
  readonly behind: string;
}

/** The powers of two between which the lengths of middles are spread. */
const maxPower = 10;

/**
 * Cuts a text at two random characters; the middle has from 0 to 1,023 code units, short ones as
 * often as long ones.
 */
export function randomCut(text: string, random: () => number): Cut {
  const length = Math.min(text.length, Math.floor(2 ** (random() * maxPower)) - 1);
  const start = characterStart(text, Math.floor(random() * (text.length - length + 1)));
  const end = Math.max(start, characterStart(text, start + length));
  return { before: text.slice(0, start), middle: text.slice(start, end), behind: text.slice(end) };
}

/** The last offset up to `offset` that does not stand inside a surrogate pair. */
function characterStart(text: string, offset: number): number {
  return /^[\udc00-\udfff]/.test(text.slice(offset)) && /[\ud800-\udbff]$/.test(text.slice(0, offset))
    ? offset - 1
    : offset;
}
