import envPaths from "env-paths";

/**
 * The absolute path of the folder for a person's persistent state, which need not exist:
 * `~/.local/state/emend` on Linux, and the folder for application data on macOS and Windows, whose
 * log folders may be emptied at any time.
 */
export function userStateFolder(): string {
  const { data, log } = envPaths("emend", { suffix: "" });
  return process.platform === "darwin" || process.platform === "win32" ? data : log;
}
