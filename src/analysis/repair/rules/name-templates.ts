import { capitalized, escapedPattern, nameWords, quotedRanges } from "../../../text/index.ts";

/**
 * A template of a text: each occurrence of a name, in any naming style, is a hole.
 * `drawBigRing(big_ring)` with `big-ring` has two. `undefined` where the name does not occur or has
 * fewer than two letters. Law: `fillTemplate(template, name)` is the text.
 */
export function templateOf(text: string, name: string): string | undefined {
  const words = nameWords(name);
  if (words.length === 0 || words.join("").length < 2 || text.includes(hole)) return undefined;
  let template = text;
  for (const [index, { write, bounded }] of styles.entries())
    template = template.replaceAll(bounded(write(words, name)), `${hole}${index}`);
  return template === text ? undefined : template;
}

/** The text of a template for another name. */
export function fillTemplate(template: string, name: string): string {
  const words = nameWords(name);
  return template.replaceAll(new RegExp(`${hole}(\\d)`, "g"), (_, index: string) =>
    styles[Number(index)]!.write(words, name),
  );
}

/**
 * The text for a name, where the texts of at least two others have one template; otherwise
 * `undefined`. Also `undefined` where the name has several words, all others have one, and the
 * template has the name in a longer quoted text, since how several words are written there is
 * unknown.
 */
export function textByTemplate(
  others: readonly { readonly name: string; readonly text: string }[],
  name: string,
): string | undefined {
  if (others.length < 2) return undefined;
  const template = others
    .map((other) => templateOf(other.text, other.name))
    .find((one) => one !== undefined && others.every((other) => fillTemplate(one, other.name) === other.text));
  if (template === undefined) return undefined;
  const isKnown = nameWords(name).length < 2 || others.some((other) => nameWords(other.name).length > 1);
  return isKnown || !isInLongerQuote(template) ? fillTemplate(template, name) : undefined;
}

/** Whether a template has a hole within a longer quoted text. */
function isInLongerQuote(template: string): boolean {
  const quoted = quotedRanges(template).map(({ start, end }) => template.slice(start + 1, end - 1));
  return quoted.some((quotedText) => quotedText.includes(hole) && quotedText !== `${hole}0`);
}

/** Marks a hole in a template; the index of its naming style follows. */
const hole = "\0";

interface Style {
  readonly write: (words: readonly string[], name: string) => string;
  /** A pattern that matches it as a whole name or as a part of a name, not within a word. */
  readonly bounded: (written: string) => RegExp;
}

const small = (written: string) => new RegExp(`(?<![\\p{L}\\p{N}])${written}(?![\\p{Ll}\\p{N}])`, "gu");

const styles: readonly Style[] = [
  // The name itself, in quotes.
  {
    write: (_, name) => name,
    bounded: (written) => new RegExp(`(?<=(["'\`]))${escapedPattern(written)}(?=\\1)`, "gu"),
  },
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
