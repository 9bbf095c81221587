import { join, resolve } from "node:path";
import { type JournalOptions, userStateFolder } from "../edit/node/index.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** The options of the edit journal: its folder, `edits` in {@link stateFolderOf}. */
export function journalOf(terminal: Pick<Terminal, "environment" | "workingFolder">): JournalOptions {
  return { folder: join(stateFolderOf(terminal), "edits") };
}

/**
 * The absolute folder of Emend's state: `EMEND_STATE_DIR`, relative to the working folder, or the
 * user's state folder. It may not exist.
 */
export function stateFolderOf({ environment, workingFolder }: Pick<Terminal, "environment" | "workingFolder">): string {
  const named = environment["EMEND_STATE_DIR"];
  return named === undefined || named === "" ? userStateFolder() : resolve(workingFolder, named);
}
