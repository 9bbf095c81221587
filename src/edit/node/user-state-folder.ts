import envPaths from "env-paths";

/**
 * The folder for a person's persistent state: `~/.local/state/emend` on Linux, and the folder for
 * application data on macOS and Windows, whose log folders may be emptied at any time.
 */
export function userStateFolder(): string {
  const { data, log } = envPaths("emend", { suffix: "" });
  return process.platform === "darwin" || process.platform === "win32" ? data : log;
}
