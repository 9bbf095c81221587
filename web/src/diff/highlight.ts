import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { monaco } from "../editor/monaco.ts";
import type { DiffRow } from "./file-diff.ts";
import type { LineToken, TokenKind } from "./line-pieces.ts";

/** The most characters that are tokenized: more would take longer than a frame. */
const maxCharacters = 60_000;

const loaded = new Map<string, Signal<boolean>>();

/** Whether the tokenizer of a language is loaded. The first call for a language loads it. */
export function areColoursLoaded(language: string): ReadonlySignal<boolean> {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const isLoaded = signal(language === "plaintext");
  loaded.set(language, isLoaded);
  void monaco.editor.colorize("", language, {}).then(() => {
    isLoaded.value = true;
  });
  return isLoaded;
}

/** The editor's name for the language of a file, by its name. */
export function languageOfPath(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const found =
    monaco.editor &&
    monaco.languages.getLanguages().find(({ extensions = [], filenames = [] }) => {
      return filenames.some((one) => one.toLowerCase() === name) || extensions.some((one) => name.endsWith(one));
    });
  return found?.id ?? "plaintext";
}

/**
 * The tokens of each row. Removed and inserted rows are tokenized separately, each side with its
 * context rows, without the rest of the file.
 */
export function tokensOfRows(rows: readonly DiffRow[], language: string): readonly (readonly LineToken[])[] {
  if (language === "plaintext" || rows.reduce((sum, { text }) => sum + text.length, 0) > maxCharacters) return [];
  const tokens: (readonly LineToken[])[] = rows.map(() => []);
  for (const side of ["delete", "insert"] as const) {
    const places = rows.flatMap(({ kind }, at) => (kind === "keep" || kind === side ? [at] : []));
    const lines = monaco.editor.tokenize(places.map((at) => rows[at]!.text).join("\n"), language);
    for (const [line, at] of places.entries()) {
      tokens[at] = (lines[line] ?? []).map(({ offset, type }) => ({ start: offset, kind: kindOf(type) }));
    }
  }
  return tokens;
}

const kinds: readonly (readonly [beginning: RegExp, kind: TokenKind])[] = [
  [/^comment/, "comment"],
  [/^(string|regexp|attribute\.value)/, "string"],
  [/^(number|constant)/, "number"],
  [/^(keyword|tag|metatag|storage)/, "keyword"],
  [/^(type|namespace|annotation|attribute\.name|key)/, "type"],
];

function kindOf(type: string): TokenKind {
  return kinds.find(([beginning]) => beginning.test(type))?.[1] ?? "plain";
}
