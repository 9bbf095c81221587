import { folderDistance, mayMean } from "../../codebase/index.ts";
import type { WorkspaceTexts } from "../workspace-texts.ts";

/** Whom a change of names in a file may concern. */
export interface FeltChange {
  /** The file that changed. */
  readonly path: string;
  readonly names: ReadonlySet<string>;
}

/**
 * The other files that say one of the names that changed, and name a module that the file may be, or be given on by: the open ones, then those nearest, at most `limit`. With
 * `reach`, only those that may feel the file at all.
 */
export function filesThatFeel(
  { path, names }: FeltChange,
  files: Pick<WorkspaceTexts, "open" | "saying" | "textOf">,
  { limit, reach }: { readonly limit: number; readonly reach?: readonly string[] | undefined },
): readonly string[] {
  const may = reach && new Set(reach);
  const saying = new Set([...names].flatMap((name) => files.saying([name])));
  saying.delete(path);
  const isOpen = new Set(files.open);
  const rank = (other: string) => (isOpen.has(other) ? 0 : 1 + folderDistance(path, other));
  const sorted = [...saying]
    .filter((other) => may?.has(other) !== false)
    .map((other) => ({ other, rank: rank(other) }))
    .sort((one, two) => one.rank - two.rank || (one.other < two.other ? -1 : 1));
  const found: string[] = [];
  for (const { other } of sorted) {
    if (found.length === limit) break;
    if (namesModule(files.textOf(other) ?? "", path)) found.push(other);
  }
  return found;
}

/** Whether a text names a module which may be that file, or one that gives on what it exports: in JavaScript by a string, in others by a dotted name. */
export function namesModule(text: string, path: string): boolean {
  for (const [, quoted, dotted] of text.matchAll(moduleName))
    if (mayMean(quoted ?? dotted!.replaceAll(".", "/"), path)) return true;
  return false;
}

const moduleName = /\b(?:from|import|require)\s*\(?\s*(?:["'`]([^"'`\n]+)["'`]|([\w.]+))/g;
