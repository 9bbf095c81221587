/** A row that opens or closes a search/replace block. */
export interface SearchReplaceMark {
  readonly kind: "open" | "close";
  /** The blanks in front. */
  readonly indent: string;
  /** How many signs it has. */
  readonly length: number;
  /** Whether `SEARCH` or `REPLACE` stands behind the signs. */
  readonly hasWord: boolean;
  /** Whether it is spelt as one of the dialects wants it. */
  readonly isPlain: boolean;
  /** What stands behind it on its row. */
  readonly rest: string;
}

/**
 * The mark that opens or closes a block, if the row is one: `<<<<<<< SEARCH`, `>>>>>>> REPLACE`, and Cline's
 * `------- SEARCH` and `+++++++ REPLACE`.
 *
 * Marks have 5 to 9 signs; other numbers, `SEARCH>` and marks without their word are read too, and so are aider's former
 * words, `ORIGINAL` and `UPDATED`.
 */
export function tryReadSearchReplaceMark(row: string): SearchReplaceMark | undefined {
  const open = /^([ \t]*)(?:(<{4,12}|-{5,9}) ?(?:SEARCH|ORIGINAL)\b([>:]?)(.*)|(<{5,9})\s*)$/.exec(row);
  const close = /^([ \t]*)(?:(>{4,12}|\+{5,9}) ?(?:REPLACE|UPDATED)\b([>:]?)(.*)|(>{5,9})\s*)$/.exec(row);
  const found = open ?? close;
  if (found === null) return undefined;
  const [, indent = "", signs, extra = "", rest = "", bare = ""] = found;
  const length = (signs ?? bare).length;
  const isPlain = signs !== undefined && extra === "" && length >= 5 && length <= 9;
  return {
    kind: open === null ? "close" : "open",
    indent,
    length,
    hasWord: signs !== undefined,
    isPlain,
    rest: rest.trim(),
  };
}

/** Whether a row could be the one between the two halves of a block. */
export function isDivider(row: string): boolean {
  return /^[ \t]*={5,9}\s*$/.test(row);
}

/** A row of code with one more backslash in front where it could be taken for a mark. */
export function escapeSearchReplaceRow(code: string): string {
  return code.replace(markAhead, "$1\\");
}

/** Takes off what {@link escapeSearchReplaceRow} put in front. Law: the two together change nothing. */
export function unescapeSearchReplaceRow(row: string): string {
  return row.replace(escapedMark, "$1");
}

/** Everything that means something inside of a block, hints and the dashes below them included. */
const marks =
  "(?:[<>]{4,12}(?: ?(?:SEARCH|REPLACE|ORIGINAL|UPDATED)|\\s|$)|={5,9}\\s*$|-{5,9}(?: ?(?:SEARCH|ORIGINAL)|\\s*$)|\\+{5,9} ?(?:REPLACE|UPDATED)|:[\\w ]*line[\\w ]*:)";
const markAhead = new RegExp(`^([ \\t]*)(?=\\\\*${marks})`, "i");
const escapedMark = new RegExp(`^([ \\t]*)\\\\(?=\\\\*${marks})`, "i");
