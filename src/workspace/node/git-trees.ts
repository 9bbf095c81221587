import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { decodeText } from "../binary.ts";
import { skipByContent, skipByName, skipByStat } from "../read-source.ts";
import type { SkipReason } from "../skip-reason.ts";
import { type GitAnswer, type GitOptions, mapGitAnswer, runGit, runGitBytes } from "./run-git.ts";

/**
 * A path that differs between two states of a repository. `before` and `after` are object ids;
 * absent where a side has no file or git has not stored the object.
 */
export interface GitDifference {
  /** Relative to the folder of the request. */
  readonly path: string;
  readonly kind: "file" | "link" | "submodule" | "conflict";
  readonly isBefore: boolean;
  readonly isAfter: boolean;
  readonly before?: string;
  readonly after?: string;
  /**
   * The driver of its `filter` attribute, when the file on the disk cannot be compared without
   * running it.
   */
  readonly filter?: string;
}

/** What a tree is compared with: the index, the work tree, or another tree by its id. */
export type GitOther = "index" | "work-tree" | { readonly tree: string };

/**
 * The full id of the commit that `name` names, or `undefined` when there is none, or when git fails
 * for another reason. The other cases of {@link GitAnswer}, such as `not-a-repository`, are
 * returned. Rejects with the signal's reason only.
 *
 * A name that begins with `-` is none, because git would read it as an option.
 */
export async function gitCommit(
  folder: string,
  name: string,
  options: GitOptions = {},
): Promise<GitAnswer<string | undefined>> {
  if (name.startsWith("-")) return { kind: "answer", value: undefined };
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const answer = await runGit(folder, args, options);
  // With `--quiet`, git fails without a message for an unknown name.
  if (answer.kind === "failed") return { kind: "answer", value: undefined };
  return mapGitAnswer(answer, (output) => output.trim());
}

/**
 * The merge base of two commits, by their ids, or `undefined` when they have no common ancestor in
 * the fetched history. An unknown commit is `failed`. Rejects with the signal's reason only.
 */
export async function gitMergeBase(
  folder: string,
  [one, other]: readonly [string, string],
  options: GitOptions = {},
): Promise<GitAnswer<string | undefined>> {
  const answer = await runGit(folder, ["merge-base", one, other], options);
  if (answer.kind === "failed" && answer.exitCode === 1) return { kind: "answer", value: undefined };
  return mapGitAnswer(answer, (output) => output.trim());
}

/**
 * The differences below `folder` between a tree and the other side, with paths relative to
 * `folder`. A moved file is removed at one path and added at another; untracked files are not
 * included. Rejects with the signal's reason only.
 *
 * Without trust no filter runs: a file of the work tree that has one is included with `filter` set,
 * whether it differs or not, if it was staged, or written since git last read it.
 */
export async function gitDifferences(
  folder: string,
  tree: string,
  other: GitOther,
  options: GitOptions = {},
): Promise<GitAnswer<readonly GitDifference[]>> {
  const found = await differencesWithoutFilters(folder, tree, other, options);
  if (found.kind !== "answer" || other !== "work-tree" || options.isTrusted === true) return found;
  const filters = await filtersOnDisk(folder, found.value, options);
  if (filters.kind !== "answer") return filters;
  if (filters.value.size === 0) return found;
  const untouched = await gitUntouched(folder, [...filters.value.keys()], options);
  if (untouched.kind !== "answer") return untouched;
  const inIndex = await differencesWithoutFilters(folder, tree, "index", options);
  return mapGitAnswer(inIndex, (differences) => {
    const staged = new Set(differences.map(({ path }) => path));
    return found.value.flatMap((one) => {
      const filter = filters.value.get(one.path);
      if (filter === undefined) return [one];
      return untouched.value.has(one.path) && !staged.has(one.path) ? [] : [{ ...one, filter }];
    });
  });
}

/**
 * The files below `folder`, relative to it, that have a filter and look changed since `HEAD`
 * because no filter runs; some may differ in fact. Empty with trust. Rejects with the signal's
 * reason only.
 */
