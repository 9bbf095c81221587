import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import type { CliRun } from "../fixtures/run-cli.ts";
import { runAtTerminal } from "../fixtures/test-terminal.ts";

let folder: string;
let state: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "emend-undo-")));
  state = realpathSync(mkdtempSync(join(tmpdir(), "emend-state-")));
  for (const name of ["a.txt", "b.txt"]) writeFileSync(join(folder, name), "one\ntwo\n");
  git("init", "--quiet");
  commit();
});
afterEach(() => {
  for (const one of [folder, state]) removeFolder(one);
});

function git(...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], { cwd: folder });
}

function commit(): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", "a state");
}

function emend(args: readonly string[]): Promise<CliRun> {
  const environment = { EMEND_STATE_DIR: state, EMEND_CACHE_DIR: state, XDG_CONFIG_HOME: state };
  return runAtTerminal(args, { workingFolder: folder, environment });
}

/** Replaces the first line of a file by an edit of Emend's. */
async function edit(path: string, before: string, after: string): Promise<void> {
  const patch = `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n-${before}\n+${after}\n two\n`;
  writeFileSync(join(state, "answer.diff"), patch);
  const { err, exitCode } = await emend(["apply", "--yes", join(state, "answer.diff")]);
  expect([err, exitCode]).toEqual([expect.stringContaining("Written"), 0]);
}

test("row 42: after `git checkout .` the older edit is listed, and can be undone", async () => {
  await edit("b.txt", "one", "1");
  commit();
  await edit("a.txt", "one", "1");
  git("checkout", "--quiet", ".");
  for (let times = 0; times < 2; times++) {
    const { err, exitCode } = await emend(["undo"]);
    expect(err).toMatch(
      /^There is nothing to undo of edit 2: a\.txt is as it was before it\.\n`emend undo --id 1` undoes .*: b\.txt\.\n$/,
    );
    expect(exitCode).toBe(1);
  }
  expect((await emend(["undo", "--id", "1"])).exitCode).toBe(0);
  expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("one\ntwo\n");
});

test("row 42: reports that nothing is left to undo after two edits of a line and `git checkout .`", async () => {
  await edit("a.txt", "one", "1");
  await edit("a.txt", "1", "I");
  git("checkout", "--quiet", ".");
  expect((await emend(["undo"])).err).toBe(
    "There is nothing to undo of edit 2: a.txt is as it was before it.\nNo older edit can be undone either.\n",
  );
});
