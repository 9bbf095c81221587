import { folderDistance, mayMean } from "../../../codebase/index.ts";
import type { WorkspaceTexts } from "../../engine/workspace-texts.ts";

/** The names that changed in a file. */
export interface ChangedNames {
  /** The file that changed. */
  readonly path: string;
  readonly names: ReadonlySet<string>;
}

/**
 * Returns the paths of the other files that contain one of the changed names and name a module that
 * may be the changed file, or one that may re-export it. Open files come first, then the nearest
 * folders; at most `limit`. With `reach`, only files in it.
 */
export function dependentFiles(
  { path, names }: ChangedNames,
  files: Pick<WorkspaceTexts, "open" | "saying" | "textOf">,
  { limit, reach }: { readonly limit: number; readonly reach?: readonly string[] | undefined },
): readonly string[] {
  const may = reach && new Set(reach);
  const paths = new Set([...names].flatMap((name) => files.saying([name])));
  paths.delete(path);
  const isOpen = new Set(files.open);
  const rank = (other: string) => (isOpen.has(other) ? 0 : 1 + folderDistance(path, other));
  const sorted = [...paths]
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

/**
 * Whether a text names a module that may be the file at `path`, or one that may re-export it: a
 * string in JavaScript, a dotted name in other languages.
 */
export function namesModule(text: string, path: string): boolean {
  for (const [, quoted, dotted] of text.matchAll(moduleName))
    if (mayMean(quoted ?? dotted!.replaceAll(".", "/"), path)) return true;
  return false;
}

const moduleName = /\b(?:from|import|require)\s*(?:\(\s*)?(?:["'`]([^"'`\n]+)["'`]|([\w.]+))/g;
