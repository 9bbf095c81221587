import { byLine, type PastEdit } from "../../../context/index.ts";
import { addedSyntaxErrors, type Syntax } from "../../../syntax/index.ts";
import { detectLineEnding, type Edit, minimalEdit, type TextRange } from "../../../text/index.ts";
import type { NextEditContext } from "../next-edit-provider.ts";

/** The text of a file before the recent edits, and the present one. */
export interface PastChange {
  readonly before: string;
  readonly after: string;
}

/**
 * The length, in UTF-16 units, up to which the consequences of edits are looked up in types: each
 * request reads the text several times, and 100,000 units take some 20 milliseconds each time.
 */
export const maxTypedCharacters = 250_000;

/**
 * Returns the joint effect of the edits of a request's history, by path. Left out are files that
 * `files` have no text of, such as deleted ones, files whose text is the same as before, and those
 * longer than 250,000 UTF-16 units.
 */
export function pastChanges({
  history,
  files,
}: Pick<NextEditContext, "history" | "files">): ReadonlyMap<string, PastChange> {
  const changes = new Map<string, PastChange>();
  for (const path of new Set(history.map((edit) => edit.path))) {
    const after = files.textOf(path);
    if (after === undefined || after.length > maxTypedCharacters) continue;
    const before = textBefore(path, after, history);
    if (before !== after) changes.set(path, { before, after });
  }
  return changes;
}

/** What {@link isBrokenBy} reads. */
interface BrokenQuestion {
  readonly files: Pick<NextEditContext["files"], "languageOf">;
  readonly syntax: Pick<Syntax, "syntaxErrors">;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Whether the changes of a file add a syntax error: then its code is unfinished.
 * The keys of `changes` are paths. Rejects with the signal's reason.
 */
export async function isBrokenBy(
  changes: ReadonlyMap<string, PastChange>,
  { files, syntax, signal }: BrokenQuestion,
): Promise<boolean> {
  for (const [path, { before, after }] of changes) {
    const language = files.languageOf(path);
    const [old, now] = [before, after].map((text) => ({ uri: path, language, text }));
    const edit = minimalEdit(before, after);
    if ((await addedSyntaxErrors(syntax, { before: old, edit, after: now! })).length > 0) return true;
    signal?.throwIfAborted();
  }
  return false;
}

/** A run of adjacent changed lines. Offsets refer to the text before. */
export interface LineHunk {
  /** The change, word by word. */
  readonly edit: Edit;
  /** From the first changed word to the last. */
  readonly place: TextRange;
  /** The range of the whole lines; empty where lines are only inserted. */
  readonly lines: TextRange;
  /** The text that replaces the lines. */
  readonly after: string;
}

/**
 * Returns the changes between two texts in their order, one for each run of adjacent lines, as `git
 * diff -U0` lists them. Offsets refer to the text before.
 *
 * Law: all edits together produce the text after.
 */
export function lineHunks(before: string, after: string): readonly LineHunk[] {
  return minimalEdit(before, after, { unit: "line" }).edits.map(({ start, end, text }) => {
    const edit = minimalEdit(before.slice(start, end), text).movedBy(start);
    const words = edit.edits;
    return { edit, place: { start: words[0]!.start, end: words.at(-1)!.end }, lines: { start, end }, after: text };
  });
}

/**
 * Returns the text that the file at `path` had before its edits in `history`, in any order, whose
 * line ranges refer to `text`; `text` itself where there are none. Restored lines get the line
 * ending that most lines of the text have.
 */
export function textBefore(path: string, text: string, history: readonly PastEdit[]): string {
  const edits = history.filter((edit) => edit.path === path).sort(byLine);
  if (edits.length === 0) return text;
  // The lines of a history have no line ending of their own: they get the usual one of the text.
  const usual = detectLineEnding(text) === "\r\n" ? "\r\n" : "\n";
  // Every line gets a line ending while lines are inserted and removed. Unchanged text is copied in
  // one piece, because texts may be long.
  const whole = text + (text.endsWith("\r") ? "\n" : usual);
  const parts: string[] = [];
  let line = 0;
  let at = 0;
  const walkTo = (wanted: number): number => {
    for (; line < wanted && at < whole.length; line++) at = whole.indexOf("\n", at) + 1;
    return at;
  };
  for (const { lines, before } of edits) {
    parts.push(whole.slice(at, walkTo(lines.start)), ...before.map((line) => line + usual));
    walkTo(lines.end);
  }
  parts.push(whole.slice(at));
  return parts.join("").replace(/\r?\n$/, "");
}
