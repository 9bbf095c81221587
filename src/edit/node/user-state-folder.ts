import envPaths from "env-paths";

/**
 * The folder for what is to be remembered of one person's work, where this system wants it: `~/.local/state/emend` on
 * Linux, and where applications keep their data on others, whose folders for logs may be emptied at any time.
 */
export function userStateFolder(): string {
  const { data, log } = envPaths("emend", { suffix: "" });
  return process.platform === "darwin" || process.platform === "win32" ? data : log;
}
