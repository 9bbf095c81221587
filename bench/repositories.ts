import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gitSync } from "../scripts/git-sync.ts";

/** A repository that benchmarks measure. */
interface MeasuredRepository {
  /** The commit whose tree, and whose history, is measured. */
  readonly commit: string;
  /** The benchmarks that take it where none is named, without `bench:`. */
  readonly benchmarks: readonly string[];
}

type Listed = Readonly<Record<string, MeasuredRepository>>;

/** What `repositories.json` lists, by `owner/name`. */
export const measuredRepositories: Listed = JSON.parse(
  readFileSync(new URL("repositories.json", import.meta.url), "utf8"),
);

/** Repositories at their commits, in a folder that is deleted when they are disposed. */
export interface OpenRepositories extends Disposable {
  /** Their work trees, each with the history up to its commit. */
  readonly folders: readonly string[];
}

/**
 * What a benchmark measures: the `chosen` folders; with `clones`, the folder of the clones, the
 * `chosen` repositories by `owner/name`, or else all that `repositories.json` lists for the
 * benchmark.
 *
 * Throws where a repository is not listed, and where a clone or its commit is missing: the message
 * names all of them with the command that makes the clone.
 */
export function openRepositories(
  benchmark: string,
  {
    chosen,
    clones,
    listed = measuredRepositories,
  }: { readonly chosen: readonly string[]; readonly clones: string | undefined; readonly listed?: Listed },
): OpenRepositories {
  if (clones === undefined) return { folders: chosen, [Symbol.dispose]: () => undefined };
  const ofBenchmark = Object.keys(listed).filter((name) => listed[name]!.benchmarks.includes(benchmark));
  const names = chosen.length > 0 ? chosen : ofBenchmark;
  const unlisted = names.filter((name) => !Object.hasOwn(listed, name));
  if (unlisted.length > 0) throw new Error(`bench/repositories.json does not list ${unlisted.join(", ")}.`);
  const missing = names
    .map((name) => tryMissing(clones, name, listed[name]!.commit))
    .filter((reason) => reason !== undefined);
  if (missing.length > 0) throw new Error(missing.join("\n"));
  const top = mkdtempSync(join(tmpdir(), "emend-bench-"));
  return {
    folders: names.map((name) =>
      checkOut(clonePath(clones, name), join(top, name.replace("/", "+")), listed[name]!.commit),
    ),
    [Symbol.dispose]: () => rmSync(top, { recursive: true, force: true }),
  };
}

/** The folder of a repository's clone among others; throws where there is none. */
export function cloneOf(clones: string, name: string): string {
  const folder = clonePath(clones, name);
  if (!existsSync(folder)) throw new Error(adviceFor(clones, name));
  return folder;
}

function clonePath(clones: string, name: string): string {
  return resolve(clones, name.replace("/", "+"), "repo");
}

function adviceFor(clones: string, name: string): string {
  return `${name} is missing: git clone https://github.com/${name} ${clonePath(clones, name)}`;
}

function tryMissing(clones: string, name: string, commit: string): string | undefined {
  const folder = clonePath(clones, name);
  if (!existsSync(folder)) return adviceFor(clones, name);
  try {
    gitSync(folder, ["cat-file", "-e", `${commit}^{commit}`], { isQuiet: true });
    return undefined;
  } catch {
    return `${name} has no commit ${commit}: git -C ${folder} fetch --unshallow`;
  }
}

/** Makes a work tree at a commit that takes its objects from the clone, which stays as it is. */
function checkOut(clone: string, folder: string, commit: string): string {
  const objects = gitSync(clone, ["rev-parse", "--path-format=absolute", "--git-path", "objects"]);
  mkdirSync(folder);
  gitSync(folder, ["init", "--quiet"]);
  writeFileSync(join(folder, ".git/objects/info/alternates"), objects);
  gitSync(folder, ["checkout", "--quiet", "--detach", commit]);
  return folder;
}
