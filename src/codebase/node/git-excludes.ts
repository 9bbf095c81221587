import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { toPortablePath } from "./portable-path.ts";
import { gitConfigPath, runGit } from "./run-git.ts";

/**
 * The absolute path of the user's own ignore file: the value of `core.excludesFile` in the absolute
 * `folder`, or else `git/ignore` in `XDG_CONFIG_HOME` or `~/.config`. The file need not exist.
 * Returns `undefined` when `core.excludesFile` is empty. When git fails, the default applies.
 *
 * Source: gitignore(5).
 */
export async function gitExcludesFile(folder: string): Promise<string | undefined> {
  const answer = await gitConfigPath(folder, "core.excludesFile");
  const path = answer.kind === "answer" ? answer.value : undefined;
  if (path === "") return undefined;
  if (path === undefined) {
    const config = process.env["XDG_CONFIG_HOME"] || join(process.env["HOME"] || homedir(), ".config");
    return toPortablePath(join(config, "git/ignore"));
  }
  if (isAbsolute(path)) return toPortablePath(path);
  // Git resolves a relative path from the top of the work tree.
  const top = await runGit(folder, ["rev-parse", "--show-toplevel"], {});
  const from = top.kind === "answer" ? top.value.replace(/\r?\n$/, "") : folder;
  return toPortablePath(join(from, path));
}
