import { languageById, plaintext } from "../languages/index.ts";
import { Structure } from "./structure.ts";

/**
 * The kind of text at a cursor: `markup` is text between tags, `prose` a document that is no code.
 */
export type PlaceKind = "code" | "string" | "comment" | "markup" | "prose";

/** A cursor: the text before it, and the id of its document's language. */
export interface TextBefore {
  readonly prefix: string;
  readonly language: string;
}

/**
 * The kind of text at a cursor, judged by the last 20,000 UTF-16 code units before it. Markdown and
 * plain text are `prose`, an unknown language is `code`. A regular expression is a `string`; a
 * place in a markup language outside of strings and comments is `markup`, also inside of a tag or a
 * script.
 */
export function placeKind(before: TextBefore): PlaceKind {
  const known = languageById(before.language);
  if (known?.isProse === true || otherProse.has(before.language)) return "prose";
  const context = nearContext(before);
  const language = known ?? plaintext;
  const kind = Structure.of(context, language).regionAt(context.length)?.kind;
  if (kind === "comment") return "comment";
  if (kind === "string" || kind === "regex") return "string";
  return kind === "text" || language.quirks.markup === true ? "markup" : "code";
}

/** Languages of editors that consist of sentences and are not in the registry. */
const otherProse: ReadonlySet<string> = new Set(["mdx", "quarto", "rmd"]);

/**
 * How much of the text before the cursor is scanned to tell code from strings, in UTF-16 code
 * units.
 */
const maxContext = 20_000;

/**
 * The end of the text before the cursor that is needed to tell code from strings: all of a prefix
 * of at most 20,000 UTF-16 code units, else the whole lines in its last 20,000, or those units
 * where they have no line break. For languages with code in islands, such as PHP, an opening mark
 * precedes the shortened text.
 */
export function nearContext({ prefix, language }: TextBefore): string {
  if (prefix.length <= maxContext) return prefix;
  const from = prefix.length - maxContext;
  // Of a longer line only the end is scanned.
  const near = prefix.slice(Math.max(from, prefix.indexOf("\n", from) + 1));
  const island = languageById(language)?.quirks.island;
  return island === undefined ? near : `${island[0]}php\n${near}`;
}
