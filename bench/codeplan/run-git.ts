import { execFileSync } from "node:child_process";

/** What git prints, asked in a folder; throws where it fails. */
export function runGit(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-C", folder, ...args], {
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "pipe"],
  }).toString();
}
