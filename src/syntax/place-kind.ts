import { languageById, plaintext } from "./language.ts";
import { Structure } from "./structure.ts";

/**
 * What a cursor would type into: `markup` is text between tags, `prose` a document that is no code.
 */
export type PlaceKind = "code" | "string" | "comment" | "markup" | "prose";

/** A cursor: the text of its document before it, and the id of the document's language. */
export interface TextBefore {
  readonly prefix: string;
  readonly language: string;
}

/** What a cursor would type into, by the text before it. */
export function placeKind(before: TextBefore): PlaceKind {
  if (proseLanguages.has(before.language)) return "prose";
  const context = nearContext(before);
  const language = languageById(before.language) ?? plaintext;
  const kind = Structure.of(context, language).regionAt(context.length)?.kind;
  if (kind === "comment") return "comment";
  if (kind === "string" || kind === "regex") return "string";
  return kind === "text" || language.quirks.markup === true ? "markup" : "code";
}

/**
 * Documents in which sentences and fences of Markdown are text, by their languages' ids, as editors
 * have them.
 */
const proseLanguages: ReadonlySet<string> = new Set(["markdown", "plaintext", "mdx", "quarto", "rmd"]);

/**
 * How much of the text before the cursor is looked at to tell code from strings, in UTF-16 units.
 */
const maxContext = 20_000;

/** As much of the text before the cursor as tells code from strings. */
export function nearContext({ prefix, language }: TextBefore): string {
  if (prefix.length <= maxContext) return prefix;
  const from = prefix.length - maxContext;
  // Of a line that is wider than that only its end is looked at.
  const near = prefix.slice(Math.max(from, prefix.indexOf("\n", from) + 1));
  const island = languageById(language)?.quirks.island;
  return island === undefined ? near : `${island[0]}php\n${near}`;
}
