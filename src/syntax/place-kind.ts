import { languageById, plaintext } from "./language.ts";
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

/** The kind of text at a cursor, judged by the text before it. */
export function placeKind(before: TextBefore): PlaceKind {
  if (proseLanguages.has(before.language)) return "prose";
  const context = nearContext(before);
  const language = languageById(before.language) ?? plaintext;
  const kind = Structure.of(context, language).regionAt(context.length)?.kind;
  if (kind === "comment") return "comment";
  if (kind === "string" || kind === "regex") return "string";
  return kind === "text" || language.quirks.markup === true ? "markup" : "code";
}

/** The ids of languages in which sentences and Markdown fences are text. */
const proseLanguages: ReadonlySet<string> = new Set(["markdown", "plaintext", "mdx", "quarto", "rmd"]);

/**
 * How much of the text before the cursor is scanned to tell code from strings, in UTF-16 code
 * units.
 */
const maxContext = 20_000;

/** The text before the cursor that is needed to tell code from strings. */
export function nearContext({ prefix, language }: TextBefore): string {
  if (prefix.length <= maxContext) return prefix;
  const from = prefix.length - maxContext;
  // Of a longer line only the end is scanned.
  const near = prefix.slice(Math.max(from, prefix.indexOf("\n", from) + 1));
  const island = languageById(language)?.quirks.island;
  return island === undefined ? near : `${island[0]}php\n${near}`;
}
