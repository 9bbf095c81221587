import { join, resolve } from "node:path";
import { type JournalOptions, userStateFolder } from "../edit/node/index.ts";
import type { Terminal } from "./terminal.ts";

/** Where the journal of edits is: in the user's state folder, or where `EMEND_STATE_DIR` says. */
export function journalOf({
  environment,
  workingFolder,
}: Pick<Terminal, "environment" | "workingFolder">): JournalOptions {
  const named = environment["EMEND_STATE_DIR"];
  const folder = named === undefined || named === "" ? userStateFolder() : resolve(workingFolder, named);
  return { folder: join(folder, "edits") };
}
