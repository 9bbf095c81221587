/** The real `git` and `patch`, for patches to agree with. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeFolder } from "./fixtures/remove-folder.ts";

/** A folder for the time of one call, with these files in it. */
export function withFolder<T>(files: ReadonlyMap<string, string>, use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "emend-patch-"));
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return use(folder);
  } finally {
    removeFolder(folder);
  }
}

/** The text of a file, `undefined` when it is not there. */
export function readText(folder: string, path: string): string | undefined {
  return existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : undefined;
}

/**
 * Runs a program in the folder with `input`; `undefined` when it ends well, else what it complained
 * about.
 */
export function tryRun(folder: string, program: string, args: readonly string[], input: string): string | undefined {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, input, encoding: "utf8", env: quietEnv });
  return status === 0 ? undefined : `${stdout}${stderr}`;
}

/** The output of `git diff` for the two folders `a` and `b` in the folder. */
export function gitDiff(folder: string, ...options: readonly string[]): string {
  const args = ["diff", "--no-index", "--no-prefix", "--text", ...options, "a", "b"];
  const { stdout } = spawnSync("git", args, { cwd: folder, encoding: "utf8", env: quietEnv });
  return stdout;
}

/** Whether the program can be run here; `patch` is not everywhere. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** No configuration but git's own, and no repository around the folder. */
const quietEnv = {
  PATH: process.env["PATH"],
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CEILING_DIRECTORIES: tmpdir(),
  HOME: "/nonexistent",
};
