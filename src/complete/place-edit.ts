import { ghostOf } from "../text/index.ts";
import type { Suggestion } from "./outcome.ts";
import type { Place } from "./place.ts";
import type { GhostTextRequest } from "./request.ts";

/**
 * The edit of the document that writes `text` at a place, and what is seen of it. It replaces
 * `covered` UTF-16 units behind the cursor, or `own`, closers that stand there and are written
 * again.
 */
export function toEdit(
  { picked, suffix }: Pick<Place, "picked" | "suffix">,
  { document, offset }: GhostTextRequest,
  { text, covered, own }: { readonly text: string; readonly covered: number; readonly own: string },
): Pick<Suggestion, "edit" | "ghost"> {
  const typed = document.text.slice(picked.start, Math.max(picked.start, Math.min(offset, picked.end)));
  const seen = picked.text + ghostOf(text, suffix.slice(0, covered));
  return {
    edit: { start: picked.start, end: picked.end + Math.max(covered, own.length), text: picked.text + text + own },
    ghost: seen.startsWith(typed) ? seen.slice(typed.length) : seen,
  };
}

/** The request as if the picked word were in the document already. */
export function requestAt(
  { prefix, suffix, picked }: Place,
  { document, path, trigger }: GhostTextRequest,
): GhostTextRequest {
  const isAsIs = picked.text === "" && picked.start === picked.end;
  return {
    document: isAsIs ? document : { ...document, text: prefix + suffix },
    ...{ path, offset: prefix.length, trigger },
  };
}
