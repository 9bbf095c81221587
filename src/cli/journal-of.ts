import { join, resolve } from "node:path";
import { type JournalOptions, userStateFolder } from "../edit/node/index.ts";
import type { Terminal } from "./terminal.ts";

/** Where the journal of edits is. */
export function journalOf(terminal: Pick<Terminal, "environment" | "workingFolder">): JournalOptions {
  return { folder: join(stateFolderOf(terminal), "edits") };
}

/** The user's state folder, or what `EMEND_STATE_DIR` names. */
export function stateFolderOf({ environment, workingFolder }: Pick<Terminal, "environment" | "workingFolder">): string {
  const named = environment["EMEND_STATE_DIR"];
  return named === undefined || named === "" ? userStateFolder() : resolve(workingFolder, named);
}
