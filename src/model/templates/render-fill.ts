import { languageById } from "../../syntax/index.ts";
import type { ContextText, FillRequest, TaskText } from "../model.ts";
import type { FillTemplate } from "./families.ts";

/**
 * The prompt that shows a family's models the hole of `request`.
 *
 * All that comes from files (text, paths) has the family's special tokens escaped, see
 * {@link escapeTokens}: the only ones in the prompt are the template's own.
 */
export function renderFill(template: FillTemplate, request: FillRequest): string {
  const plain = (text: string) => escapeTokens(text, template.specialTokens);
  const { repository } = template;
  const context = request.context ?? [];
  const isShown = repository !== undefined && context.length > 0;
  const comments = repository === undefined ? contextComments(context, request.language) : "";
  return fillSlots(isShown ? repository.fill : template.fill, {
    prefix: plain(comments + request.prefix),
    suffix: plain(request.suffix),
    path: plain(request.path),
    language: request.language,
    others: isShown ? renderOthers(repository.each, context, plain) : "",
  });
}

/**
 * Texts of other places one after the other, each printed by the pattern `each`; `plain` is applied
 * to texts and paths. A line break at the end of a text is left out.
 */
export function renderOthers(
  each: string,
  context: NonNullable<FillRequest["context"]>,
  plain = (text: string) => text,
): string {
  return context
    .map(({ path, text }) => fillSlots(each, { path: plain(path), text: plain(text.replace(/\r?\n$/, "")) }))
    .join("");
}

/** Fills all slots at once, so that what looks like a slot in the text of one is left as it is. */
function fillSlots(pattern: string, slots: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{([a-z]+)\}/g, (whole, name: string) => slots[name] ?? whole);
}

/**
 * `text` with a blank inside of each special token, so that no tokeniser can take it for one.
 *
 * Source text may well contain such tokens: `families.ts` does. With the token itself in
 * the prompt, the model would assume that the file ends there; if such files were refused, their
 * authors would have no completions. The blank goes after the token's first character. Law: the
 * result contains none of `tokens`, and is `text` without those blanks.
 */
export function escapeTokens(text: string, tokens: readonly string[]): string {
  let escaped = text;
  for (const token of tokens) {
    // A blank may complete a token only if one has a blank in its second place, and none has.
    if (escaped.includes(token)) escaped = escaped.replaceAll(token, `${token[0]} ${token.slice(1)}`);
  }
  return escaped;
}

/**
 * Texts of other places as comments of `language`, for the top of a prefix; for models without a
 * format of their own for other files.
 *
 * Empty where there are no texts, or the language has no comments.
 */
export function contextComments(context: readonly (ContextText | TaskText)[], language: string): string {
  const known = languageById(language);
  const lineComment = known?.lineComments[0];
  const blockComment = known?.blockComments[0];
  if (lineComment !== undefined) return context.map((piece) => asLines(piece, lineComment)).join("");
  if (blockComment !== undefined) return context.map((piece) => asBlock(piece, blockComment)).join("");
  return "";
}

function asLines({ path, text }: ContextText | TaskText, comment: string): string {
  return `${path}:\n${text}`
    .split(/\r\n|\r|\n/)
    .filter((line, index, lines) => line !== "" || index < lines.length - 1)
    .map((line) => `${comment} ${line}`.trimEnd().concat("\n"))
    .join("");
}

function asBlock({ path, text }: ContextText | TaskText, [open, close]: readonly [string, string]): string {
  // A text that closes the comment itself would spill into the file.
  const inside = text.split(close).join("");
  return `${open} ${path}:\n${inside.replace(/\n$/, "")}\n${close}\n`;
}
