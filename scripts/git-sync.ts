import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { gitCommand, settingsAgainstPrograms } from "../src/workspace/node/git-command.ts";

/** What git is called with. */
export interface GitSyncOptions {
  /** For git's standard input. */
  readonly input?: string;
  /** Whether git's complaints are not printed. */
  readonly isQuiet?: boolean;
}

/** The keys of the configuration of each folder, which does not change while a script runs. */
const knownKeys = new Map<string, readonly string[]>();

/**
 * What git prints, called in a folder or for the bare repository that the folder is; throws where
 * it fails. No program runs that the repository names, and nothing is fetched, also from a partial
 * clone.
 */
export function gitSync(folder: string, args: readonly string[], options: GitSyncOptions = {}): Buffer {
  // A bare repository has to be named: Emend's own calls take none for one that is only found.
  const isBare = !existsSync(join(folder, ".git")) && existsSync(join(folder, "objects"));
  const place = isBare ? ["--git-dir", folder] : ["-C", folder];
  const run = (args: readonly string[], settings: ReturnType<typeof settingsAgainstPrograms>, input = "") => {
    const command = gitCommand([...place, ...args], { environment: process.env, settings });
    return execFileSync("git", command.args, {
      ...{ input, env: command.environment, maxBuffer: 2 ** 30 },
      stdio: ["pipe", "pipe", options.isQuiet === true ? "ignore" : "pipe"],
    });
  };
  const keys = knownKeys.get(folder) ?? run(["config", "-z", "--list", "--name-only"], []).toString().split("\0");
  knownKeys.set(folder, keys);
  return run(args, settingsAgainstPrograms(keys, { runsFilters: false }), options.input);
}
