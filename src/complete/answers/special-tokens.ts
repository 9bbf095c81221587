import { allSpecialTokens } from "../../model/index.ts";
import { languageById } from "../../syntax/index.ts";

/**
 * Tokens that models of all known families use among themselves: around the hole, between files, at
 * the end, in conversations.
 */
export const specialTokens: readonly string[] = [
  ...allSpecialTokens,
  // Of chat models and models for edits, which no template for filling speaks of.
  ...["<bos>", "<start_of_turn>", "<end_of_turn>", "[INST]", "[/INST]", "<issue_start>", "<gh_stars>"],
  ...["<|begin_of_text|>", "<|eot_id|>", "<|cursor|>", "<|user_cursor_is_here|>", "<|editable_region_start|>"],
];

/** Most families write a token as a name between bars; new ones come every month. */
const barred = /<[|｜]\/?[\p{L}\p{N}▁_.:/-]{1,40}[|｜]>/u;

/**
 * Tokens that are code too, by what shows that they are: `[PREFIX]` behind a name reads an item,
 * `<filename>` within a line shows how a command is called, `</s>` ends an element.
 */
const lookalikes: Readonly<Record<string, { readonly after?: RegExp; readonly isTag?: boolean }>> = {
  "[SUFFIX]": { after: /[\w)\]]$/ },
  "[PREFIX]": { after: /[\w)\]]$/ },
  "[MIDDLE]": { after: /[\w)\]]$/ },
  "[INST]": { after: /[\w)\]]$/ },
  "<filename>": { after: /[^\n]$/ },
  "</s>": { isTag: true },
};

/** Where and what {@link findSpecialToken} looks for. */
export interface SpecialTokenSearch {
  /** The tokens, beside everything that is written `<|name|>`. */
  readonly tokens: readonly string[];
  /** The id of the language. */
  readonly language: string;
  /** The text right before it. */
  readonly before: string;
}

/**
 * The UTF-16 offset of the first special token in `text`, or -1.
 *
 * The beginning of a token `<|…` or `<[…` at the end of the text counts from its third character
 * on, since a text may be cut inside of it. Tokens that are code at their place do not count, such
 * as `[PREFIX]` behind a name.
 */
export function findSpecialToken(text: string, { tokens, language, before }: SpecialTokenSearch): number {
  let first = barred.exec(text)?.index ?? -1;
  const { markup = false, jsx = false, fences = false } = languageById(language)?.quirks ?? {};
  const found = (offset: number) => {
    if (first < 0 || offset < first) first = offset;
  };
  for (const token of tokens) {
    const code = lookalikes[token];
    if (code?.isTag === true && (markup || jsx || fences)) continue;
    for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
      if (code?.after?.test(at === 0 ? before.slice(-1) : text[at - 1]!)) continue;
      found(at);
      break;
    }
    const torn = tornAt(text, token);
    if (torn >= 0) found(torn);
  }
  return first;
}

/** Where `text` ends with a beginning of `token` that is no code: `<|` and one character more. */
function tornAt(text: string, token: string): number {
  if (!/^<[|｜[]/.test(token)) return -1;
  for (let length = Math.min(token.length - 1, text.length); length > 2; length--) {
    if (text.endsWith(token.slice(0, length))) return text.length - length;
  }
  return -1;
}
