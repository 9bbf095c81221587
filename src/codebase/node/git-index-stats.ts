import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type GitAnswer, type GitOptions, mapGitAnswer, runGit } from "./run-git.ts";

/**
 * Those of `paths` (relative to `folder`) that have not been written since git last read them: size
 * and times equal those in the index, to the nanosecond.
 *
 * Git itself compares the contents of a file that was written in the same second as the index,
 * because most builds of git use whole seconds. Where its filter does not run, such a file would
 * always count as changed.
 */
export async function gitUntouched(
  folder: string,
  paths: readonly string[],
  options: GitOptions = {},
): Promise<GitAnswer<ReadonlySet<string>>> {
  const answer = mapGitAnswer(await runGit(folder, ["ls-files", "-z", "--cached", "--debug"], options), parseStats);
  if (answer.kind !== "answer") return answer;
  const untouched = new Set<string>();
  for (const path of paths) {
    const stat = answer.value.get(path);
    if (stat !== undefined && stat === (await statOf(join(folder, path)))) untouched.add(path);
  }
  return { kind: "answer", value: untouched };
}

/**
 * Parses the output of `ls-files --debug -z`: a path, a NUL and five lines. Entries of another form
 * are skipped, because git may change the form; their files then count as written.
 */
function parseStats(output: string): ReadonlyMap<string, string> {
  const entry =
    /([^\0]+)\0 {2}ctime: (\d+:\d+)\n {2}mtime: (\d+:\d+)\n {2}dev: \d+\tino: \d+\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: \w+\n/g;
  const stats = new Map<string, string>();
  for (const [, path, changed, modified, size] of output.matchAll(entry)) {
    stats.set(path!, `${changed} ${modified} ${size}`);
  }
  return stats;
}

async function statOf(path: string): Promise<string | undefined> {
  const stat = await lstat(path, { bigint: true }).catch(() => undefined);
  if (stat === undefined) return undefined;
  const time = (ns: bigint) => `${ns / 1_000_000_000n}:${ns % 1_000_000_000n}`;
  return `${time(stat.ctimeNs)} ${time(stat.mtimeNs)} ${stat.size}`;
}
