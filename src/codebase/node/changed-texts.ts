import { applyFilePatch } from "../../text/apply-file-patch.ts";
import type { FilePatch } from "../../text/file-patch.ts";
import { type DiffIssue, parseUnifiedDiff } from "../../text/parse-unified-diff.ts";
import type { FileSystem } from "../file-system.ts";
import type { ChangedText } from "../impact/impact-analysis.ts";
import { readSource } from "../read-source.ts";
import type { SkipReason } from "../skip-reason.ts";
import type { SkippedPath } from "../survey.ts";
import { comparePaths, foldersAbove } from "../workspace-path.ts";
import type { GitAnswer, GitOptions } from "./git.ts";
import { type GitOther, gitCommit, gitDifferences, gitMergeBase, gitTexts, gitUntracked } from "./git-trees.ts";
import { gitFolderKind } from "./git-worktree.ts";

/** Which change is meant. */
export type ChangeRequest =
  /** What differs from the last commit, files that git does not track included. */
  | { readonly kind: "work-tree" }
  /** What is in the index for the next commit. */
  | { readonly kind: "staged" }
  /** As `git diff` reads it: `A` against the work tree, `A..B`, `A...B` from where both part; a side left out is `HEAD`. */
  | { readonly kind: "range"; readonly range: string }
  /** A unified diff, to be made to the files as they are. */
  | { readonly kind: "diff"; readonly diff: string };

/** Where the change is looked for. */
export interface ChangedTextsOptions {
  /** The absolute path of the workspace, links resolved. It may lie in a larger repository; what is outside is not looked at. */
  readonly root: string;
  /** The workspace's files on the disk, and what of it is left out: see `walkWorkspace`. */
  readonly files: ReadonlySet<string>;
  readonly skipped: readonly SkippedPath[];
  readonly fileSystem: FileSystem;
  /** How git is called. */
  readonly git?: Omit<GitOptions, "signal">;
  readonly signal?: AbortSignal;
}

/** Why a changed file is left out of the analysis. */
export type ChangeSkipReason =
  | SkipReason
  /** Another repository inside of this one. */
  | { readonly kind: "submodule" }
  /** A merge is not finished in it. */
  | { readonly kind: "conflict" };

/** A changed file that is left out. */
export interface SkippedChange {
  readonly path: string;
  readonly reason: ChangeSkipReason;
}

/** The texts of a change. */
export interface ChangedTexts {
  readonly kind: "texts";
  /** What is compared, for people: `HEAD and the work tree`. */
  readonly between: string;
  /** The changed files that are read, by path; a file that moved goes at one path and comes at another. */
  readonly changed: ReadonlyMap<string, ChangedText>;
  /** How files were before the change that the disk has otherwise now; `undefined` where there was none. */
  readonly before: ReadonlyMap<string, string | undefined>;
  /** The changed files that are not read, by path. */
  readonly skipped: readonly SkippedChange[];
}

/** Why there is no change to look at. */
export type ChangeRefusal =
  | Exclude<GitAnswer<never>, { readonly kind: "answer" }>
  /** The repository has no work tree, or the folder is the inside of `.git`. */
  | { readonly kind: "no-work-tree"; readonly folder: "bare" | "git-folder" }
  | { readonly kind: "no-commit" }
  | { readonly kind: "unknown-revision"; readonly revision: string }
  | { readonly kind: "no-merge-base"; readonly revisions: readonly [string, string] }
  /** The diff cannot be read whole. */
  | { readonly kind: "bad-diff"; readonly line: number; readonly issue: DiffIssue }
  /** The diff does not fit the files as they are. `isMade`: its result is there already. */
  | {
      readonly kind: "diff-mismatch";
      readonly path: string;
      readonly why: "missing" | "exists" | "lines" | "not-read";
      readonly isMade: boolean;
    };

/** Reads the texts before and after a change. What is wrong with the request or the repository is an answer, too. */
export async function readChangedTexts(
  request: ChangeRequest,
  options: ChangedTextsOptions,
): Promise<ChangedTexts | ChangeRefusal> {
  return new ChangeReading(options).read(request);
}

/** What a change is between: a tree, and something else. */
interface Sides {
  readonly kind: "sides";
  readonly base: string;
  readonly other: GitOther;
  readonly between: string;
}

class ChangeReading {
  readonly #options: ChangedTextsOptions;
  readonly #out: ReadonlyMap<string, SkipReason>;
  readonly #git: GitOptions;

  constructor(options: ChangedTextsOptions) {
    this.#options = options;
    this.#out = new Map(options.skipped.map(({ path, reason }) => [path, reason]));
    this.#git = { timeoutMs: 60_000, ...options.git, ...(options.signal && { signal: options.signal }) };
  }

