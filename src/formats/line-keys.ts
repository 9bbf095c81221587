/** What two lines must have in common to count as the same line, from strict to lenient. */
export type LineKey = (line: string) => string;

/** The whole line. */
export const asItIs: LineKey = (line) => line;

/** All but blanks at the end. */
export const withoutEndBlanks: LineKey = (line) => line.trimEnd();

/** All but blanks at both ends. */
export const withoutIndent: LineKey = (line) => line.trim();

/** All but how many blanks stand where there are some. */
export const withFoldedBlanks: LineKey = (line) => line.trim().replace(/\s+/g, " ");

/** All but what typing programs and models change: as {@link withPlainCharacters}, letters composed, nothing unseen. */
export const withPlainTypography: LineKey = (line) =>
  withPlainCharacters(line.normalize("NFC").replace(/[\u200b\u2060\ufeff]/g, ""))
    .replaceAll("\u2026", "...")
    .trim();

/** The text with straight quotes, plain dashes and plain blanks. As long as it was, so that offsets stay. */
export function withPlainCharacters(text: string): string {
  return oddCharacters.reduce((plain, [odd, one]) => plain.replace(odd, one), text);
}

/** Characters that stand for plain ones, by kind. */
export const oddCharacters: readonly (readonly [odd: RegExp, plain: string])[] = [
  [/[\u2018\u2019\u201a\u201b\u2032]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " "],
];

/** Whether there is enough on a line to know it again. */
export function hasWords(line: string): boolean {
  return /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(line);
}
