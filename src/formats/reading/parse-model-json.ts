import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { deepPlaceInJson, nameWords } from "../../text/index.ts";

/** The result of reading a JSON text. */
export type ModelJson =
  | {
      readonly kind: "value";
      readonly value: unknown;
      /** The deviations from JSON that were repaired, each with only one possible meaning. */
      readonly repaired: readonly ("raw-characters" | "trailing-commas" | "escaped-apostrophes" | "path-backslashes")[];
    }
  /** A syntax error; `offset` counts UTF-16 code units from 0. */
  | { readonly kind: "broken"; readonly offset: number; readonly message: string };

/**
 * Parses JSON as models write it: with line breaks and tabs in strings, trailing commas, `\'`, and
 * paths such as `"lib\money.ts"`.
 *
 * Does not throw: a text that is no JSON even after these repairs gives `broken`, with the place
 * and the message of the first error.
 */
export function parseModelJson(text: string): ModelJson {
  const value = tryParse(text);
  if (value !== undefined) return { kind: "value", value: value.value, repaired: [] };
  const { text: better, repaired } = repair(text);
  const repairedValue = tryParse(better);
  if (repairedValue !== undefined) return { kind: "value", value: repairedValue.value, repaired: [...repaired] };
  // The error-tolerant parser recurses once for each bracket.
  const deep = deepPlaceInJson(text);
  if (deep !== undefined) return { kind: "broken", offset: deep, message: "too many brackets inside of one another" };
  const errors: ParseError[] = [];
  parse(text, errors, { allowTrailingComma: true, disallowComments: true });
  const [first] = errors;
  const name = first === undefined ? "no JSON" : printParseErrorCode(first.error);
  const message = nameWords(name).join(" ");
  return { kind: "broken", offset: Math.min(first?.offset ?? 0, text.length), message };
}

function tryParse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

type JsonRepair = Extract<ModelJson, { kind: "value" }>["repaired"][number];

function repair(text: string): { readonly text: string; readonly repaired: ReadonlySet<JsonRepair> } {
  const repaired = new Set<JsonRepair>();
  const strings = /"(?:[^"\\]|\\[\s\S])*"?/g;
  let better = "";
  let passed = 0;
  for (const { 0: string, index } of text.matchAll(strings)) {
    better += repairBetween(text.slice(passed, index), repaired) + repairString(string, repaired);
    passed = index + string.length;
  }
  return { text: better + repairBetween(text.slice(passed), repaired), repaired };
}

function repairBetween(text: string, repaired: Set<JsonRepair>): string {
  return text.replace(/,(?=\s*[}\]])/g, () => {
    repaired.add("trailing-commas");
    return "";
  });
}

function repairString(string: string, repaired: Set<JsonRepair>): string {
  if (windowsPath.test(string) && tryParse(string) === undefined) {
    repaired.add("path-backslashes");
    return string.replaceAll("\\", "\\\\");
  }
  return string.replace(/\\[\s\S]|[\n\r\t]/g, (found) => {
    if (found === "\\'") repaired.add("escaped-apostrophes");
    else if (found.length === 1) repaired.add("raw-characters");
    return found === "\\'" ? "'" : (escapes[found] ?? found);
  });
}

/** Matches a path with a folder and an extension and with single backslashes. */
const windowsPath = /^"(?:[\w.@-]+\\)+[\w@-]+(?:\.[\w@-]+)+"$/;

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Finds the end of a JSON text while it arrives: after the bracket that closes its first one.
 *
 * It tracks brackets and strings only. Raw line breaks in strings are allowed.
 */
export class JsonScanner {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** Whether the text so far ends inside of a string. */
  get isInString(): boolean {
    return this.#isInString;
  }

  /**
   * Scans `piece` from `start` on. Returns the offset after the last bracket, or `undefined` while
   * it is missing.
   */
  scan(piece: string, start = 0): number | undefined {
    for (let i = start; i < piece.length; i++) {
      const character = piece.charAt(i);
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (character === "\\") this.#isEscaped = true;
        else if (character === '"') this.#isInString = false;
      } else if (character === '"') {
        this.#isInString = true;
      } else if (character === "{" || character === "[") {
        this.#depth++;
      } else if (character === "}" || character === "]") {
        this.#depth--;
        if (this.#depth <= 0) return i + 1;
      }
    }
    return undefined;
  }
}

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
