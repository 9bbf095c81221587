import type { Comment, Program } from "oxc-parser";
import type { ScriptKind } from "../../syntax/languages.ts";
import type { ScriptGoal } from "../../syntax/script-errors.ts";
import { scriptSourceOf } from "../../syntax/script-errors.ts";

/**
 * A parsed script: its tree in the form of ESTree with TypeScript's nodes, and its comments.
 * Offsets are UTF-16.
 */
export interface ScriptTree {
  readonly program: Program;
  readonly comments: readonly Pick<Comment, "start" | "end">[];
}

/**
 * A parser of JavaScript and its kin. It never throws; `undefined` says that it could make nothing
 * of the text.
 */
export type ScriptTreeParser = (text: string, goal: ScriptGoal) => ScriptTree | undefined;

/**
 * Parses a script as its name says, or as its text says where the name leaves it open.
 *
 * `text` must begin without a byte order mark, which would hide a `#!` line.
 */
export function tryScriptTree(
  parse: ScriptTreeParser,
  { path, text, kind }: { readonly path: string; readonly text: string; readonly kind: ScriptKind },
): ScriptTree | undefined {
  const named = scriptSourceOf(path);
  const tree = parse(text, { kind, source: named ?? "unambiguous" });
  return tree ?? (named === undefined ? parse(text, { kind, source: "commonjs" }) : undefined);
}
