import promises from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it that are missing, with permissions `mode`; by default the
 * system's for a new folder. One that is already there stays as it is. Rejects with the system's
 * error for the first folder that cannot be made.
 *
 * It replaces the option `recursive` of Node's `mkdir`, which never ends, and keeps the process
 * alive, where the system answers ENOENT for a folder although something is at the path above: in
 * `/proc`, or under a link whose target is missing.
 */
export async function makeFolder(
  path: string,
  options: { readonly mode?: number; readonly disk?: Pick<typeof promises, "mkdir" | "stat"> } = {},
): Promise<void> {
  const { disk = promises, ...rest } = options;
  const make = () =>
    disk.mkdir(path, rest).catch(async (error: unknown) => {
      const isThere = await disk.stat(path).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (!isThere) throw error;
    });
  try {
    await make();
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing || dirname(path) === path) throw error;
    await makeFolder(dirname(path), options);
    await make();
  }
}
