import type { FillRequest } from "../model.ts";
import { contextComments } from "./context-comments.ts";
import { escapeTokens } from "./escape-tokens.ts";
import type { FillTemplate } from "./template.ts";

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
 * Texts of other places one after the other, each printed by `each`; `plain` is done to texts and
 * paths.
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
