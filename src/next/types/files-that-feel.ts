import { folderDistance } from "../../codebase/index.ts";
import type { WorkspaceTexts } from "../workspace-texts.ts";

/** Whom a change of names in a file may concern. */
export interface FeltChange {
  /** The file that changed. */
  readonly path: string;
  readonly names: ReadonlySet<string>;
}

/**
 * The other files that say one of the names that changed: the open ones, then those nearest, at most `limit`. With `reach`, only those that may feel the
 * file at all.
 */
export function filesThatFeel(
  { path, names }: FeltChange,
  files: Pick<WorkspaceTexts, "open" | "saying">,
  { limit, reach }: { readonly limit: number; readonly reach?: readonly string[] | undefined },
): readonly string[] {
  const may = reach && new Set(reach);
  const saying = new Set([...names].flatMap((name) => files.saying([name])));
  saying.delete(path);
  const isOpen = new Set(files.open);
  const rank = (other: string) => (isOpen.has(other) ? 0 : 1 + folderDistance(path, other));
  return [...saying]
    .filter((other) => may?.has(other) !== false)
    .sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
    .slice(0, limit);
}
