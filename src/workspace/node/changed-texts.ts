import { applyFilePatch, type DiffIssue, type FilePatch, parseUnifiedDiff } from "../../text/index.ts";
import { AccessRules } from "../access-rules.ts";
import type { FileSystem } from "../file-system.ts";
import { readSource } from "../read-source.ts";
import type { SkipReason } from "../skip-reason.ts";
import type { SkippedPath } from "../survey.ts";
import type { ChangedText } from "../texts/text-overlay.ts";
import { comparePaths, foldersAbove } from "../workspace-path.ts";
import { type GitOther, gitCommit, gitDifferences, gitMergeBase, gitTexts, gitUntracked } from "./git-trees.ts";
import { gitFolderKind } from "./git-worktree.ts";
import type { GitAnswer, GitOptions } from "./run-git.ts";

/** The change whose texts {@link readChangedTexts} reads. */
export type ChangeRequest =
  /** The difference between the last commit and the disk, untracked files included. */
  | { readonly kind: "work-tree" }
  /** The difference between the last commit and the index. */
  | { readonly kind: "staged" }
  /**
   * A range as in `git diff`: `A` (compared with the work tree), `A..B`, or `A...B` (from the merge
   * base); an omitted side is `HEAD`.
   */
  | { readonly kind: "range"; readonly range: string }
  /** A unified diff that applies to the files on the disk. */
  | { readonly kind: "diff"; readonly diff: string };

/** The workspace and the programs that {@link readChangedTexts} uses. */
export interface ChangedTextsOptions {
  /**
   * The absolute path of the workspace, links resolved. It may lie in a larger repository; files
   * outside it are ignored.
   */
  readonly root: string;
  /**
   * The files of the workspace on the disk and the skipped paths, as `walkWorkspace` yields them.
   */
  readonly files: ReadonlySet<string>;
  readonly skipped: readonly SkippedPath[];
  readonly fileSystem: FileSystem;
  /** How git is called. */
  readonly git?: Omit<GitOptions, "signal">;
  readonly signal?: AbortSignal | undefined;
}

/** Why a changed file is left out of the analysis. */
export type ChangeSkipReason =
  | SkipReason
  /** It is a submodule. */
  | { readonly kind: "submodule" }
  /** It contains an unresolved merge conflict. */
  | { readonly kind: "conflict" }
  /**
   * Only its git filter could show whether it changed, and filters do not run in an untrusted
   * workspace.
   */
  | { readonly kind: "git-filter"; readonly driver: string };

/** A changed file that is left out, and why. */
export interface SkippedChange {
  readonly path: string;
  readonly reason: ChangeSkipReason;
}

/** The texts before and after a change. */
export interface ChangedTexts {
  readonly kind: "texts";
  /** The two sides of the comparison, for people: `HEAD and the work tree`. */
  readonly between: string;
  /**
   * The changed files that were read, by path. A moved file is removed at one path and added at
   * another.
   */
  readonly changed: ReadonlyMap<string, ChangedText>;
  /**
   * The texts before the change of files that differ on the disk; `undefined` where there was no
   * file.
   */
  readonly before: ReadonlyMap<string, string | undefined>;
  /** The changed files that were not read, sorted by path. */
  readonly skipped: readonly SkippedChange[];
}

/** Why the texts of a change cannot be read. */
export type ChangeRefusal =
  | Exclude<GitAnswer<never>, { readonly kind: "answer" }>
  /** The repository has no work tree, or the folder lies inside `.git`. */
  | { readonly kind: "no-work-tree"; readonly folder: "bare" | "git-folder" }
  | { readonly kind: "no-commit" }
  | { readonly kind: "unknown-revision"; readonly revision: string }
  | { readonly kind: "no-merge-base"; readonly revisions: readonly [string, string] }
  /** The diff cannot be parsed completely. */
  | { readonly kind: "bad-diff"; readonly line: number; readonly issue: DiffIssue }
  /**
   * The diff does not apply to the files on the disk. `isMade`: the files already contain its
   * result.
   */
  | {
      readonly kind: "diff-mismatch";
      readonly path: string;
      readonly why: "missing" | "exists" | "lines" | "not-read";
      readonly isMade: boolean;
    };

/**
 * Reads the texts before and after a change. An invalid request, and a repository that cannot be
 * read, are results of type {@link ChangeRefusal}; files that may not be read are in `skipped`.
 * Rejects with the signal's reason on abort.
 */
