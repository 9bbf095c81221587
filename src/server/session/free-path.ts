import { type FileSystem, FileSystemError, joinPath, tryRelativePath } from "../../workspace/index.ts";

/**
 * Whether a file can be created at `path`, which is relative to the workspace at `root`: nothing
 * exists there, and each existing folder of the path is, also behind links, in the workspace.
 * `false` for a path with an empty segment, `.` or `..`, and where the disk cannot be read, which
 * causes no rejection.
 */
export async function isFreePath(
  root: string,
  path: string,
  fileSystem: Pick<FileSystem, "readFolder" | "realPath">,
): Promise<boolean> {
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === "..")) return false;
  try {
    const realRoot = await fileSystem.realPath(root);
    let folder = realRoot;
    for (const name of names) {
      const entry = (await fileSystem.readFolder(folder)).find((one) => one.name === name);
      if (entry === undefined) return true;
      folder = joinPath(folder, name);
      if (entry.kind === "link") folder = await fileSystem.realPath(folder);
      if (tryRelativePath(realRoot, folder) === undefined) return false;
    }
    return false;
  } catch (error) {
    if (error instanceof FileSystemError) return false;
    throw error;
  }
}
