/** The commit or branch that is checked out. A branch without a commit is `unborn`. */
export type GitHead =
  | { readonly kind: "branch"; readonly branch: string; readonly sha: string }
  | { readonly kind: "detached"; readonly sha: string }
  | { readonly kind: "unborn"; readonly branch: string };

/** How a file differs: the index from the last commit, or the work tree from the index. */
type GitSide = "unchanged" | "modified" | "type-changed" | "added" | "deleted" | "renamed" | "copied";

/** A tracked file that differs from the last commit. */
interface GitTrackedChange {
  /** The combined change of index and work tree. */
  readonly kind: Exclude<GitSide, "unchanged">;
  readonly path: string;
  /** The earlier path of a renamed or copied file. */
  readonly from?: string;
  readonly index: GitSide;
  readonly workTree: GitSide;
  readonly isSubmodule: boolean;
}

/** A file that differs from the last commit; its path is relative to the top of the repository. */
export type GitChange =
  | GitTrackedChange
  | { readonly kind: "untracked"; readonly path: string }
  | {
      readonly kind: "conflicted";
      readonly path: string;
      readonly ours: GitConflictSide;
      readonly theirs: GitConflictSide;
    };

/** What one side of a merge did to a file with a conflict. */
type GitConflictSide = "modified" | "added" | "deleted";

/** The parsed output of `git status`. */
export interface GitStatus {
  readonly head: GitHead;
  readonly changes: readonly GitChange[];
  /**
   * Tracked files whose state is unknown, because only their git filter, which is not run, could
   * show whether they differ.
   */
  readonly unknown?: readonly string[];
}

/** The arguments of git whose output {@link parseGitStatus} parses. */
export const gitStatusArguments = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all"] as const;

/**
 * Parses the output of `git status` with {@link gitStatusArguments}, in its order. Lines of unknown
 * kinds are skipped, as git's manual asks of parsers; it never throws.
 *
 * Source: git-status(1), "Porcelain Format Version 2".
 */
export function parseGitStatus(output: string): GitStatus {
  const entries = output.split("\0");
  const changes: GitChange[] = [];
  let sha = "";
  let branch = "";
  for (let i = 0; i < entries.length; i += 1) {
    const entry = entries[i]!;
    if (entry.startsWith("# branch.oid ")) sha = entry.slice("# branch.oid ".length);
    else if (entry.startsWith("# branch.head ")) branch = entry.slice("# branch.head ".length);
    else if (entry.startsWith("1 ")) changes.push(readChange(entry, 8));
    else if (entry.startsWith("2 ")) {
      // With -z, the path before the rename is an entry of its own.
      i += 1;
      changes.push({ ...readChange(entry, 9), from: entries[i] ?? "" });
    } else if (entry.startsWith("u ")) changes.push(readConflict(entry));
    else if (entry.startsWith("? ")) changes.push({ kind: "untracked", path: entry.slice(2) });
  }
  return { head: readHead(sha, branch), changes };
}

function readHead(sha: string, branch: string): GitHead {
  if (sha === "(initial)" || sha === "") return { kind: "unborn", branch };
  return branch === "(detached)" ? { kind: "detached", sha } : { kind: "branch", branch, sha };
}

/**
 * Parses `1 XY sub ...` and `2 XY sub ...`. The path follows after `fields` fields and may contain
 * spaces.
 */
function readChange(entry: string, fields: number): GitTrackedChange {
  const parts = entry.split(" ");
  const index = sides[parts[1]?.[0] ?? ""] ?? "modified";
  const workTree = sides[parts[1]?.[1] ?? ""] ?? "modified";
  const path = parts.slice(fields).join(" ");
  return {
    kind: combinedSide(index, workTree),
    path,
    index,
    workTree,
    isSubmodule: parts[2]?.startsWith("S") === true,
  };
}

/** Combines both sides into one change, from the view of the files on the disk. */
function combinedSide(index: GitSide, workTree: GitSide): Exclude<GitSide, "unchanged"> {
  if (workTree === "deleted" || index === "unchanged") return workTree === "unchanged" ? "modified" : workTree;
  return index;
}

function readConflict(entry: string): GitChange {
  const parts = entry.split(" ");
  const code = parts[1] ?? "";
  const side = (letter: string | undefined): GitConflictSide =>
    letter === "D" ? "deleted" : letter === "A" ? "added" : "modified";
  return { kind: "conflicted", path: parts.slice(10).join(" "), ours: side(code[0]), theirs: side(code[1]) };
}

const sides: Readonly<Record<string, GitSide>> = {
  ".": "unchanged",
  M: "modified",
  T: "type-changed",
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
};
