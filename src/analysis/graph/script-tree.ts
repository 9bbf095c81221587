import type { Comment, Program } from "oxc-parser";
import { type ScriptGoal, type ScriptKind, scriptSourceOf } from "../../syntax/index.ts";
import type { TextRange } from "../../text/index.ts";

/**
 * A parsed script: its ESTree with TypeScript nodes, and its comments. Offsets are in UTF-16 units.
 */
export interface ScriptTree {
  readonly program: Program;
  readonly comments: readonly Pick<Comment, "start" | "end">[];
}

/**
 * A parser for JavaScript and TypeScript. Never throws; returns `undefined` if the text can't be
 * parsed at all.
 */
export type ScriptTreeParser = (text: string, goal: ScriptGoal) => ScriptTree | undefined;

/**
 * Parses a script by its file name, and by its text if the name is ambiguous; `undefined` if it
 * can't be parsed.
 *
 * `text` must not begin with a byte order mark, which would hide a `#!` line.
 */
export function tryScriptTree(
  parse: ScriptTreeParser,
  { path, text, kind }: { readonly path: string; readonly text: string; readonly kind: ScriptKind },
): ScriptTree | undefined {
  const named = scriptSourceOf(path);
  const tree = parse(text, { kind, source: named ?? "unambiguous" });
  return tree ?? (named === undefined ? parse(text, { kind, source: "commonjs" }) : undefined);
}

/**
 * The start of the comments on the lines directly above `start`, or `start` if there are none.
 *
 * A comment counts if no empty line and no code is between it and `start`, and no code comes before
 * it on its line. `comments` must be in ascending order.
 */
export function leadingCommentsStart(text: string, comments: readonly TextRange[], start: number): number {
  let first = start;
  for (let index = lastEndingBy(comments, start); index >= 0; index--) {
    const comment = comments[index]!;
    const gap = text.slice(comment.end, first);
    if (!/^[^\S\n]*(?:\n[^\S\n]*)?$/.test(gap)) break;
    const lineStart = text.lastIndexOf("\n", comment.start - 1) + 1;
    if (text.slice(lineStart, comment.start).trim() !== "") break;
    first = comment.start;
  }
  return first;
}

function lastEndingBy(ranges: readonly TextRange[], offset: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.end <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
