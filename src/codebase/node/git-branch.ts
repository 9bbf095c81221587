import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askGit, askGitBytes, type GitAnswer, type GitOptions, mapGitAnswer } from "./git.ts";

/** A file as a commit has it. */
export interface CommittedFile {
  /** As git writes it: `100644`, or `100755` for a program. */
  readonly mode: string;
  readonly text: string;
}

/** What a commit on a new branch holds. */
export interface BranchCommit {
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly message: string;
  /** Paths from the folder; `null` takes a file away. All others are as in the commit that the folder stands on. */
  readonly files: ReadonlyMap<string, string | null>;
}

/** Whether there can be a branch of this name, and is none yet. */
export async function gitBranchState(
  folder: string,
  branch: string,
  options: GitOptions = {},
): Promise<GitAnswer<"free" | "taken" | "no-name">> {
  const named = await askGit(folder, ["check-ref-format", "--branch", branch], options);
  if (named.kind === "failed") return { kind: "answer", value: "no-name" };
  if (named.kind !== "answer") return named;
  const known = await askGit(folder, ["show-ref", "--verify", "--quiet", `refs/heads/${branch}`], options);
  if (known.kind === "failed") return { kind: "answer", value: "free" };
  return mapGitAnswer(known, () => "taken");
}

/** The files of these paths from `folder`, as the commit has them that it stands on, without filters; those that it has. */
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
    const entry = await askGit(folder, args, options);
    if (entry.kind !== "answer") return entry;
    const [, mode, id] = /^(100\d{3}) blob ([0-9a-f]+)\t/.exec(entry.value) ?? [];
    if (mode === undefined) continue;
    const blob = await askGit(folder, ["cat-file", "blob", id!], options);
    if (blob.kind !== "answer") return blob;
    files.set(path, { mode, text: blob.value });
  }
  return { kind: "answer", value: files };
}

/**
 * Commits files on a new branch, on top of the commit that `folder` stands on, and answers the commit's full id. Work tree, index and the branch that
 * is checked out stay as they are; no hook and no filter is run. A branch of that name that came meanwhile is left alone: git then fails.
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
  const own = await mkdtemp(join(tmpdir(), "emend-index-"));
  const ask = async (args: readonly string[], input = ""): Promise<GitAnswer<string>> => {
    const asked = { ...options, input, indexFile: join(own, "index") };
    return mapGitAnswer(await askGitBytes(folder, args, asked), (output) => output.toString("utf8").trim());
  };
  try {
    const head = await ask(["rev-parse", "--verify", "HEAD^{commit}"]);
    if (head.kind !== "answer") return head;
    const read = await ask(["read-tree", head.value]);
    if (read.kind !== "answer") return read;
    const noBlob = "0".repeat(head.value.length);
    const entries: string[] = [];
    for (const [path, text] of files) {
      const blob = text === null ? undefined : await ask(["hash-object", "-w", "--no-filters", "--stdin"], text);
      if (blob !== undefined && blob.kind !== "answer") return blob;
      const mode = blob === undefined ? "0" : (known.value.get(path)?.mode ?? "100644");
      entries.push(`${mode} ${blob?.value ?? noBlob}\t${prefix.value}${path}\0`);
    }
    const updated = await ask(["update-index", "-z", "--index-info"], entries.join(""));
    if (updated.kind !== "answer") return updated;
    const tree = await ask(["write-tree"]);
    if (tree.kind !== "answer") return tree;
    const commit = await ask(["commit-tree", tree.value, "-p", head.value, "-F", "-"], message);
    if (commit.kind !== "answer") return commit;
    // Nothing as the old value: there must be no such branch.
    const made = await ask(["update-ref", "-m", "emend plan", `refs/heads/${branch}`, commit.value, ""]);
    return mapGitAnswer(made, () => commit.value);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Where `folder` lies in its work tree: empty, or with a `/` at the end. */
async function prefixOf(folder: string, options: GitOptions): Promise<GitAnswer<string>> {
  return mapGitAnswer(await askGit(folder, ["rev-parse", "--show-prefix"], options), (output) =>
    output.replace(/\r?\n$/, ""),
  );
}
