import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeFolder } from "../../src/text/node/fixtures/remove-folder.ts";
import { GitHistory } from "./git-history.ts";

let home: string;
let root: string;
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "emend-history-")));
  root = join(home, "work");
  mkdirSync(join(root, "deep"), { recursive: true });
  git("init", "--quiet", "--initial-branch=main");
  commit({ "a.ts": "one\ntwo\nthree\n", "deep/ü b.ts": "x\n" });
  commit({ "a.ts": "one\n++ two\nthree\nfour\n" });
  commit({ "deep/ü b.ts": "x\ny" });
});
afterAll(() => removeFolder(home));

function git(...args: string[]): void {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  execFileSync("git", [...who, ...args], { cwd: root, env, stdio: "pipe" });
}

function commit(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  git("add", ".");
  git("commit", "--quiet", "--message=change");
}

test("which folders are repositories", () => {
  expect(GitHistory.tryOpen(root)).toBeDefined();
  expect(GitHistory.tryOpen(join(root, "deep"))).toBeUndefined();
  expect(GitHistory.tryOpen(home)).toBeUndefined();
  expect(GitHistory.tryOpen(join(home, "nowhere"))).toBeUndefined();
  git("clone", "--quiet", "--bare", ".", join(home, "bare.git"));
  expect(GitHistory.tryOpen(join(home, "bare.git"))?.commits(9)).toHaveLength(2);
});

test("trees, texts, commits and the lines they added", () => {
  const history = GitHistory.tryOpen(root)!;
  const commits = history.commits(10);
  // The first commit of all has no parent, so nothing was there before it.
  expect(commits).toHaveLength(2);
  expect(history.commits(1)).toEqual(commits.slice(1));
  expect(commits.map((one) => Object.fromEntries(history.addedLines(one)!))).toEqual([
    { "a.ts": [1, 3] },
    { "deep/ü b.ts": [1] },
  ]);
  const tree = history.tree(`${commits[0]}^`);
  expect([...tree.keys()]).toEqual(["a.ts", "deep/ü b.ts"]);
  const missing = "0".repeat(40);
  const texts = history.texts([missing, ...tree.values(), ...tree.values()]);
  expect([...tree.values()].map((blob) => texts.get(blob))).toEqual(["one\ntwo\nthree\n", "x\n"]);
  expect(texts.has(missing)).toBe(false);
});

test("what is not there is no error", () => {
  const history = GitHistory.tryOpen(root)!;
  expect(history.tree("nowhere").size).toBe(0);
  expect(history.addedLines("nowhere")).toBeUndefined();
  expect(history.texts([]).size).toBe(0);
});
