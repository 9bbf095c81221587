import type { TrustReport } from "../../server/index.ts";
import { addTrustedFolder, findSettingsFile, removeTrustedFolder } from "./settings-file.ts";

/** Whose decision it is to trust a folder. */
export interface TrustFolderOptions {
  readonly userFolder: string;
  /** The folder of Emend's state where it is a step of setup, whose reset takes it back. */
  readonly setupState?: string;
}

/**
 * Adds a folder to `trust` in the user's own settings file. A file that is code is not edited: the
 * report has the line to add. Throws a `CommandFailure` where the file is broken, and rejects with
 * the disk's error.
 */
export async function trustFolder(root: string, { userFolder, setupState }: TrustFolderOptions): Promise<TrustReport> {
  const own = await findSettingsFile(userFolder);
  if (own.isCode) return { kind: "by-hand", file: own.path, line: `trust: ${JSON.stringify([root])}` };
  await addTrustedFolder(own, root, setupState);
  return { kind: "trusted", file: own.path };
}

/**
 * Takes a folder out of `trust` in the user's own settings file. Returns the path of the file;
 * `undefined` where the folder is not there as it is, or the file is code. Throws as
 * {@link trustFolder} does.
 */
export async function untrustFolder(
  root: string,
  { userFolder }: Pick<TrustFolderOptions, "userFolder">,
): Promise<string | undefined> {
  const own = await findSettingsFile(userFolder);
  return !own.isCode && (await removeTrustedFolder(own, root)) ? own.path : undefined;
}
