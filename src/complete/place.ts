import { ghostOf, isInsideCharacter, type TextRange } from "../text/index.ts";
import type { Suggestion } from "./outcome.ts";
import type { GhostTextRequest } from "./request.ts";

/**
 * A cursor as the engine sees it: the text with the picked word put in, split at the cursor.
 * Offsets are UTF-16.
 */
export interface Place extends Pick<GhostTextRequest, "path" | "trigger"> {
  readonly uri: string;
  /** The language's id in the registry. */
  readonly language: string;
  readonly prefix: string;
  readonly suffix: string;
  /** The cursor's line before it, and behind it without its line ending. */
  readonly lineBefore: string;
  readonly rest: string;
  /**
   * What the picked word replaces in the document, and the word; an empty range at the cursor where
   * none is picked.
   */
  readonly picked: TextRange & { readonly text: string };
  /**
   * How much of `rest`, from its start, is closers that the editor has put there by itself. UTF-16
   * units.
   */
  readonly autoClosed: number;
}

/**
 * The place of a request. `undefined` where the range of the picked word does not contain the
 * cursor, lies outside of the document, or has a line break in it or its text.
 *
 * An offset beyond the text is clamped; one inside a character moves in front of it.
 */
export function tryPlace(request: GhostTextRequest): Place | undefined {
  const { document, path, trigger } = request;
  const { text } = document;
  const offset = clampOffset(text, request.offset);
  const picked = request.picked ?? { start: offset, end: offset, text: "" };
  const isWord = picked.start >= 0 && picked.start <= offset && offset <= picked.end && picked.end <= text.length;
  if (!isWord || /[\r\n]/.test(text.slice(picked.start, picked.end) + picked.text)) return undefined;
  const prefix = text.slice(0, picked.start) + picked.text;
  const suffix = text.slice(picked.end);
  const rest = /^[^\r\n]*/.exec(suffix)![0];
  const { autoClosed } = request;
  const closed = autoClosed !== undefined && autoClosed.start === picked.end ? autoClosed.end - picked.end : 0;
  return {
    ...{ path, trigger, uri: document.uri, language: document.language, prefix, suffix, picked, rest },
    lineBefore: prefix.slice(lineStart(prefix)),
    autoClosed: Math.max(0, Math.min(closed, rest.length)),
  };
}

/**
 * The place as it was before `typed` UTF-16 units were typed and the editor added `closed` UTF-16
 * units of closers behind them.
 */
export function placeBefore(
  place: Place,
  { typed, closed }: { readonly typed: number; readonly closed: number },
): Place {
  if (typed === 0 && closed === 0) return place;
  const prefix = place.prefix.slice(0, place.prefix.length - typed);
  const suffix = place.suffix.slice(closed);
  const lineBefore = prefix.slice(lineStart(prefix));
  return { ...place, prefix, suffix, lineBefore, rest: place.rest.slice(closed) };
}

/**
 * The nearest offset of `text` at which a cursor may stand: within the text, and not inside a
 * surrogate pair or `\r\n`, where it moves to the start. 0 for what is no number.
 */
export function clampOffset(text: string, offset: number): number {
  const within = Math.max(0, Math.min(Math.trunc(offset) || 0, text.length));
  return isInsideCharacter(text, within) ? within - 1 : within;
}

/**
 * The edit of the document that writes `text` at a place, with the picked word in front of it, and
 * the ghost text that is visible of it. Besides the picked range, the edit replaces `covered`
 * UTF-16 units behind the cursor, or `own`, closers that stand there and are written again.
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

/**
 * The request as if the picked word were in the document already, with the cursor behind it. It has
 * neither a picked word nor automatic closers nor a limit.
 */
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

/** Where the last line of a text begins. */
function lineStart(text: string): number {
  return Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
}
