import { join, resolve } from "node:path";
import envPaths from "env-paths";
import type { JournalOptions } from "../edit/node/index.ts";
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

/**
 * The absolute path of the folder for a person's persistent state, which need not exist:
 * `~/.local/state/emend` on Linux, and the folder for application data on macOS and Windows, whose
 * log folders may be emptied at any time.
 */
function userStateFolder(): string {
  const { data, log } = envPaths("emend", { suffix: "" });
  return process.platform === "darwin" || process.platform === "win32" ? data : log;
}
