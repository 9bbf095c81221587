import { languageById } from "../../syntax/index.ts";
import type { ContextText, TaskText } from "../model.ts";

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
