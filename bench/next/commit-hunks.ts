import { gitSync } from "../../scripts/git-sync.ts";
import { isLearnable, isLearnablePath } from "../../scripts/train/learnable.ts";
import { seededRandom, shuffle } from "../../scripts/train/seeded-random.ts";
import { languageOf } from "../../src/syntax/index.ts";
import { diffSequences, parseUnifiedDiff } from "../../src/text/index.ts";
import { tryToolFolder } from "../../src/workspace/tool-folder.ts";
import { foldersAbove } from "../../src/workspace/workspace-path.ts";
import { inLines } from "./line-hunks.ts";
import { withoutCopies } from "./without-copies.ts";

/**
 * A run of adjacent changed lines of a file, as `git diff -U0` has it. Lines count from 0, without
 * their line feed.
 */
export interface CommitHunk {
  /** The file's path after the commit, or before it where the file goes. */
  readonly path: string;
  readonly beforeStart: number;
  readonly before: readonly string[];
  readonly afterStart: number;
  readonly after: readonly string[];
}

/** A file of a commit, with the text it had and the one it got; `undefined` where there is none. */
export interface CommitFile {
  /** The path after the commit, or before it where the file goes. */
  readonly path: string;
  /** The path before, where the commit moved the file. */
  readonly movedFrom?: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** How many hunks it has; a file that comes or goes is one. */
  readonly hunks: readonly CommitHunk[];
}

/** A commit that can be gone through hunk by hunk. */
export interface HunkCommit {
  readonly id: string;
  readonly parent: string;
  readonly subject: string;
  /** In the order of the diff. */
  readonly files: readonly CommitFile[];
  /**
   * Files that a tool keeps as copies of others of them, by their paths before and after: they are
   * no part of the workspace.
   */
  readonly copies: readonly string[];
}

/** Which commits are taken. */
export interface CommitChoice {
  readonly count: number;
  /** Taken evenly from the whole history by this seed; default: the newest first. */
  readonly seed?: number;
  /** Only commits since this date, as git reads it. */
  readonly since?: string;
  /** How many of those that fit are passed over. */
  readonly skip?: number;
  /** Only commits whose id begins like this. */
  readonly only?: string;
  /**
   * Whether lines that became as many others are hunks of their own, as people write them one after
   * the other.
   */
  readonly byLine?: boolean;
}

const maxFiles = 40;
const maxHunks = 300;
const minSourceHunks = 3;

/** The commits of a history that fit, one at a time. Throws where `folder` is no git repository. */
export function* hunkCommits(folder: string, choice: CommitChoice): Generator<HunkCommit> {
  const range = [
    "--no-merges",
    "--min-parents=1",
    "--format=%H %P %s",
    ...(choice.since ? [`--since=${choice.since}`] : []),
  ];
  const listed = git(folder, ["log", ...range])
    .toString()
    .split("\n")
    .filter((line) => line !== "");
  const lines = choice.seed === undefined ? listed : shuffle(listed, seededRandom(choice.seed));
  let passed = 0;
  let taken = 0;
  for (const line of lines) {
    if (taken === choice.count) return;
    const [, id, parent, subject] = /^(\w+) (\w+) (.*)$/s.exec(line) ?? [];
    if (id === undefined || !id.startsWith(choice.only ?? "")) continue;
    const commit = tryHunkCommit(folder, { id, parent: parent!, subject: subject! });
    if (commit === undefined) continue;
    passed++;
    if (passed <= (choice.skip ?? 0)) continue;
    taken++;
    yield choice.byLine === true ? { ...commit, files: commit.files.map(inLines) } : commit;
  }
}

/** Where a file of a commit is after it, and where it was. */
export function pathsOf({ path, movedFrom }: CommitFile): string[] {
  return movedFrom === undefined ? [path] : [path, movedFrom];
}

/**
 * Whether a file is code, in a language that the registry knows. Data, prose, pages and settings
 * are not.
 */
export function isSource(path: string): boolean {
  const { id } = languageOf(path);
  return !notCode.has(id);
}

const notCode = new Set("plaintext json jsonc html markdown yaml toml ini xml".split(" "));

