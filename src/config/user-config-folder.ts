import envPaths from "env-paths";

/**
 * The folder of the user's own configuration, where this system wants it, with `/`:
 * `~/.config/emend` on Linux.
 */
export function userConfigFolder(): string {
  return envPaths("emend", { suffix: "" }).config.replaceAll("\\", "/");
}
