import { type FileSystem, FileSystemError, folderOf, joinPath } from "../../codebase/index.ts";

/**
 * What git's `HEAD` says for the work tree that holds the absolute folder: the branch, or a commit where there is none. It is another after a checkout,
 * and the same after a commit. `undefined` outside of git.
 */
export async function gitHeadText(folder: string, fileSystem: FileSystem): Promise<string | undefined> {
  for (let at = folder; at !== ""; at = folderOf(at)) {
    const git = joinPath(at, ".git");
    // In a further work tree `.git` is a file that names the folder.
    const link = await tryRead(git, fileSystem);
    const named = /^gitdir: (.+?)\s*$/m.exec(link ?? "")?.[1];
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
