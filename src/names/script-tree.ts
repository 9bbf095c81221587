import type { Comment, Program } from "oxc-parser";
import { type ScriptGoal, type ScriptKind, scriptSourceOf } from "../syntax/index.ts";

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
