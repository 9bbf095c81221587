import { gitSync } from "../scripts/git-sync.ts";

/** A file that a commit changed and left where it was. */
export interface ModifiedFile {
  readonly commit: string;
  readonly path: string;
  /** The blobs. */
  readonly before: string;
  readonly after: string;
}

/**
 * The regular files that commits with one parent changed, in all of a repository's history, newest
 * first.
 */
export function modifiedFiles(folder: string): ModifiedFile[] {
  const how = ["--no-merges", "--diff-filter=M", "--no-renames", "--raw", "--no-abbrev", "--format=%H"];
  const log = gitSync(folder, ["log", ...how]).toString();
  const files: ModifiedFile[] = [];
  let commit = "";
  for (const line of log.split("\n")) {
    const [, before, after, path] = /^:100\d{3} 100\d{3} (\w+) (\w+) M\t(.*)$/.exec(line) ?? [];
    if (before !== undefined && after !== undefined && path !== undefined) files.push({ commit, path, before, after });
    else if (line !== "") commit = line;
  }
  return files;
}