export async function gitFilteredPaths(
  folder: string,
  options: GitOptions = {},
): Promise<GitAnswer<readonly string[]>> {
  if (options.isTrusted === true) return { kind: "answer", value: [] };
  const found = await differencesWithoutFilters(folder, "HEAD", "work-tree", options);
  if (found.kind !== "answer") return found;
  return mapGitAnswer(await filtersOnDisk(folder, found.value, options), (filters) => [...filters.keys()]);
}

async function differencesWithoutFilters(
  folder: string,
  tree: string,
  other: GitOther,
  options: GitOptions,
): Promise<GitAnswer<readonly GitDifference[]>> {
  const against = other === "index" ? ["--cached", tree] : other === "work-tree" ? [tree] : [tree, other.tree];
  const plain = ["--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--ignore-submodules=dirty"];
  const args = ["diff", ...plain, "--relative", ...against, "--", "."];
  return mapGitAnswer(await runGit(folder, args, options), parseRawDiff);
}

/** The filter drivers of the differing files that exist on the disk, by path. */
function filtersOnDisk(
  folder: string,
  differences: readonly GitDifference[],
  options: GitOptions,
): Promise<GitAnswer<ReadonlyMap<string, string>>> {
  const paths = differences.flatMap(({ path, kind, isAfter }) => (kind === "file" && isAfter ? [path] : []));
  return gitFilters(folder, paths, options);
}

/**
 * The files below `folder`, relative to it, that git neither tracks nor ignores; nested
 * repositories are left out. Rejects with the signal's reason only.
 */
export async function gitUntracked(folder: string, options: GitOptions = {}): Promise<GitAnswer<readonly string[]>> {
  const args = ["ls-files", "-z", "--others", "--exclude-standard"];
  return mapGitAnswer(await runGit(folder, args, options), (output) =>
    output.split("\0").filter((path) => path !== "" && !path.endsWith("/")),
  );
}

/** The text of a stored object, or why it is not read. */
export type BlobAnswer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "skipped"; readonly reason: SkipReason };

/**
 * A function that returns the text of a stored object by path and id, for the requested pairs. The
 * rules are those of files on the disk, except ignore rules: secret, binary, large and generated
 * files are `skipped`.
 *
 * An object that has not been fetched, or was not requested, is `missing`; nothing is fetched.
 * Rejects with the signal's reason only.
 */
export async function gitTexts(
  folder: string,
  wanted: readonly { readonly path: string; readonly id: string }[],
  options: GitOptions = {},
): Promise<GitAnswer<(path: string, id: string) => BlobAnswer>> {
  const readable = wanted.filter(({ path }) => skipByName(path) === undefined);
  const ids = [...new Set(readable.map(({ id }) => id))];
  const sizes = await catFile(folder, ["cat-file", "--batch-check"], ids, options);
  if (sizes.kind !== "answer") return sizes;
  const refused = new Map<string, SkipReason>();
  for (const [index, line] of sizes.value.toString("utf8").split("\n").entries()) {
    const id = ids[index];
    if (id === undefined) continue;
    const size = /^\S+ blob (\d+)$/.exec(line)?.[1];
    const reason: SkipReason | undefined =
      size === undefined ? { kind: "missing" } : skipByStat({ kind: "file", size: Number(size), mtimeMs: 0 }, {});
    if (reason !== undefined) refused.set(id, reason);
  }
  const small = ids.filter((id) => !refused.has(id));
  const contents = await catFile(folder, ["cat-file", "--batch"], small, options);
  return mapGitAnswer(contents, (output) => {
    const bytes = splitBatch(output, small);
    return (path, id) => {
      const reason = skipByName(path) ?? refused.get(id);
      if (reason !== undefined) return { kind: "skipped", reason };
      const content = bytes.get(id);
      return content === undefined ? { kind: "skipped", reason: { kind: "missing" } } : textOf(content);
    };
  });
}

