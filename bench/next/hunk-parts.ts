import { diffSequences } from "../../src/text/index.ts";
import type { Token } from "./hunk-words.ts";

/** Tokens of a file's old text that others take the place of, with where that is. */
export interface HunkPart {
  readonly deleted: readonly string[];
  readonly inserted: readonly string[];
  /**
   * The nearest words around it in the old text that are no numbers; empty where there are none.
   */
  readonly wordBefore: string;
  readonly wordAfter: string;
  /**
   * Which tokens of the file they are, `[start, end)`, in the text before the commit and in the one
   * after.
   */
  readonly before: { readonly start: number; readonly end: number };
  readonly after: { readonly start: number; readonly end: number };
}

/** The tokens of a file before and after a commit. */
export interface FileTokens {
  readonly before: readonly Token[];
  readonly after: readonly Token[];
}

/** Lines of both texts, `[start, end)`. */
export interface HunkLines {
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

/** What a hunk changes, token by token; nothing where it is white space only. */
export function hunkParts(file: FileTokens, lines: HunkLines): HunkPart[] {
  const from = { before: indexAt(file.before, lines.beforeStart), after: indexAt(file.after, lines.afterStart) };
  const old = file.before.slice(from.before, indexAt(file.before, lines.beforeEnd));
  const fresh = file.after.slice(from.after, indexAt(file.after, lines.afterEnd));
  const changes = diffSequences(
    old.map(({ text }) => text),
    fresh.map(({ text }) => text),
    1024,
  );
  return changes.map(({ beforeStart, beforeEnd, afterStart, afterEnd }) => {
    const before = { start: from.before + beforeStart, end: from.before + beforeEnd };
    return {
      deleted: old.slice(beforeStart, beforeEnd).map(({ text }) => text),
      inserted: fresh.slice(afterStart, afterEnd).map(({ text }) => text),
      wordBefore: nearestWord(file.before, before.start - 1, -1),
      wordAfter: nearestWord(file.before, before.end, 1),
      before,
      after: { start: from.after + afterStart, end: from.after + afterEnd },
    };
  });
}

/** The index of the first token on a line or behind it. */
function indexAt(tokens: readonly Token[], line: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (tokens[middle]!.line < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

function nearestWord(tokens: readonly Token[], from: number, step: 1 | -1): string {
  for (let i = from; i >= 0 && i < tokens.length; i += step) {
    const { text, isWord } = tokens[i]!;
    if (isWord && !/^\d/.test(text)) return text;
  }
  return "";
}
