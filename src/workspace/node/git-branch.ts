import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitFilters } from "./git-trees.ts";
import { type GitAnswer, type GitOptions, mapGitAnswer, runGit, runGitBytes } from "./run-git.ts";

/** A file as a commit contains it. */
export interface CommittedFile {
  /** Git's file mode: `100644`, or `100755` for an executable. */
  readonly mode: string;
  readonly text: string;
}

/** The commit that {@link commitOnNewBranch} makes. */
export interface BranchCommit {
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly message: string;
  /**
   * Texts by path, relative to the folder; `null` removes a file. All other files are as in `HEAD`.
   */
  readonly files: ReadonlyMap<string, string | null>;
}

/**
 * The state of a branch: `no-name` when `branch` is not a valid name, `taken` when the branch
 * exists, otherwise `free`. Rejects with the signal's reason only.
 */
export async function gitBranchState(
  folder: string,
  branch: string,
  options: GitOptions = {},
): Promise<GitAnswer<"free" | "taken" | "no-name">> {
  const named = await runGit(folder, ["check-ref-format", "--branch", branch], options);
  if (named.kind === "failed") return { kind: "answer", value: "no-name" };
  if (named.kind !== "answer") return named;
  const known = await runGit(folder, ["show-ref", "--verify", "--quiet", `refs/heads/${branch}`], options);
  if (known.kind === "failed") return { kind: "answer", value: "free" };
  return mapGitAnswer(known, () => "taken");
}

/**
 * The regular files of `HEAD` at these paths, which are relative to `folder`; without filters.
 * Links, submodules and paths that `HEAD` does not contain are missing in the result. The answer is
 * `failed` where there is no commit. Rejects with the signal's reason only.
 */
export async function gitCommittedFiles(
  folder: string,
  paths: readonly string[],
  options: GitOptions = {},
): Promise<GitAnswer<ReadonlyMap<string, CommittedFile>>> {
  const prefix = await prefixOf(folder, options);
  if (prefix.kind !== "answer") return prefix;
  const files = new Map<string, CommittedFile>();
  for (const path of paths) {
    const args = ["--literal-pathspecs", "ls-tree", "-z", "--full-tree", "HEAD", "--", `${prefix.value}${path}`];
    const entry = await runGit(folder, args, options);
    if (entry.kind !== "answer") return entry;
    const [, mode, id] = /^(100\d{3}) blob ([0-9a-f]+)\t/.exec(entry.value) ?? [];
    if (mode === undefined) continue;
    const blob = await runGit(folder, ["cat-file", "blob", id!], options);
    if (blob.kind !== "answer") return blob;
    files.set(path, { mode, text: blob.value });
  }
  return { kind: "answer", value: files };
}

/**
 * Commits files on a new branch on top of `HEAD` and returns the commit's full id. Work tree, index
 * and the current branch stay unchanged, and no hook runs. The answer is `failed` when the branch
 * exists by then, or when there is no commit yet. Rejects with the signal's reason on abort.
 *
 * A file with a `filter` attribute is stored as its filter converts it, as in git. Without trust no
 * filter runs, and the answer is `failed` when there is such a file.
 */
export async function commitOnNewBranch(
  folder: string,
  { branch, message, files }: BranchCommit,
  options: GitOptions = {},
): Promise<GitAnswer<string>> {
  const prefix = await prefixOf(folder, options);
  if (prefix.kind !== "answer") return prefix;
  const known = await gitCommittedFiles(folder, [...files.keys()], options);
  if (known.kind !== "answer") return known;
  const written = [...files].flatMap(([path, text]) => (text === null ? [] : [path]));
  const filters = await gitFilters(folder, written, options);
  if (filters.kind !== "answer") return filters;
  const [filtered] = filters.value;
  if (filtered !== undefined && options.isTrusted !== true) {
    const message = `${filtered[0]} has the git filter ${filtered[1]}, and filters run only in a workspace that you trust. Run it again with --trust.`;
    return { kind: "failed", exitCode: -1, message };
  }
  const indexFolder = await mkdtemp(join(tmpdir(), "emend-index-"));
  const call = async (args: readonly string[], input = ""): Promise<GitAnswer<string>> => {
    const callOptions = { ...options, input, indexFile: join(indexFolder, "index") };
    return mapGitAnswer(await runGitBytes(folder, args, callOptions), (output) => output.toString("utf8").trim());
  };
  try {
    const head = await call(["rev-parse", "--verify", "HEAD^{commit}"]);
    if (head.kind !== "answer") return head;
    const read = await call(["read-tree", head.value]);
    if (read.kind !== "answer") return read;
    const noBlob = "0".repeat(head.value.length);
    const entries: string[] = [];
    for (const [path, text] of files) {
      const conversion = filters.value.has(path) ? `--path=${path}` : "--no-filters";
      const blob = text === null ? undefined : await call(["hash-object", "-w", conversion, "--stdin"], text);
      if (blob !== undefined && blob.kind !== "answer") return blob;
      const mode = blob === undefined ? "0" : (known.value.get(path)?.mode ?? "100644");
      entries.push(`${mode} ${blob?.value ?? noBlob}\t${prefix.value}${path}\0`);
    }
    const updated = await call(["update-index", "-z", "--index-info"], entries.join(""));
    if (updated.kind !== "answer") return updated;
    const tree = await call(["write-tree"]);
    if (tree.kind !== "answer") return tree;
    const commit = await call(["commit-tree", tree.value, "-p", head.value, "-F", "-"], message);
    if (commit.kind !== "answer") return commit;
    // An empty old value requires that the branch does not exist.
    const made = await call(["update-ref", "-m", "emend plan", `refs/heads/${branch}`, commit.value, ""]);
    return mapGitAnswer(made, () => commit.value);
  } finally {
    await rm(indexFolder, { recursive: true, force: true });
  }
}

/** The path of `folder` in its work tree: empty, or with a trailing `/`. */
async function prefixOf(folder: string, options: GitOptions): Promise<GitAnswer<string>> {
  return mapGitAnswer(await runGit(folder, ["rev-parse", "--show-prefix"], options), (output) =>
    output.replace(/\r?\n$/, ""),
  );
}
