import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { addWorktree, forgetWorktree, gitFiles, gitFolderKind, gitSubmodules } from "./git-worktree.ts";

function git(folder: string, ...args: string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "protocol.file.allow=always"];
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", [...who, ...args], { cwd: folder, env, encoding: "utf8", stdio: "pipe" }).trim();
}

function repository(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "emend-worktree-")));
  onTestFinished(() => removeFolder(root));
  git(root, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(root, "ü a.ts"), "a\n");
  git(root, "add", ".");
  git(root, "commit", "--quiet", "--message=first");
  return root;
}

test("gitFolderKind distinguishes a work tree, a bare repository and a folder inside .git", async () => {
  const root = repository();
  const bare = join(root, "bare");
  git(root, "clone", "--quiet", "--bare", ".", bare);
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "emend-outside-")));
  onTestFinished(() => removeFolder(outside));
  expect(await gitFolderKind(root)).toEqual({ kind: "answer", value: "work-tree" });
  expect(await gitFolderKind(bare)).toEqual({ kind: "answer", value: "bare" });
  expect(await gitFolderKind(join(root, ".git"))).toEqual({ kind: "answer", value: "git-folder" });
  expect(await gitFolderKind(outside)).toEqual({ kind: "not-a-repository" });
});

test("gitFiles lists tracked and new files, submodules and nested repositories, without ignored files", async () => {
  const root = repository();
  const other = repository();
  git(root, "submodule", "--quiet", "add", other, "sub");
  git(root, "clone", "--quiet", other, "inner");
  mkdirSync(join(root, "deep"));
  for (const name of [".gitignore", "deep/new.ts", "x.log"]) writeFileSync(join(root, name), "*.log\n");
  const files = { kind: "answer", value: [".gitignore", ".gitmodules", "deep/new.ts", "inner/", "sub", "ü a.ts"] };
  const answer = await gitFiles(root);
  expect({ ...answer, value: answer.kind === "answer" ? [...answer.value].sort() : [] }).toEqual(files);
  expect(await gitFiles(join(root, "deep"))).toEqual({ kind: "answer", value: ["new.ts"] });
  expect(await gitSubmodules(root)).toEqual({ kind: "answer", value: ["sub"] });
});

test("addWorktree adds a work tree without files; forgetWorktree removes only the one that is gone", async () => {
  const root = repository();
  const other = join(root, ".git", "on a disk that is not there");
  git(root, "worktree", "add", "--quiet", "--detach", other);
  removeFolder(other);
  const path = join(root, ".git", "elsewhere");
  expect(await addWorktree(root, path)).toEqual({ kind: "answer", value: undefined });
  expect(readdirSync(path)).toEqual([".git"]);
  expect(git(path, "status", "--porcelain")).toBe('D "\\303\\274 a.ts"');
  removeFolder(path);
  expect(await forgetWorktree(root, path)).toEqual({ kind: "answer", value: undefined });
  expect(readdirSync(join(root, ".git", "worktrees"))).toEqual(["on-a-disk-that-is-not-there"]);
});

test("addWorktree fails before the first commit", async () => {
  const root = repository();
  git(root, "checkout", "--quiet", "--orphan", "new");
  expect(await addWorktree(root, join(root, ".git", "elsewhere"))).toMatchObject({ kind: "failed" });
});
