import type { TextRange } from "../../../text/index.ts";

/**
 * Returns where the comment directly above a declaration refers to a name: after `@param`, in
 * backticks, or in a link. Any other occurrence may be a plain word.
 *
 * `start` is the offset of the declared code; only words may be between the comment and it, as in
 * `export async function f`. Empty where there is no such comment.
 */
export function commentUses(text: string, start: number, name: string): readonly TextRange[] {
  const from = Math.max(0, start - maxDistance);
  const close = text.lastIndexOf("*/", start);
  if (close < from || !/^\*\/[\s\w$.=<>:@,]*$/.test(text.slice(close, start))) return [];
  const open = text.lastIndexOf("/**", close);
  if (open < from) return [];
  const comment = text.slice(open, close);
  const word = name.replaceAll("$", "\\$");
  const marked = new RegExp(
    `(@(?:param|arg|argument|typeParam|template)\\s+(?:\\{[^}\\n]*\\}\\s*)?\\[?|\`|\\{@link(?:code)?\\s+)${word}(?![\\w$])`,
    "g",
  );
  return Array.from(comment.matchAll(marked), (match) => {
    const at = open + match.index + match[1]!.length;
    return { start: at, end: at + name.length };
  });
}

/** How far above its declaration a comment may begin, in UTF-16 units. */
const maxDistance = 5_000;