export async function readChangedTexts(
  request: ChangeRequest,
  options: ChangedTextsOptions,
): Promise<ChangedTexts | ChangeRefusal> {
  return new ChangeReading(options).read(request);
}

/**
 * Why the commits that a range names cannot be compared; `undefined` where they can. Reads no file
 * of the work tree. Rejects with the signal's reason on abort.
 */
export async function tryRefuseRange(
  range: string,
  options: Pick<ChangedTextsOptions, "root" | "git" | "signal">,
): Promise<ChangeRefusal | undefined> {
  const sides = await sidesOf({ kind: "range", range }, options.root, gitOptionsOf(options));
  return sides.kind === "sides" ? undefined : sides;
}

/** The two sides of a comparison: a tree, and the index, the work tree or another tree. */
interface Sides {
  readonly kind: "sides";
  readonly base: string;
  readonly other: GitOther;
  readonly between: string;
}

async function sidesOf(
  request: Exclude<ChangeRequest, { kind: "diff" }>,
  root: string,
  git: GitOptions,
): Promise<Sides | ChangeRefusal> {
  const folder = await gitFolderKind(root, git);
  if (folder.kind !== "answer") return folder;
  if (folder.value !== "work-tree") return { kind: "no-work-tree", folder: folder.value };
  const head = await commitOf("HEAD", root, git);
  if (head.kind === "unknown-revision") return { kind: "no-commit" };
  if (head.kind !== "commit") return head;
  if (request.kind !== "range") {
    const other = request.kind === "staged" ? "index" : "work-tree";
    return { kind: "sides", base: head.id, other, between: `HEAD and the ${other.replace("-", " ")}` };
  }
  const [, from, dots, to] = /^((?:(?!\.\.).)*)(\.\.\.?)(.*)$/.exec(request.range) ?? [];
  const first = await commitOf((dots === undefined ? request.range : from) || "HEAD", root, git);
  if (first.kind !== "commit") return first;
  if (dots === undefined) {
    return {
      kind: "sides",
      base: first.id,
      other: "work-tree",
      between: `${shortRevision(request.range)} and the work tree`,
    };
  }
  const second = await commitOf(to || "HEAD", root, git);
  if (second.kind !== "commit") return second;
  const names = [from || "HEAD", to || "HEAD"] as const;
  const other = { tree: second.id };
  if (dots === "..") return { kind: "sides", base: first.id, other, between: names.map(shortRevision).join(" and ") };
  const base = await gitMergeBase(root, [first.id, second.id], git);
  if (base.kind !== "answer") return base;
  if (base.value === undefined) return { kind: "no-merge-base", revisions: names };
  const between = `${shortRevision(names[1])} and its merge base with ${shortRevision(names[0])}`;
  return { kind: "sides", base: base.value, other, between };
}

async function commitOf(
  name: string,
  root: string,
  git: GitOptions,
): Promise<{ readonly kind: "commit"; readonly id: string } | ChangeRefusal> {
  const answer = await gitCommit(root, name, git);
  if (answer.kind !== "answer") return answer;
  if (answer.value === undefined) return { kind: "unknown-revision", revision: name };
  return { kind: "commit", id: answer.value };
}

function gitOptionsOf({ git, signal }: Pick<ChangedTextsOptions, "git" | "signal">): GitOptions {
  return { timeoutMs: 60_000, ...git, signal };
}

class ChangeReading {
  readonly #options: ChangedTextsOptions;
  readonly #out: ReadonlyMap<string, SkipReason>;
  readonly #git: GitOptions;
  /** For files that no walk finds: deleted files, and files that are in the index only. */
  readonly #rules: AccessRules;

  constructor(options: ChangedTextsOptions) {
    this.#options = options;
    this.#out = new Map(options.skipped.map(({ path, reason }) => [path, reason]));
    this.#rules = new AccessRules({ fileSystem: options.fileSystem, root: options.root });
    this.#git = gitOptionsOf(options);
  }

