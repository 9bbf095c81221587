import { settingInText } from "../../config/index.ts";
import type { TrustReport } from "../../server/index.ts";
import { findSettingsFile, writeSettings } from "./settings-file.ts";

/**
 * Adds a folder to `trust` in the user's own settings file. A file that is code is not edited: the
 * report has the line to add. Throws a `CommandFailure` where the file is broken, and rejects with
 * the disk's error.
 */
export async function trustFolder(
  root: string,
  { userFolder, stateFolder }: { readonly userFolder: string; readonly stateFolder: string },
): Promise<TrustReport> {
  const own = await findSettingsFile(userFolder);
  const trusted = own.isCode ? undefined : settingInText(own.text, ["trust"]);
  const value = [...(Array.isArray(trusted) ? trusted : []), root];
  if (own.isCode) return { kind: "by-hand", file: own.path, line: `trust: ${JSON.stringify(value)}` };
  await writeSettings(own, [{ path: ["trust"], value }], stateFolder);
  return { kind: "trusted", file: own.path };
}
