import { type FileSystem, FileSystemError, folderOf, joinPath } from "../../workspace/index.ts";

/**
 * Returns the content of git's `HEAD` for the work tree that contains an absolute folder: the
 * branch, or a commit where there is none. It changes with a checkout, and not with a commit.
 * `undefined` outside of a git work tree. A file that cannot be read counts as missing and causes
 * no rejection.
 */
export async function gitHeadText(folder: string, fileSystem: FileSystem): Promise<string | undefined> {
  for (let at = folder; at !== ""; at = folderOf(at)) {
    const git = joinPath(at, ".git");
    // In a linked work tree `.git` is a file that names the folder.
    const link = await tryRead(git, fileSystem);
    const named = /^gitdir: (.*)$/m.exec(link ?? "")?.[1]?.trim();
    const place =
      named === undefined ? git : named.startsWith("/") || /^[A-Za-z]:/.test(named) ? named : joinPath(at, named);
    const head = await tryRead(joinPath(place, "HEAD"), fileSystem);
    if (head !== undefined) return head;
  }
  return undefined;
}

async function tryRead(path: string, fileSystem: FileSystem): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await fileSystem.readFile(path));
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}
