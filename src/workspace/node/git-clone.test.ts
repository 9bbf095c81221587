import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { gitClone } from "./git-worktree.ts";

/** A repository with two commits, and a folder for its clones. */
function ground() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "emend-clone-")));
  onTestFinished(() => removeFolder(top));
  const from = join(top, "from");
  const git = (folder: string, ...args: readonly string[]) => {
    const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
    return execFileSync("git", [...who, ...args], { cwd: folder, encoding: "utf8", stdio: "pipe" }).trim();
  };
  git(top, "init", "--quiet", "--initial-branch=main", from);
  const commits = ["one\n", "two\n"].map((text) => {
    writeFileSync(join(from, "a.txt"), text);
    git(from, "add", ".");
    git(from, "commit", "--quiet", "--message=change");
    return git(from, "rev-parse", "HEAD");
  });
  return { top, from, commits, git };
}

test("gitClone clones the whole history and checks out the named commit without a branch", async () => {
  const { top, from, commits, git } = ground();
  const whole = join(top, "whole");
  expect(await gitClone({ from: `file://${from}`, to: whole })).toEqual({ kind: "answer", value: undefined });
  expect([git(whole, "branch", "--show-current"), git(whole, "rev-list", "--count", "HEAD")]).toEqual(["main", "2"]);
  const first = join(top, "first");
  await gitClone({ from, to: first, commit: commits[0] });
  expect([git(first, "branch", "--show-current"), git(first, "rev-parse", "HEAD")]).toEqual(["", commits[0]]);
  expect(readFileSync(join(first, "a.txt"), "utf8")).toBe("one\n");
});

test("gitClone fails for a missing repository or commit, and takes no argument for an option", async () => {
  const { top, from } = ground();
  const failed = { kind: "failed" };
  expect(await gitClone({ from: join(top, "none"), to: join(top, "a") })).toMatchObject(failed);
  expect(await gitClone({ from: "--upload-pack=touch x", to: join(top, "b") })).toMatchObject(failed);
  expect(await gitClone({ from, to: join(top, "c"), commit: "0".repeat(40) })).toMatchObject(failed);
});