function textOf(content: Uint8Array): BlobAnswer {
  const decoded = decodeText(content);
  if (decoded.kind === "binary")
    return { kind: "skipped", reason: { kind: "binary", by: "content", detail: decoded.detail } };
  if (decoded.kind === "not-utf-8") return { kind: "skipped", reason: decoded };
  const reason = skipByContent(decoded.text);
  return reason === undefined ? { kind: "text", text: decoded.text } : { kind: "skipped", reason };
}

async function catFile(
  folder: string,
  args: readonly string[],
  ids: readonly string[],
  options: GitOptions,
): Promise<GitAnswer<Buffer>> {
  if (ids.length === 0) return { kind: "answer", value: Buffer.alloc(0) };
  const input = `${ids.join("\n")}\n`;
  // Many objects may take longer than the default timeout.
  return runGitBytes(folder, args, { timeoutMs: 120_000, ...options, input });
}

/**
 * Splits the output of `cat-file --batch`: for each object a line `<id> <type> <size>`, its bytes,
 * and a line break.
 */
function splitBatch(output: Buffer, ids: readonly string[]): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  let offset = 0;
  for (const id of ids) {
    const end = output.indexOf(10, offset);
    if (end < 0) break;
    const size = /^\S+ \S+ (\d+)$/.exec(output.toString("latin1", offset, end))?.[1];
    offset = end + 1;
    if (size === undefined) continue;
    found.set(id, output.subarray(offset, offset + Number(size)));
    offset += Number(size) + 1;
  }
  return found;
}

/**
 * Parses the output of `git diff --raw -z`: `:100644 100644 <id> <id> M`, a NUL, the path, a NUL.
 */
function parseRawDiff(output: string): readonly GitDifference[] {
  const fields = output.split("\0");
  const found: GitDifference[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [modeBefore, modeAfter, before, after, status] = fields[index]!.slice(1).split(" ");
    const modes = [modeBefore, modeAfter];
    const kind = modes.includes("160000") ? "submodule" : modes.includes("120000") ? "link" : "file";
    found.push({
      path: fields[index + 1]!,
      kind: status === "U" ? "conflict" : kind,
      isBefore: modeBefore !== noMode,
      isAfter: modeAfter !== noMode,
      ...(before !== undefined && !isZero(before) && { before }),
      ...(after !== undefined && !isZero(after) && { after }),
    });
  }
  return found;
}

const noMode = "000000";

function isZero(id: string): boolean {
  return /^0*$/.test(id);
}

/**
 * Those of `paths` (relative to `folder`) that have not been written since git last read them: size
 * and times equal those in the index, to the nanosecond.
 *
 * Git itself compares the contents of a file that was written in the same second as the index,
 * because most builds of git use whole seconds. Where its filter does not run, such a file would
 * always count as changed.
 */
async function gitUntouched(
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

/**
 * The names of filter drivers by path, for those of `paths` that have a `filter` attribute; `paths`
 * are relative to `folder`. Git compares such a file in the form that its filter produces, so it
 * cannot be compared without running the filter. Rejects with the signal's reason only.
 *
 * Attributes come from `.gitattributes` in the work tree, `.git/info/attributes` and
 * `core.attributesFile`, as in git.
 */
export async function gitFilters(
  folder: string,
  paths: readonly string[],
  options: GitOptions = {},
): Promise<GitAnswer<ReadonlyMap<string, string>>> {
  if (paths.length === 0) return { kind: "answer", value: new Map() };
  // With `--all`, git omits unset attributes; without it, a driver named `unspecified` would look
  // like one.
  const args = ["check-attr", "-z", "--stdin", "--all"];
  const answer = await runGitBytes(folder, args, { ...options, input: paths.map((path) => `${path}\0`).join("") });
  return mapGitAnswer(answer, (output) => {
    const fields = output.toString("utf8").split("\0");
    const drivers = new Map<string, string>();
    for (let index = 0; index + 2 < fields.length; index += 3) {
      const [path, attribute, value] = [fields[index]!, fields[index + 1], fields[index + 2]!];
      // The attributes `filter` and `-filter` without a value name no driver.
      if (attribute === "filter" && value !== "set" && value !== "unset") drivers.set(path, value);
    }
    return drivers;
  });
}
