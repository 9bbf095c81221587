/** A token of code, with optional white space around it but not inside. */
export interface CodeUnit {
  readonly text: string;
  /** The UTF-16 offset in the text. */
  readonly start: number;
  /** The white space before it. */
  readonly gap: Gap;
}

/** The white space between two tokens. */
export type Gap = "none" | "blank" | "line-break";

/**
 * Splits a text into words, strings, numbers, runs of operator characters, and single brackets,
 * commas and semicolons.
 *
 * A string is one token with its white space. A quote without a partner (in its line, for `'` and
 * `"`) is a token of its own. Independent of the language: where languages differ, tokens are
 * larger, so that fewer texts count as equal.
 */
export function codeUnits(text: string): readonly CodeUnit[] {
  let end = 0;
  return Array.from(text.matchAll(unit), ({ 0: own, index }) => {
    const between = text.slice(end, index);
    end = index + own.length;
    return { text: own, start: index, gap: between === "" ? "none" : /[\r\n]/.test(between) ? "line-break" : "blank" };
  });
}

/**
 * The source of a pattern with the flag `u` for strings and regular expressions that end in their
 * line. An apostrophe inside a word is no quote, but a string prefix may precede one. A slash
 * begins a regular expression where no operand is before it.
 */
export const stringOnLine = [
  /(?<![\p{L}\p{N}_])b?r(?<hashes>#+)"[^\r\n]{0,200}?"\k<hashes>/u,
  /"(?:[^"\\\r\n]|\\[^\r\n])*"|(?<![\p{L}\p{N}_])[rbfuRBFUL]{0,2}'(?:[^'\\\r\n]|\\[^\r\n])*'/u,
  /(?<=(?:^|[\r\n=(,:;!&|?[{+~]|\breturn)[ \t]?)\/(?![/*])(?:[^/\\[\r\n]|\\[^\r\n]|\[(?:[^\]\\\r\n]|\\[^\r\n]){0,200}\]){1,200}\//u,
]
  .map(({ source }) => source)
  .join("|");

const unit = new RegExp(
  [
    /"""[\s\S]*?"""|'''[\s\S]*?'''|\x60(?:[^\x60\\]|\\[\s\S])*\x60/,
    { source: stringOnLine },
    // An escape outside of strings begins none, so that no quote is visited twice.
    /\\\S/,
    /\.?\p{Nd}[\p{L}\p{N}\p{M}_.]*/u,
    /[$@#]?[\p{L}\p{N}\p{M}_][\p{L}\p{N}\p{M}_$]*/u,
    /["'\x60()[\]{},;$@#\\]/,
    /[^\s\p{L}\p{N}\p{M}_"'\x60()[\]{},;$@#\\]+/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

/**
 * Whether white space between two adjacent tokens is insignificant: next to a bracket, comma or
 * semicolon, or an operator that is part of no name in common languages.
 */
export function isGapFree(before: string, after: string): boolean {
  return isSeparator(before) || isSeparator(after);
}

function isSeparator(text: string): boolean {
  return /^(?:[()[\]{},;]|[=+*/<>!&|?:%^~]+)$/.test(text);
}

/**
 * Whether two gaps between the same tokens are equivalent: both or neither have white space, or
 * white space is insignificant there, see {@link isGapFree}. A method call may also begin on the
 * next line.
 */
export function isSameGap(a: Gap, b: Gap, [before, after]: readonly [before: string, after: string]): boolean {
  if ((a === "none") === (b === "none") || isGapFree(before, after)) return true;
  return /^\??\.$/.test(after) && (a === "line-break" || b === "line-break");
}
