import { type FileSystem, FileSystemError } from "./file-system.ts";
import { folderOf, joinPath, resolvePath } from "./workspace-path.ts";

/**
 * The folder with git's state of the work tree in the absolute folder `top`: its `.git`, or what
 * that names where it is a file, as in a linked work tree. `undefined` where there is none. What
 * cannot be read counts as missing.
 */
export async function findGitFolder(top: string, fileSystem: FileSystem): Promise<string | undefined> {
  const path = joinPath(top, ".git");
  const stat = await fileSystem.stat(path).catch(orMissing);
  if (stat === undefined || stat.kind === "folder") return stat && path;
  const link = /^gitdir: (.+)$/m.exec(await readText(path, fileSystem))?.[1]?.trim();
  return link === undefined ? undefined : resolvePath(top, link);
}

/**
 * The folder that the work trees of a repository share, which contains `info`, from the
 * {@link findGitFolder} of one of them.
 */
export async function sharedGitFolder(gitFolder: string, fileSystem: FileSystem): Promise<string> {
  const common = (await readText(joinPath(gitFolder, "commondir"), fileSystem)).trim();
  return common === "" ? gitFolder : resolvePath(gitFolder, common);
}

/**
 * The content of git's `HEAD` for the work tree that contains an absolute folder: the branch, or a
 * commit where there is none. It changes with a checkout, and not with a commit. `undefined`
 * outside of a git work tree. A file that cannot be read counts as missing.
 */
export async function gitHeadText(folder: string, fileSystem: FileSystem): Promise<string | undefined> {
  for (let at = folder; at !== ""; at = folderOf(at)) {
    const gitFolder = await findGitFolder(at, fileSystem);
    const head = gitFolder && (await readText(joinPath(gitFolder, "HEAD"), fileSystem));
    if (head) return head;
  }
  return undefined;
}

/** The text of a small file; empty where it cannot be read. */
async function readText(path: string, fileSystem: FileSystem): Promise<string> {
  const bytes = await fileSystem.readFile(path, { maxBytes: maxGitBytes }).catch(orMissing);
  return bytes === undefined ? "" : new TextDecoder().decode(bytes);
}

/** In bytes: more than the path of a folder or the name of a branch has. */
const maxGitBytes = 100_000;

function orMissing(error: unknown): undefined {
  if (!(error instanceof FileSystemError)) throw error;
}
