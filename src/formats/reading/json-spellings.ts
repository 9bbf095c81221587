/** The old and the new text of an edit. */
export interface EditTexts {
  readonly search: string;
  readonly replace: string;
}

/**
 * Doubles the backslashes in the strings of a JSON text, so that a parser returns the strings as
 * spelled. An escaped quote is kept, since the string would end there without its backslash.
 */
export function withSpelledStrings(json: string): string {
  // An open string extends to the end, so that no quote in it is visited again.
  return json.replace(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g, (string) =>
    string.replace(/\\([\s\S])/g, (pair, letter) =>
      letter === '"' ? pair : `\\\\${letter === "\\" ? "\\\\" : letter}`,
    ),
  );
}

/**
 * The possible meanings of two texts whose backslashes were not escaped, as in `"\title"`; in each
 * pair, both are read in the same way.
 *
 * `texts` are as spelled in the JSON. A `\n` may be a line break, or begin a word such as
 * `\newline`; a `\\` may be one backslash or two.
 */
export function readingsOfSpelled({ search, replace }: EditTexts): readonly EditTexts[] {
  const all = spellings.map((read) => ({ search: read(search), replace: read(replace) }));
  return all.filter((one, i) => all.findIndex(({ search }) => search === one.search) === i);
}

const spellings = [/\\n(?!\p{L})/gu, /\\n/g, /(?!)/g].flatMap((lineBreak) => [
  (text: string) => read(text, lineBreak, "\\"),
  (text: string) => read(text, lineBreak, "\\\\"),
]);

function read(text: string, lineBreak: RegExp, backslash: string): string {
  return text
    .split("\\\\")
    .map((part) => part.replace(/\\r(?=\\n)/g, "").replace(lineBreak, "\n"))
    .join(backslash);
}