/** The commit with its hunks; `undefined` where it does not fit. */
function tryHunkCommit(
  folder: string,
  { id, parent, subject }: Pick<HunkCommit, "id" | "parent" | "subject">,
): HunkCommit | undefined {
  const ends = [parent, id];
  // What cannot fit is left out before anything is compared line by line.
  const names = tryGit(folder, ["diff", "--name-only", "--no-renames", "-z", ...ends])?.toString();
  if (names === undefined) return undefined;
  const touched = names.split("\0").filter((path) => path !== "" && isTaken(path));
  if (touched.length > 2 * maxFiles || !touched.some(isSource)) return undefined;

  const how = ["--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--diff-algorithm=myers"];
  const marks = ["--src-prefix=a/", "--dst-prefix=b/", "--find-renames", "--full-index", "--inter-hunk-context=0"];
  const diff = tryGit(folder, ["diff", ...how, ...marks, ...ends]);
  if (diff === undefined || diff.length > 2 ** 22) return undefined;
  const patches = parseUnifiedDiff(diff.toString()).files.filter(({ pathBefore, pathAfter, isBinary }) => {
    return !isBinary && isTaken((pathAfter ?? pathBefore)!) && isTaken((pathBefore ?? pathAfter)!);
  });
  const revisions = patches.flatMap(({ pathBefore, pathAfter }) => [
    ...(pathBefore === undefined ? [] : [`${parent}:${pathBefore}`]),
    ...(pathAfter === undefined ? [] : [`${id}:${pathAfter}`]),
  ]);
  const texts = textsOf(folder, revisions);
  const taken: CommitFile[] = [];
  for (const { pathBefore, pathAfter, hunks } of patches) {
    const path = (pathAfter ?? pathBefore)!;
    const before = pathBefore === undefined ? undefined : texts.get(`${parent}:${pathBefore}`);
    const after = pathAfter === undefined ? undefined : texts.get(`${id}:${pathAfter}`);
    if (![before, after].every((text) => text === undefined || isLearnable(path, text))) continue;
    const lines = { before: linesOf(before), after: linesOf(after) };
    const whole = { path, beforeStart: 0, before: lines.before, afterStart: 0, after: lines.after };
    const own = hunks.map(({ beforeStart, beforeCount, afterStart, afterCount }) => ({
      ...{ path, beforeStart, afterStart },
      before: lines.before.slice(beforeStart, beforeStart + beforeCount),
      after: lines.after.slice(afterStart, afterStart + afterCount),
    }));
    const moved = pathBefore !== undefined && pathAfter !== undefined && pathBefore !== pathAfter;
    taken.push({
      ...{ path, before, after, ...(moved && { movedFrom: pathBefore }) },
      hunks: before === undefined || after === undefined ? [whole] : leadsTo(lines, own) ? own : byOwnDiff(path, lines),
    });
  }
  const files = withoutCopies(taken);
  const all = files.reduce((sum, { hunks }) => sum + hunks.length, 0);
  const inSources = files.filter(({ path }) => isSource(path)).reduce((sum, { hunks }) => sum + hunks.length, 0);
  if (files.length > maxFiles || all > maxHunks || inSources < minSourceHunks) return undefined;
  const copies = taken.filter((file) => !files.includes(file));
  return { id, parent, subject, files, copies: copies.flatMap(pathsOf) };
}

/**
 * Whether the hunks make the lines after of those before: a last line that gets or loses its line
 * feed is not in them.
 */
function leadsTo(lines: BothLines, hunks: readonly CommitHunk[]): boolean {
  const made: string[] = [];
  let at = 0;
  for (const { beforeStart, before, after } of hunks) {
    made.push(...lines.before.slice(at, beforeStart), ...after);
    at = beforeStart + before.length;
  }
  made.push(...lines.before.slice(at));
  return made.join("\n") === lines.after.join("\n");
}

function byOwnDiff(path: string, { before, after }: BothLines): CommitHunk[] {
  return diffSequences(before, after).map(({ beforeStart, beforeEnd, afterStart, afterEnd }) => ({
    ...{ path, beforeStart, afterStart },
    before: before.slice(beforeStart, beforeEnd),
    after: after.slice(afterStart, afterEnd),
  }));
}

interface BothLines {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The lines of a text as hunks have them: what follows the last line feed is a line too. */
export function linesOf(text: string | undefined): string[] {
  return text === undefined ? [] : text.split("\n");
}

/** Whether people write the file, by its path: no tool made it or copied it in. */
function isTaken(path: string): boolean {
  // What is committed is not ignored: only names that have no other use count.
  const view = { siblings: new Set<string>(), hasGitRules: true };
  const isTools = foldersAbove(path).some((folder) => tryToolFolder({ ...view, path: folder }) !== undefined);
  return isLearnablePath(path) && !isTools;
}

/** The texts of many files at once, by `commit:path`, without byte order marks. */
function textsOf(folder: string, revisions: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>();
  if (revisions.length === 0) return texts;
  const output = git(folder, ["cat-file", "--batch"], `${revisions.join("\n")}\n`);
  let at = 0;
  for (const one of revisions) {
    const end = output.indexOf(10, at);
    const [, kind, size] = output.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (kind !== "blob") continue;
    texts.set(one, output.toString("utf8", at, at + Number(size)).replace(/^\uFEFF/, ""));
    at += Number(size) + 1;
  }
  return texts;
}

function tryGit(folder: string, args: readonly string[]): Buffer | undefined {
  try {
    return git(folder, args);
  } catch {
    return undefined;
  }
}

function git(folder: string, args: readonly string[], input = ""): Buffer {
  return gitSync(folder, args, { input, isQuiet: true });
}
