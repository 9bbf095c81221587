import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { measuredRepositories, openRepositories } from "./repositories.ts";

let clones: string;
beforeEach(() => {
  clones = mkdtempSync(join(tmpdir(), "emend-clones-"));
});
afterEach(() => rmSync(clones, { recursive: true, force: true }));

test("each repository is measured by benchmarks that exist, at a full commit", () => {
  const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  for (const { commit, benchmarks } of Object.values(measuredRepositories)) {
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    for (const benchmark of benchmarks) expect(scripts).toHaveProperty([`bench:${benchmark}`]);
  }
});

test("without clones, the folders are those given", () => {
  using opened = openRepositories("graph", { chosen: ["a", "b"], clones: undefined });
  expect(opened.folders).toEqual(["a", "b"]);
});

test("every missing clone is named with the command that makes it", () => {
  const open = () => openRepositories("tokens", { chosen: [], clones });
  const command = (name: string) =>
    `${name} is missing: git clone https://github.com/${name} ${join(clones, name.replace("/", "+"), "repo")}`;
  expect(open).toThrow(`${command("honojs/hono")}\n${command("vuejs/core")}`);
});

test("a repository that is not listed, and a clone without the commit, are refused", () => {
  commitIn("honojs/hono", "old");
  expect(() => openRepositories("graph", { chosen: ["a/b"], clones })).toThrow("does not list a/b");
  expect(() => openRepositories("graph", { chosen: ["honojs/hono"], clones })).toThrow("has no commit");
});

test.each(["", "--bare"])("a work tree has the commit and its history alone, from a clone %s", (bare) => {
  const [first, second] = [commitIn("one/two", "first"), commitIn("one/two", "second"), commitIn("one/two", "third")];
  const listed = { "one/two": { commit: second, benchmarks: ["graph"] } };
  const whole = join(clones, "whole");
  execFileSync("git", [
    "clone",
    "--quiet",
    ...(bare === "" ? [] : [bare]),
    folderOf("one/two"),
    join(whole, "one+two/repo"),
  ]);
  let folder: string;
  {
    using opened = openRepositories("graph", { chosen: [], clones: whole, listed });
    folder = opened.folders[0]!;
    expect(readFileSync(join(folder, "text"), "utf8")).toBe("second");
    expect(git(folder, "log", "--format=%H").split("\n")).toEqual([second, first]);
    expect(git(folder, "status", "--short")).toBe("");
  }
  expect(existsSync(folder)).toBe(false);
});

function folderOf(name: string): string {
  return join(clones, name.replace("/", "+"), "repo");
}

/** Commits a text to a repository, which is made where it is missing; returns the commit. */
function commitIn(name: string, text: string): string {
  const folder = folderOf(name);
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet");
  writeFileSync(join(folder, "text"), text);
  git(folder, "add", "text");
  git(folder, "-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "--quiet", "-m", text);
  return git(folder, "rev-parse", "HEAD");
}

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-C", folder, ...args])
    .toString()
    .trim();
}