  async read(request: ChangeRequest): Promise<ChangedTexts | ChangeRefusal> {
    if (request.kind === "diff") return this.#readDiff(request.diff);
    const sides = await sidesOf(request, this.#options.root, this.#git);
    return sides.kind === "sides" ? this.#readSides(sides) : sides;
  }

  async #readSides({ base, other, between }: Sides): Promise<ChangedTexts | ChangeRefusal> {
    const { root } = this.#options;
    const onDisk = await gitDifferences(root, base, "work-tree", this.#git);
    if (onDisk.kind !== "answer") return onDisk;
    const untracked = await gitUntracked(root, this.#git);
    if (untracked.kind !== "answer") return untracked;
    const inOther = other === "work-tree" ? onDisk : await gitDifferences(root, base, other, this.#git);
    if (inOther.kind !== "answer") return inOther;

    const wanted = [...onDisk.value, ...inOther.value].flatMap(({ path, kind, before, after }) =>
      kind === "file" ? [before, after].flatMap((id) => (id === undefined ? [] : [{ path, id }])) : [],
    );
    const texts = await gitTexts(root, wanted, this.#git);
    if (texts.kind !== "answer") return texts;
    const stored = (path: string, id: string | undefined): Side => {
      if (id === undefined) return { kind: "skipped", reason: { kind: "missing" } };
      const reason = this.#skipReason(path);
      return reason === undefined ? texts.value(path, id) : { kind: "skipped", reason };
    };

    for (const { path } of [...onDisk.value, ...inOther.value]) await this.#rules.prepare(path);
    const before = new Map<string, string | undefined>();
    for (const { path, kind, isBefore, before: id, filter } of onDisk.value) {
      if (kind === "link" || kind === "submodule" || filter !== undefined) continue;
      const side: Side = isBefore ? stored(path, id) : { kind: "absent" };
      // A file that is not read keeps the text of the disk.
      if (side.kind !== "skipped") before.set(path, side.kind === "text" ? side.text : undefined);
    }
    const found = new Changes();
    for (const difference of inOther.value) {
      const { path, kind, isBefore, isAfter } = difference;
      if (kind !== "file") {
        found.skip(path, kind === "link" ? { kind: "link", refusal: "refused-target" } : { kind });
        continue;
      }
      if (difference.filter !== undefined) {
        found.skip(path, { kind: "git-filter", driver: difference.filter });
        continue;
      }
      const old: Side = isBefore ? stored(path, difference.before) : { kind: "absent" };
      const now: Side = !isAfter
        ? { kind: "absent" }
        : other === "work-tree"
          ? await this.#onDisk(path)
          : stored(path, difference.after);
      found.add(path, old, now);
    }
    const files = untracked.value.filter((path) => this.#options.files.has(path));
    for (const path of files) {
      // A file that is in the tree and was removed from the index is in both lists.
      if (!before.has(path)) before.set(path, undefined);
      if (other === "work-tree") found.add(path, { kind: "absent" }, await this.#onDisk(path));
    }
    return found.texts(between, before);
  }

  async #readDiff(diff: string): Promise<ChangedTexts | ChangeRefusal> {
    const { files, issues } = parseUnifiedDiff(diff);
    const issue = issues.find(({ severity }) => severity === "error");
    if (issue !== undefined) {
      return { kind: "bad-diff", line: diff.slice(0, issue.start).split("\n").length, issue };
    }
    const found = new Changes();
    for (const patch of files) {
      const path = (patch.pathBefore ?? patch.pathAfter)!;
      if (patch.isBinary) {
        found.skip(path, { kind: "binary", by: "content", detail: "the diff marks it as binary" });
        continue;
      }
      const source = patch.kind === "create" ? patch.pathAfter! : path;
      const now = await this.#onDisk(source);
      if (now.kind === "skipped" && now.reason.kind !== "missing") {
        found.skip(path, now.reason);
        continue;
      }
      const text = now.kind === "text" ? now.text : undefined;
      const outcome = applyFilePatch(patch, text);
      if (outcome.kind !== "applied") return await this.#mismatch(patch, outcome.kind, text);
      const result = outcome.edit.apply(text ?? "");
      const after: Side = patch.kind === "delete" ? { kind: "absent" } : { kind: "text", text: result };
      const before: Side = text === undefined ? { kind: "absent" } : { kind: "text", text };
      if (patch.kind === "rename" || patch.kind === "copy") {
        if (patch.kind === "rename") found.add(path, before, { kind: "absent" });
        found.add(patch.pathAfter!, { kind: "absent" }, after);
      } else found.add(source, before, after);
    }
    return found.texts("the current files and the diff", new Map());
  }

  async #mismatch(
    patch: FilePatch,
    kind: "missing-file" | "already-exists" | "binary" | "mismatch" | "text-left",
    text: string | undefined,
  ): Promise<ChangeRefusal> {
    const why = kind === "missing-file" ? "missing" : kind === "already-exists" ? "exists" : "lines";
    const back = reversed(patch);
    const target = await this.#onDisk((back.pathBefore ?? back.pathAfter)!);
    const now = patch.pathAfter === patch.pathBefore ? text : target.kind === "text" ? target.text : undefined;
    const isMade = applyFilePatch(back, now).kind === "applied";
    return { kind: "diff-mismatch", path: (patch.pathBefore ?? patch.pathAfter)!, why, isMade };
  }

  async #onDisk(path: string): Promise<Side> {
    await this.#rules.prepare(path);
    const reason = this.#skipReason(path);
    if (reason !== undefined) return { kind: "skipped", reason };
    const { root, fileSystem, signal } = this.#options;
    const answer = await readSource(root, path, { fileSystem, signal });
    return answer.kind === "source" ? { kind: "text", text: answer.text } : answer;
  }

  /** Why a path is skipped: the walk skipped it or a folder above it, or would have done so. */
  #skipReason(path: string): SkipReason | undefined {
    if (this.#options.files.has(path)) return undefined;
    for (const folder of [...foldersAbove(path), path]) {
      const reason = this.#out.get(folder);
      if (reason !== undefined) return reason;
    }
    const verdict = this.#rules.verdict(path);
    if (verdict.kind === "secret") return { kind: "secret", by: verdict.from, detail: verdict.detail };
    return verdict.kind === "ignored" && verdict.from === "models" ? verdict : undefined;
  }
}

/** A revision for people: a full id is cut to 12 characters. */
function shortRevision(revision: string): string {
  return /^[0-9a-f]{40,}$/.test(revision) ? revision.slice(0, 12) : revision;
}

/** One side of a changed file. */
type Side =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "absent" }
  | { readonly kind: "skipped"; readonly reason: SkipReason };

/** The changed files that have been collected so far. */
class Changes {
  readonly #changed = new Map<string, ChangedText>();
  readonly #skipped = new Map<string, ChangeSkipReason>();

  skip(path: string, reason: ChangeSkipReason): void {
    this.#changed.delete(path);
    this.#skipped.set(path, reason);
  }

  add(path: string, before: Side, after: Side): void {
    // With one side missing, the change would look like an added or removed file.
    if (before.kind === "skipped" || after.kind === "skipped") {
      const left = [before, after].find((side) => side.kind === "skipped")!;
      this.skip(path, left.reason);
      return;
    }
    const old = before.kind === "text" ? before.text : this.#changed.get(path)?.before;
    const now = after.kind === "text" ? after.text : undefined;
    if (now !== undefined && isInConflict(now)) this.skip(path, { kind: "conflict" });
    else if (old === now) this.#changed.delete(path);
    else this.#changed.set(path, { before: old, after: now });
  }

  texts(between: string, before: ReadonlyMap<string, string | undefined>): ChangedTexts {
    const byPath = <T>(all: Iterable<readonly [string, T]>) => [...all].sort((a, b) => comparePaths(a[0], b[0]));
    const skipped = byPath(this.#skipped).map(([path, reason]) => ({ path, reason }));
    return { kind: "texts", between, before, changed: new Map(byPath(this.#changed)), skipped };
  }
}

/** Whether a text contains the conflict markers of git. */
function isInConflict(text: string): boolean {
  const [ours, theirs] = [/^<{7} /m.exec(text), /^={7}$/gm];
  if (ours === null) return false;
  theirs.lastIndex = ours.index;
  if (!theirs.test(text)) return false;
  return /^>{7} /m.test(text.slice(theirs.lastIndex));
}

/** The inverse of a patch. */
function reversed(patch: FilePatch): FilePatch {
  const kinds = { create: "delete", delete: "create", modify: "modify", rename: "rename", copy: "delete" } as const;
  const turned = { keep: "keep", insert: "delete", delete: "insert" } as const;
  return {
    kind: kinds[patch.kind],
    pathBefore: patch.pathAfter,
    pathAfter: patch.pathBefore,
    isBinary: patch.isBinary,
    hunks: patch.hunks.map((hunk) => ({
      ...hunk,
      ...{ beforeStart: hunk.afterStart, beforeCount: hunk.afterCount },
      ...{ afterStart: hunk.beforeStart, afterCount: hunk.beforeCount },
      // Deleted lines now come after inserted ones, which makes no difference to the result.
      lines: hunk.lines.map(({ kind: line, text }) => ({ kind: turned[line], text })),
    })),
  };
}
