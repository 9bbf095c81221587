import { gitSync } from "../../scripts/git-sync.ts";

/** What git prints when it runs in a folder; throws where it fails. */
export function runGit(folder: string, ...args: readonly string[]): string {
  return gitSync(folder, args).toString();
}
