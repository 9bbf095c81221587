import { type SkippedPath, type WorkspaceFile, walkWorkspace } from "../workspace/index.ts";
import { blockingDisk, gitTracked } from "../workspace/node/index.ts";
import { countText } from "./terminal/print-amount.ts";
import type { Terminal } from "./terminal/terminal.ts";

/**
 * The files of a workspace by their paths, and what was skipped. Files tracked by git are included
 * whatever the ignore rules. `onCount` is called with the number of files so far, as text. Rejects
 * as {@link walkWorkspace} does.
 */
export async function walkFiles(
  root: string,
  { signal }: Pick<Terminal, "signal">,
  onCount: (count: string) => void,
): Promise<{ readonly files: ReadonlyMap<string, WorkspaceFile>; readonly skipped: readonly SkippedPath[] }> {
  const files = new Map<string, WorkspaceFile>();
  const skipped: SkippedPath[] = [];
  const tracked = await gitTracked(root, { signal });
  const rules = tracked.kind === "answer" ? { tracked: tracked.value } : {};
  for await (const item of walkWorkspace(root, { fileSystem: blockingDisk, signal, ...rules })) {
    if (item.kind === "skipped") skipped.push(item);
    else files.set(item.path, item);
    if (files.size % 100 === 0) onCount(countText(files.size, "file"));
  }
  return { files, skipped };
}
