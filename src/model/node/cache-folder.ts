import envPaths from "env-paths";

/** The folder for what can be made again, where this system wants it: `~/.cache/emend` on Linux. */
export function userCacheFolder(): string {
  return envPaths("emend", { suffix: "" }).cache;
}
