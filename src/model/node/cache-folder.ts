import envPaths from "env-paths";

/**
 * The absolute path of the folder for what can be made again, where this system wants it:
 * `~/.cache/emend` on Linux. Does not make the folder.
 */
export function userCacheFolder(): string {
  return envPaths("emend", { suffix: "" }).cache;
}
