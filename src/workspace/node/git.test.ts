import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { type GitAnswer, gitDiff, gitHead, gitRoot, gitTracked } from "./git.ts";

let home: string;
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "emend-git-")));
});
afterAll(() => removeFolder(home));

function git(folder: string, ...args: string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", [...who, ...args], { cwd: folder, env, encoding: "utf8", stdio: "pipe" }).trim();
}

/**
 * A repository in a folder whose name contains a space and an umlaut, with one commit on `main`.
 */
function repository(): string {
  const root = mkdtempSync(join(home, "my repo ü-"));
  git(root, "init", "--quiet", "--initial-branch=main");
  for (const name of ["a b.ts", "ü.ts", "old.ts", "gone.ts", "both.ts"])
    writeFileSync(join(root, name), `${name}\n`.repeat(9));
  git(root, "add", ".");
  git(root, "commit", "--quiet", "--message=first");
  return root;
}

function unwrap<Value>(answer: GitAnswer<Value>): Value {
  if (answer.kind !== "answer") throw new Error(JSON.stringify(answer));
  return answer.value;
}

test("gitRoot, gitHead and gitTracked answer for the root and for a folder below it", async () => {
  const root = repository();
  mkdirSync(join(root, "deep"));
  expect(unwrap(await gitRoot(join(root, "deep")))).toBe(root);
  const sha = git(root, "rev-parse", "HEAD");
  expect(unwrap(await gitHead(join(root, "deep")))).toEqual({ kind: "branch", branch: "main", sha });
  expect(Array.from(unwrap(await gitTracked(root)))).toEqual(["a b.ts", "both.ts", "gone.ts", "old.ts", "ü.ts"]);
  git(root, "checkout", "--quiet", "--detach");
  expect(unwrap(await gitHead(root))).toEqual({ kind: "detached", sha });
});

test("gitDiff returns the differences from the last commit with paths relative to the folder", async () => {
  const root = repository();
  mkdirSync(join(root, "deep"));
  writeFileSync(join(root, "deep/new.ts"), "new\n");
  git(root, "add", "deep");
  writeFileSync(join(root, "ü.ts"), "changed\n");
  writeFileSync(join(root, "untracked.ts"), "x\n");
  // Programs of the repository's configuration do not run and do not change the form of a diff.
  git(root, "config", "diff.external", "false");
  git(root, "config", "diff.noprefix", "true");
  const files = (diff: string) => diff.match(/^diff --git .*$/gm);
  expect(files(unwrap(await gitDiff(root)))).toEqual([
    "diff --git a/deep/new.ts b/deep/new.ts",
    "diff --git a/ü.ts b/ü.ts",
  ]);
  expect(files(unwrap(await gitDiff(join(root, "deep"))))).toEqual(["diff --git a/new.ts b/new.ts"]);
  expect(unwrap(await gitDiff(root))).toContain("\n-ü.ts\n");
  git(root, "commit", "--quiet", "--all", "--message=second");
  expect(unwrap(await gitDiff(root))).toBe("");
});

test("gitHead is unborn before the first commit", async () => {
  const root = mkdtempSync(join(home, "new-"));
  git(root, "init", "--quiet", "--initial-branch=trunk");
  expect(unwrap(await gitHead(root))).toEqual({ kind: "unborn", branch: "trunk" });
});

test("a second work tree has its own root, head and changes", async () => {
  const root = repository();
  const second = join(home, "second tree");
  git(root, "worktree", "add", "--quiet", "-b", "side", second);
  writeFileSync(join(second, "ü.ts"), "changed");
  expect(unwrap(await gitRoot(second))).toBe(second);
  expect(unwrap(await gitHead(second))).toMatchObject({ kind: "branch", branch: "side" });
  expect(unwrap(await gitDiff(second))).toContain("\n+changed\n");
});

describe("a call of git that gives no answer", () => {
  test("results in not-a-repository outside a repository", async () => {
    const folder = mkdtempSync(join(home, "plain-"));
    for (const question of [gitRoot, gitHead, gitTracked]) {
      expect(await question(folder)).toEqual({ kind: "not-a-repository" });
    }
  });

  test("results in git-missing or folder-missing without the program or the folder", async () => {
    expect(await gitRoot(home, { program: join(home, "no-git") })).toEqual({ kind: "git-missing" });
    expect(await gitRoot(join(home, "nowhere"))).toEqual({ kind: "folder-missing" });
  });

  test("results in timed-out after the timeout and rejects with the signal's reason on abort", async () => {
    const program = join(home, "slow-git");
    writeFileSync(program, "#!/bin/sh\nexec sleep 30\n");
    chmodSync(program, 0o755);
    expect(await gitHead(home, { program, timeoutMs: 50 })).toEqual({ kind: "timed-out", timeoutMs: 50 });
    const controller = new AbortController();
    const reason = new Error("stopped");
    const result = gitHead(home, { program, signal: controller.signal });
    controller.abort(reason);
    await expect(result).rejects.toBe(reason);
    await expect(gitHead(home, { program, signal: aborted(reason) })).rejects.toBe(reason);
  });

  test("results in failed with git's message", async () => {
    const program = join(home, "broken-git");
    writeFileSync(program, "#!/bin/sh\necho 'fatal: bad index' >&2\nexit 128\n");
    chmodSync(program, 0o755);
    expect(await gitHead(home, { program })).toEqual({ kind: "failed", exitCode: 128, message: "fatal: bad index" });
  });
});

test("runs no program that the repository's configuration names", async () => {
  const root = repository();
  const trap = join(home, "trap");
  const sprung = join(home, "sprung");
  writeFileSync(trap, `#!/bin/sh\ntouch '${sprung}'\n`);
  chmodSync(trap, 0o755);
  git(root, "config", "core.fsmonitor", trap);
  git(root, "config", "core.pager", trap);
  writeFileSync(join(root, "a b.ts"), "changed");
  expect(unwrap(await gitHead(root)).kind).toBe("branch");
  expect(unwrap(await gitDiff(root))).toContain("\n+changed\n");
  expect(() => realpathSync(sprung)).toThrow();
});

function aborted(reason: unknown): AbortSignal {
  const controller = new AbortController();
  controller.abort(reason);
  return controller.signal;
}
