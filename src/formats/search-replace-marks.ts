/** A row that opens or closes a search/replace block. */
export interface SearchReplaceMark {
  readonly kind: "open" | "close";
  /** The white space before the mark. */
  readonly indent: string;
  /** The number of signs in the mark. */
  readonly length: number;
  /** Whether `SEARCH` or `REPLACE` follows the signs. */
  readonly hasWord: boolean;
  /** Whether the mark is spelled as one of the dialects requires. */
  readonly isPlain: boolean;
  /** The text after the mark in its row. */
  readonly rest: string;
}

/**
 * Reads the mark that opens or closes a block: `<<<<<<< SEARCH`, `>>>>>>> REPLACE`, and Cline's
 * `------- SEARCH` and `+++++++ REPLACE`; `undefined` for other rows.
 *
 * Marks have 7 signs. Other numbers from 4 on, `SEARCH>`, marks without their word, and aider's
 * former words `ORIGINAL` and `UPDATED` are read as well.
 */
export function tryReadSearchReplaceMark(row: string): SearchReplaceMark | undefined {
  const open = /^([ \t]*)(?:(<{4,}|-{5,}) ?(?:SEARCH|ORIGINAL)\b([>:]?)(.*)|(<{5,})\s*)$/.exec(row);
  const close = /^([ \t]*)(?:(>{4,}|\+{5,}) ?(?:REPLACE|UPDATED)\b([>:]?)(.*)|(>{5,})\s*)$/.exec(row);
  const found = open ?? close;
  if (found === null) return undefined;
  const [, indent = "", signs, extra = "", rest = "", bare = ""] = found;
  const length = (signs ?? bare).length;
  const isPlain = signs !== undefined && extra === "" && length === usualLength;
  return {
    kind: open === null ? "close" : "open",
    indent,
    length,
    hasWord: signs !== undefined,
    isPlain,
    rest: rest.trim(),
  };
}

/** The standard number of signs in a mark. */
export const usualLength = 7;

/**
 * Whether a row reads like the divider between the halves of a block: at least four `=`, alone in
 * the row.
 */
export function isLongDivider(row: string): boolean {
  return /^[ \t]*={4,}\s*$/.test(row);
}

/**
 * Whether a row could be the divider between the halves of a block: five to nine `=`, alone in the
 * row.
 */
export function isDivider(row: string): boolean {
  return /^[ \t]*={5,9}\s*$/.test(row);
}

/**
 * Adds a backslash to a row of code that could be taken for a mark, also to one that is escaped
 * already.
 */
export function escapeSearchReplaceRow(code: string): string {
  return code.replace(markAhead, "$1\\");
}

/**
 * Removes what {@link escapeSearchReplaceRow} added. Law:
 * `unescapeSearchReplaceRow(escapeSearchReplaceRow(code))` equals `code`.
 */
export function unescapeSearchReplaceRow(row: string): string {
  return row.replace(escapedMark, "$1");
}

/** Everything with a meaning inside of a block, including hints and the dashes below them. */
const marks =
  "(?:[<>]{4,}(?: ?(?:SEARCH|REPLACE|ORIGINAL|UPDATED)|\\s|$)|={4,}\\s*$|-{5,}(?: ?(?:SEARCH|ORIGINAL)|\\s*$)|\\+{5,} ?(?:REPLACE|UPDATED)|:[\\w ]*line[\\w ]*:)";
const markAhead = new RegExp(`^([ \\t]*)(?=\\\\*${marks})`, "i");
const escapedMark = new RegExp(`^([ \\t]*)\\\\(?=\\\\*${marks})`, "i");
