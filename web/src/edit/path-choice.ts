import type { FileEntry, WorkspaceFiles } from "../page-services.ts";

/** So many entries are shown to choose from. */
const maxEntries = 40;

/**
 * What a person may mean who has typed the beginning of a path: entries of the folder that it leads to, whose names hold what stands behind
 * the last `/`; those that begin so come first. Ignored ones are left out, for no model is shown them.
 */
export async function entriesFor(typed: string, files: Pick<WorkspaceFiles, "list">): Promise<readonly FileEntry[]> {
  const slash = typed.lastIndexOf("/");
  const name = typed.slice(slash + 1).toLowerCase();
  const entries = await files.list(typed.slice(0, Math.max(0, slash)));
  const wanted = entries.filter((entry) => !entry.isIgnored && entry.name.toLowerCase().includes(name));
  const begins = (entry: FileEntry) => entry.name.toLowerCase().startsWith(name);
  return [...wanted.filter(begins), ...wanted.filter((entry) => !begins(entry))].slice(0, maxEntries);
}