  async read(request: ChangeRequest): Promise<ChangedTexts | ChangeRefusal> {
    if (request.kind === "diff") return this.#readDiff(request.diff);
    const folder = await gitFolderKind(this.#options.root, this.#git);
    if (folder.kind !== "answer") return folder;
    if (folder.value !== "work-tree") return { kind: "no-work-tree", folder: folder.value };
    const sides = await this.#sidesOf(request);
    return sides.kind === "sides" ? this.#readSides(sides) : sides;
  }

  async #sidesOf(request: Exclude<ChangeRequest, { kind: "diff" }>): Promise<Sides | ChangeRefusal> {
    const head = await this.#commit("HEAD");
    if (head.kind === "unknown-revision") return { kind: "no-commit" };
    if (head.kind !== "commit") return head;
    if (request.kind !== "range") {
      const other = request.kind === "staged" ? "index" : "work-tree";
      return { kind: "sides", base: head.id, other, between: `HEAD and the ${other.replace("-", " ")}` };
    }
    const [, from, dots, to] = /^(.*?)(\.\.\.?)(.*)$/.exec(request.range) ?? [];
    const first = await this.#commit((dots === undefined ? request.range : from) || "HEAD");
    if (first.kind !== "commit") return first;
    if (dots === undefined) {
      return {
        kind: "sides",
        base: first.id,
        other: "work-tree",
        between: `${shown(request.range)} and the work tree`,
      };
    }
    const second = await this.#commit(to || "HEAD");
    if (second.kind !== "commit") return second;
    const names = [from || "HEAD", to || "HEAD"] as const;
    const other = { tree: second.id };
    if (dots === "..") return { kind: "sides", base: first.id, other, between: names.map(shown).join(" and ") };
    const base = await gitMergeBase(this.#options.root, [first.id, second.id], this.#git);
    if (base.kind !== "answer") return base;
    if (base.value === undefined) return { kind: "no-merge-base", revisions: names };
    const between = `${shown(names[1])} and where it parted from ${shown(names[0])}`;
    return { kind: "sides", base: base.value, other, between };
  }

  async #commit(name: string): Promise<{ readonly kind: "commit"; readonly id: string } | ChangeRefusal> {
    const answer = await gitCommit(this.#options.root, name, this.#git);
    if (answer.kind !== "answer") return answer;
    if (answer.value === undefined) return { kind: "unknown-revision", revision: name };
    return { kind: "commit", id: answer.value };
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
      const reason = this.#whyOut(path);
      return reason === undefined ? texts.value(path, id) : { kind: "skipped", reason };
    };

    const before = new Map<string, string | undefined>();
    for (const { path, kind, isBefore, before: id } of onDisk.value) {
      if (kind === "link" || kind === "submodule") continue;
      const side: Side = isBefore ? stored(path, id) : { kind: "absent" };
      // What is not read is left to the disk.
      if (side.kind !== "skipped") before.set(path, side.kind === "text" ? side.text : undefined);
    }
    const found = new Changes();
    for (const difference of inOther.value) {
      const { path, kind, isBefore, isAfter } = difference;
      if (kind !== "file") {
        found.skip(path, kind === "link" ? { kind: "link", why: "refused-target" } : { kind });
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
      // A file that is in the tree and was taken out of the index is both.
      if (!before.has(path)) before.set(path, undefined);
      if (other === "work-tree") found.add(path, { kind: "absent" }, await this.#onDisk(path));
    }
    return found.texts(between, before);
  }

  async #readDiff(diff: string): Promise<ChangedTexts | ChangeRefusal> {
    const { files, issues } = parseUnifiedDiff(diff);
    const issue = issues.find(({ severity }) => severity === "error");
    if (issue !== undefined) {
      return { kind: "bad-diff", line: diff.slice(0, issue.range.start).split("\n").length, issue };
    }
    const found = new Changes();
    for (const patch of files) {
      const path = (patch.pathBefore ?? patch.pathAfter)!;
      if (patch.isBinary) {
        found.skip(path, { kind: "binary", by: "content", detail: "the diff says so" });
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
    return found.texts("the files as they are and the diff", new Map());
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
    const reason = this.#whyOut(path);
    if (reason !== undefined) return { kind: "skipped", reason };
    const { root, fileSystem, signal } = this.#options;
    const answer = await readSource(root, path, { fileSystem, signal });
    return answer.kind === "source" ? { kind: "text", text: answer.text } : answer;
  }

  /** Why the walk left a path out, or a folder above it. */
  #whyOut(path: string): SkipReason | undefined {
    if (this.#options.files.has(path)) return undefined;
    for (const folder of [...foldersAbove(path), path]) {
      const reason = this.#out.get(folder);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }
}

/** A commit as a person reads it: a long id is no better than its beginning. */
function shown(revision: string): string {
  return /^[0-9a-f]{40,}$/.test(revision) ? revision.slice(0, 12) : revision;
}

/** One side of a changed file. */
type Side =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "absent" }
  | { readonly kind: "skipped"; readonly reason: SkipReason };

/** Changed files while they are gathered. */
class Changes {
  readonly #changed = new Map<string, ChangedText>();
  readonly #skipped = new Map<string, ChangeSkipReason>();

  skip(path: string, reason: ChangeSkipReason): void {
    this.#changed.delete(path);
    this.#skipped.set(path, reason);
  }

  add(path: string, before: Side, after: Side): void {
    // Half of a change would look like a file that came or went.
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

/** Whether git has left both sides of a merge in a text. */
function isInConflict(text: string): boolean {
  return /^<{7} .*$[\s\S]*?^={7}$[\s\S]*?^>{7} /m.test(text);
}

/** The patch that takes a patch back. */
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
      // Within a place what is deleted stands before what is inserted, which does not matter to what lines become.
      lines: hunk.lines.map(({ kind: line, text }) => ({ kind: turned[line], text })),
    })),
  };
}
