import type { AtomicChange } from "../../impact/atomic-change.ts";

/** Whether a file is there before or after a change. */
export type HasFile = (path: string, side: "before" | "after") => boolean;

/**
 * The files that are gone and came back under another path, with all that moved out of them: old
 * paths to new ones.
 */
export function movedFiles(changes: readonly AtomicChange[], hasFile: HasFile): Map<string, string> {
  const targets = new Map<string, Set<string>>();
  for (const { label, before, after } of changes) {
    if (label !== "MOVE" || before === undefined || after === undefined) continue;
    if (hasFile(before.path, "after") || hasFile(after.path, "before")) continue;
    const known = targets.get(before.path);
    if (known === undefined) targets.set(before.path, new Set([after.path]));
    else known.add(after.path);
  }
  return new Map([...targets].flatMap(([from, to]) => (to.size === 1 ? [[from, [...to][0]!] as const] : [])));
}
