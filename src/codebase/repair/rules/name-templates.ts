import { quotedRanges } from "../../../text/index.ts";

/**
 * A text with each mention of a name left open, whichever way the name is written in it:
 * `drawBigRing(big_ring)` of `big-ring`. `undefined` where it is not mentioned. Law:
 * `saidOf(frame, name)` is the text.
 */
export function frameOf(text: string, name: string): string | undefined {
  const words = wordsOf(name);
  if (words.length === 0 || words.join("").length < 2 || text.includes(open)) return undefined;
  let frame = text;
  for (const [index, { write, bounded }] of styles.entries())
    frame = frame.replaceAll(bounded(write(words, name)), `${open}${index}`);
  return frame === text ? undefined : frame;
}

/** What a frame says of another name. */
export function saidOf(frame: string, name: string): string {
  const words = wordsOf(name);
  return frame.replaceAll(new RegExp(`${open}(\\d)`, "g"), (_, index: string) =>
    styles[Number(index)]!.write(words, name),
  );
}

/**
 * What a name is to say where others say their own all alike; `undefined` where they do not, where
 * it is only one, or where nobody can tell how several words are written in a text for people,
 * since all that are known are one.
 */
export function saidAlike(
  others: readonly { readonly name: string; readonly text: string }[],
  name: string,
): string | undefined {
  if (others.length < 2) return undefined;
  const frame = others
    .map((other) => frameOf(other.text, other.name))
    .find((one) => one !== undefined && others.every((other) => saidOf(one, other.name) === other.text));
  if (frame === undefined) return undefined;
  const isKnown = wordsOf(name).length < 2 || others.some((other) => wordsOf(other.name).length > 1);
  return isKnown || !saysInQuotes(frame) ? saidOf(frame, name) : undefined;
}

/** Whether a name is in quotes, and not alone. */
function saysInQuotes(frame: string): boolean {
  const quoted = quotedRanges(frame).map(({ start, end }) => frame.slice(start + 1, end - 1));
  return quoted.some((said) => said.includes(open) && said !== `${open}0`);
}

/** Stands in a frame where a name does, in front of the index of its style. */
const open = "\0";

interface Style {
  readonly write: (words: readonly string[], name: string) => string;
  /** A pattern that finds it where it is a name, or a part of one, and not within a word. */
  readonly bounded: (written: string) => RegExp;
}

const small = (written: string) => new RegExp(`(?<![\\p{L}\\p{N}])${written}(?![\\p{Ll}\\p{N}])`, "gu");

const styles: readonly Style[] = [
  // As it is said itself, in quotes.
  { write: (_, name) => name, bounded: (written) => new RegExp(`(?<=(["'\`]))${escaped(written)}(?=\\1)`, "gu") },
  { write: ([first = "", ...others]) => first + others.map(capitalized).join(""), bounded: small },
  { write: (words) => words.join("-"), bounded: small },
  { write: (words) => words.join("_"), bounded: small },
  {
    write: (words) => words.map(capitalized).join(""),
    bounded: (written) => new RegExp(`(?<!\\p{Lu})${written}(?![\\p{Ll}\\p{N}])`, "gu"),
  },
  {
    write: (words) => words.join("_").toUpperCase(),
    bounded: (written) => new RegExp(`(?<![\\p{L}\\p{N}])${written}(?![\\p{L}\\p{N}])`, "gu"),
  },
];

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** The words of a name in any style, in small letters. */
function wordsOf(name: string): readonly string[] {
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu) ?? [];
  return words.map((word) => word.toLowerCase());
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
