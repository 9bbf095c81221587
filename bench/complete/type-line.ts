/** What typing one line with the tool came to. */
export interface TypedLine {
  /** Characters of the line. */
  readonly characters: number;
  /** Keys pressed: one a character, and one for each completion taken. */
  readonly keys: number;
  /** How often a completion was shown. */
  readonly shown: number;
  /** How often the one shown was taken. */
  readonly taken: number;
}

/**
 * Types `line` character by character, and asks `suggest` at the start and after every one.
 *
 * A completion that is the beginning of what is still to be typed is taken with one key; any other
 * is typed over. `suggest` is given what has been typed and answers the completion that is shown,
 * or `undefined`.
 */
export function typeLine(line: string, suggest: (typed: string) => string | undefined): TypedLine {
  let [at, keys, shown, taken] = [0, 0, 0, 0];
  while (at < line.length) {
    const suggestion = suggest(line.slice(0, at));
    keys++;
    if (suggestion !== undefined && suggestion !== "") {
      shown++;
      if (line.startsWith(suggestion, at)) {
        taken++;
        at += suggestion.length;
        continue;
      }
    }
    at++;
  }
  return { characters: line.length, keys, shown, taken };
}
