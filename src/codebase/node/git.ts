import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { type GitHead, type GitStatus, gitStatusArguments, parseGitStatus } from "../git-status.ts";
import { toPortablePath } from "./disk.ts";

/** What git answered, or why it did not. None of these is an error. */
export type GitAnswer<Value> =
  | { readonly kind: "answer"; readonly value: Value }
  | { readonly kind: "not-a-repository" }
  /** The repository belongs to someone else, and git will not read its configuration. */
  | { readonly kind: "not-trusted"; readonly message: string }
  /** There is no git on this machine. */
  | { readonly kind: "git-missing" }
  /** The folder that was asked about does not exist. */
  | { readonly kind: "folder-missing" }
  | { readonly kind: "timed-out"; readonly timeoutMs: number }
  | { readonly kind: "failed"; readonly exitCode: number; readonly message: string };

/** How git is called. */
export interface GitOptions {
  /** The program; `git` of the search path unless told. */
  readonly program?: string;
  /** Ten seconds unless told. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** The absolute path of the top of the work tree that holds `folder`, with links resolved. */
export async function gitRoot(folder: string, options: GitOptions = {}): Promise<GitAnswer<string>> {
  return mapGitAnswer(await askGit(folder, ["rev-parse", "--show-toplevel"], options), (output) =>
    toPortablePath(output.replace(/\r?\n$/, "")),
  );
}

/** Whether `folder` lies in a work tree of git. */
export async function isInsideGit(folder: string, options: GitOptions = {}): Promise<GitAnswer<boolean>> {
  const answer = await askGit(folder, ["rev-parse", "--is-inside-work-tree"], options);
  if (answer.kind === "not-a-repository") return { kind: "answer", value: false };
  return mapGitAnswer(answer, (output) => output.trim() === "true");
}

/** The commit and branch that `folder` stands on. */
export async function gitHead(folder: string, options: GitOptions = {}): Promise<GitAnswer<GitHead>> {
  // Looking at no file makes this quick in any tree.
  const args = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=no", "--ignore-submodules=all"];
  return mapGitAnswer(
    await askGit(folder, [...args, "--", ":(top,literal).git"], options),
    (output) => parseGitStatus(output).head,
  );
}

/** What differs from the last commit in the whole work tree that holds `folder`. */
export async function gitStatus(folder: string, options: GitOptions = {}): Promise<GitAnswer<GitStatus>> {
  const args = [...gitStatusArguments, "--ignore-submodules=dirty", "--find-renames"];
  return mapGitAnswer(await askGit(folder, args, options), parseGitStatus);
}

/** The paths that git tracks below `folder`, relative to it. */
export async function gitTracked(folder: string, options: GitOptions = {}): Promise<GitAnswer<ReadonlySet<string>>> {
  return mapGitAnswer(await askGit(folder, ["ls-files", "-z", "--cached"], options), (output) => {
    return new Set(output.split("\0").filter((path) => path !== ""));
  });
}

/**
 * What differs from the last commit below `folder`, as a unified diff with one line around each change and paths from
 * `folder`. No program that the repository names is run, and files that git does not track are not in it.
 */
export function gitDiff(folder: string, options: GitOptions = {}): Promise<GitAnswer<string>> {
  const plain = [
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
    "--src-prefix=a/",
    "--dst-prefix=b/",
  ];
  return askGit(folder, ["diff", "HEAD", ...plain, "--unified=1", "--relative", "--", "."], options);
}

/** The answer with another value, where there is one. */
export function mapGitAnswer<Before, After>(
  answer: GitAnswer<Before>,
  change: (value: Before) => After,
): GitAnswer<After> {
  return answer.kind === "answer" ? { kind: "answer", value: change(answer.value) } : answer;
}

/**
 * Asks git without changing anything and without running what a repository's configuration may name: no locks, no
 * pager, no hooks, no file system monitor.
 */
const safeArguments = [
  "--no-optional-locks",
  "--no-pager",
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "core.hooksPath=/dev/null"],
  ...["-c", "core.quotepath=off"],
  ...["-c", "status.showStash=false"],
  ...["-c", "status.relativePaths=false"],
];

/** What git prints when it is called in `folder` with these arguments, in plain English and without asking anybody. */
export async function askGit(folder: string, args: readonly string[], options: GitOptions): Promise<GitAnswer<string>> {
  return mapGitAnswer(await askGitBytes(folder, args, options), (output) => output.toString("utf8"));
}

/** As {@link askGit}, for what need not be text; `input` goes to git's standard input, and `indexFile` stands for its index. */
export function askGitBytes(
  folder: string,
  args: readonly string[],
  options: GitOptions & { readonly input?: string; readonly indexFile?: string },
): Promise<GitAnswer<Buffer>> {
  const { program = "git", timeoutMs = 10_000, signal, input, indexFile } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const settings = {
      cwd: folder,
      env: { ...quietEnvironment(), ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }) },
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      maxBuffer: 256 * 1024 * 1024,
      encoding: "buffer",
      windowsHide: true,
      ...(signal !== undefined && { signal }),
    } as const;
    const child = execFile(program, [...safeArguments, ...args], settings, (error, stdout, stderr) => {
      if (signal?.aborted === true) reject(signal.reason);
      else if (error === null) resolve({ kind: "answer", value: stdout });
      else resolve(refusalOf(error, stderr.toString("utf8"), { folder, timeoutMs }));
    });
    // Git may end before it has read all that it was told; its exit says why.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

/** Our own environment, without what would lead git to another repository or have it ask, and with plain English. */
function quietEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!/^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|NAMESPACE|PREFIX|OBJECT_DIRECTORY|TRACE.*)$/.test(name)) {
      environment[name] = value;
    }
  }
  return {
    ...environment,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    LC_ALL: "C",
    LANGUAGE: "C",
  };
}

function refusalOf(
  error: Error & { readonly code?: number | string | null; readonly killed?: boolean },
  stderr: string,
  { folder, timeoutMs }: { readonly folder: string; readonly timeoutMs: number },
): GitAnswer<never> {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") {
    // Node says the same of a missing program and of a missing folder to run it in.
    return existsSync(folder) ? { kind: "git-missing" } : { kind: "folder-missing" };
  }
  if (error.killed === true && error.code !== "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
    return { kind: "timed-out", timeoutMs };
  const message = stderr.trim() || error.message;
  if (/not a git repository|must be run in a work tree/i.test(message)) return { kind: "not-a-repository" };
  if (/dubious ownership/i.test(message)) return { kind: "not-trusted", message };
  return { kind: "failed", exitCode: typeof error.code === "number" ? error.code : -1, message };
}
