import { expect, test } from "vitest";
import { findGitFolder, gitHeadText, sharedGitFolder } from "./git-folder.ts";
import { MemoryFileSystem } from "./memory-file-system.ts";

/** The git folder of the work tree, the one that its repository shares, and the `HEAD`. */
async function read(files: Readonly<Record<string, string>>, folder = "/w") {
  const disk = new MemoryFileSystem(files);
  const found = await findGitFolder(folder, disk);
  return [found, found && (await sharedGitFolder(found, disk)), await gitHeadText(folder, disk)];
}

const state = { "/r/.git/worktrees/w/HEAD": "ref: b", "/r/.git/worktrees/w/commondir": "../..\n" };

test.each<[name: string, files: Readonly<Record<string, string>>, found: unknown]>([
  ["a repository", { "/w/.git/HEAD": "ref: a" }, ["/w/.git", "/w/.git", "ref: a"]],
  [
    "a linked work tree",
    { "/w/.git": "gitdir: /r/.git/worktrees/w\n", ...state },
    ["/r/.git/worktrees/w", "/r/.git/worktrees/w/../..", "ref: b"],
  ],
  [
    "a submodule, by a relative path",
    { "/w/.git": "gitdir: modules\\w", "/w/modules/w/HEAD": "c" },
    ["/w/modules/w", "/w/modules/w", "c"],
  ],
  ["a repository that is still empty", { "/w/.git/config": "" }, ["/w/.git", "/w/.git", undefined]],
  ["a file that names no folder", { "/w/.git": "else" }, [undefined, undefined, undefined]],
  ["no repository", { "/w/a.ts": "" }, [undefined, undefined, undefined]],
])("the git folder of %s is found, and its HEAD", async (_, files, found) => {
  expect(await read(files)).toEqual(found);
});

test("a folder in a repository has the HEAD of that", async () => {
  expect(await read({ "/w/.git/HEAD": "ref: a", "/w/sub/a.ts": "" }, "/w/sub")).toEqual([
    undefined,
    undefined,
    "ref: a",
  ]);
});
