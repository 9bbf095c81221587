import { stringOnLine } from "./code-units.ts";

/**
 * The part of a line that must be equal for two lines to count as equal; the keys below go from
 * strict to lenient.
 */
export type LineKey = (line: string) => string;

/** The whole line. */
export const asItIs: LineKey = (line) => line;

/** Ignores white space at the end. */
export const withoutEndBlanks: LineKey = (line) => line.trimEnd();

/** Ignores white space at both ends. */
export const withoutIndent: LineKey = (line) => line.trim();

/** Ignores the amount of white space outside of strings. */
export const withFoldedBlanks: LineKey = (line) => {
  const trimmed = line.trim();
  // Most lines have single spaces only, and strings need not be looked for.
  if (!/\s\s|[^\S ]/u.test(trimmed)) return trimmed;
  return trimmed.replace(foldable, (found: string) => (/^\s/.test(found) ? " " : found));
};

const foldable = new RegExp(`${stringOnLine}|\x60(?:[^\x60\\\\]|\\\\.)*\x60|\\\\.|\\s+`, "gu");

/**
 * Ignores what text tools and models change: applies {@link withPlainCharacters}, composes letters,
 * removes invisible characters.
 */
export const withPlainTypography: LineKey = (line) =>
  withPlainCharacters(line.normalize("NFC").replace(/[\u200b\u2060\ufeff]/g, ""))
    .replaceAll("\u2026", "...")
    .trim();

/**
 * Replaces typographic quotes, dashes and blanks by plain ones. Keeps the length, so that offsets
 * stay valid.
 */
export function withPlainCharacters(text: string): string {
  return oddCharacters.reduce((plain, [odd, one]) => plain.replace(odd, one), text);
}

/** Typographic characters with their plain counterparts, by kind. */
export const oddCharacters: readonly (readonly [odd: RegExp, plain: string])[] = [
  [/[\u2018\u2019\u201a\u201b\u2032]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " "],
];

/** Whether a line is distinctive: it contains at least two letters or digits. */
export function hasWords(line: string): boolean {
  return /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(line);
}
