import type { Place } from "../place.ts";

/** What becomes of an answer at a word that is half typed. */
export type HalfTypedAnswer =
  | { readonly kind: "goes-on" }
  /** So many UTF-16 units of the answer say the word, or the line up to it, again. */
  | { readonly kind: "restates"; readonly length: number }
  /** It begins with a keyword that cannot be glued to the word. */
  | { readonly kind: "other-word" }
  /** Unknown until more of the answer arrives. */
  | { readonly kind: "too-short" };

/**
 * How an answer continues the word in front of the cursor.
 *
 * It repeats the typed text where it begins with the line up to the cursor, or with a word that
 * begins as the half one does, unless the document has a name that is both glued together.
 */
export function readHalfTypedWord(
  answer: string,
  { prefix, suffix, lineBefore }: Pick<Place, "prefix" | "suffix" | "lineBefore">,
  isWhole: boolean,
): HalfTypedAnswer {
  const word = halfWord.exec(lineBefore.slice(-maxWord))?.[0];
  const first = firstWord.exec(answer)?.[0];
  if (word === undefined || first === undefined) return { kind: "goes-on" };
  const line = lineBefore.trim();
  if (!isWhole && (first === answer || line.startsWith(answer))) return { kind: "too-short" };
  if (line.length > word.length && answer.startsWith(line)) return { kind: "restates", length: line.length };
  const near = `${prefix.slice(-maxNear)} ${suffix.slice(0, maxNear)}`;
  if (hasName(near, word + first)) return { kind: "goes-on" };
  if (word.length >= minWord && first.startsWith(word)) return { kind: "restates", length: word.length };
  return statement.test(answer) ? { kind: "other-word" } : { kind: "goes-on" };
}

const halfWord = /(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]*$/u;
const firstWord = /^[\p{L}_$][\p{L}\p{N}_$]*/u;

/** A keyword with a word behind it, as no end of a name looks. */
const statement = /^(?:return|const|let|var|import|export|function|func|def|class|throw|while|switch)[ \t]+[\p{L}_$]/u;

/** A shorter word is no evidence. */
const minWord = 2;

/**
 * The most UTF-16 units of a word, and of the text on either side in which names are looked for.
 */
const maxWord = 100;
const maxNear = 20_000;

function hasName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = (text[at - 1] ?? " ") + (text[at + name.length] ?? " ");
    if (!/[\p{L}\p{N}_$]/u.test(around)) return true;
  }
  return false;
}
