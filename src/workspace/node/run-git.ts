import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, relative } from "node:path";
import { getOrInsert } from "../../text/index.ts";
import { type GitSetting, gitCommand, settingsAgainstPrograms } from "./git-command.ts";

/** The result of a git call, or why there is none. None of these cases is an exception. */
export type GitAnswer<Value> =
  | { readonly kind: "answer"; readonly value: Value }
  | { readonly kind: "not-a-repository" }
  /** The repository belongs to another user, and git refuses to read its configuration. */
  | { readonly kind: "not-trusted"; readonly message: string }
  /**
   * A bare repository, or a folder inside `.git`. Git is not run there: it may be a part of the
   * work tree.
   */
  | { readonly kind: "bare-repository" }
  /** Git is not installed. */
  | { readonly kind: "git-missing" }
  /** The folder of the call does not exist. */
  | { readonly kind: "folder-missing" }
  | { readonly kind: "timed-out"; readonly timeoutMs: number }
  | { readonly kind: "failed"; readonly exitCode: number; readonly message: string };

/** How git is called. */
export interface GitOptions {
  /** The program; default: `git` from the search path. */
  readonly program?: string;
  /** In milliseconds; default: ten seconds. */
  readonly timeoutMs?: number;
  /**
   * Whether the workspace is trusted and filters (`clean`, `smudge`) run as in git; default:
   * `false`.
   */
  readonly isTrusted?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Maps the value of an answer; other results are returned unchanged. */
export function mapGitAnswer<Before, After>(
  answer: GitAnswer<Before>,
  change: (value: Before) => After,
): GitAnswer<After> {
  return answer.kind === "answer" ? { kind: "answer", value: change(answer.value) } : answer;
}

/** The options of one call. */
interface GitCallOptions extends GitOptions {
  /** The text for git's standard input. */
  readonly input?: string;
  /** The absolute path of a file that replaces the index. */
  readonly indexFile?: string;
  /** Whether git may access other repositories, as `clone` does. */
  readonly mayFetch?: boolean;
}

/**
 * The output of git in `folder` with these arguments, in plain English; git does not prompt.
 * Another exit code than 0, or more than 256 MB of output, is `failed`. Rejects with the signal's
 * reason only.
 */
export async function runGit(
  folder: string,
  args: readonly string[],
  options: GitCallOptions,
): Promise<GitAnswer<string>> {
  return mapGitAnswer(await runGitBytes(folder, args, options), (output) => output.toString("utf8"));
}

/** Like {@link runGit}, with the output as bytes. */
export async function runGitBytes(
  folder: string,
  args: readonly string[],
  options: GitCallOptions,
): Promise<GitAnswer<Buffer>> {
  const settings = await findSettings(folder, options);
  return settings.kind === "answer" ? startGit(folder, args, { ...options, ...settings.value }) : settings;
}

/**
 * A value of git's configuration, read as a path: `~` is expanded, and a relative path stays
 * relative. `undefined` when it is not set. Outside a repository it is the user's. Rejects with the
 * signal's reason only.
 */
export async function gitConfigPath(
  folder: string,
  key: string,
  options: GitOptions = {},
): Promise<GitAnswer<string | undefined>> {
  const args = ["config", "-z", "--type=path", "--get", key];
  // `git config` runs no program and needs no settings against them.
  const answer = await startGit(folder, args, options);
  if (answer.kind === "failed" && answer.exitCode === 1) return { kind: "answer", value: undefined };
  return mapGitAnswer(answer, (output) => output.toString("utf8").replace(/\0$/, ""));
}

/**
 * The settings that keep git from running programs of the configuration in `folder`. They are read
 * for each call, because an `include.path` may name a file of the work tree.
 */
async function findSettings(
  folder: string,
  options: GitOptions,
): Promise<GitAnswer<Pick<StartOptions, "settings" | "leadingArgs">>> {
  const listed = await startGit(folder, ["config", "-z", "--list", "--name-only"], options);
  if (listed.kind !== "answer") return listed;
  const keys = listed.value.toString("utf8").split("\0");
  const settings = settingsAgainstPrograms(keys, { runsFilters: options.isTrusted === true });
  const version = await gitVersion(options.program);
  if (version !== undefined && version < firstWithBareSetting) {
    const place = await startGit(folder, ["rev-parse", "--absolute-git-dir"], options);
    if (place.kind !== "answer") return place;
    if (isWithinFolder(folder, place.value.toString("utf8").replace(/\r?\n$/, ""))) return { kind: "bare-repository" };
  }
  if (version === undefined || version >= firstWithSettingVariables) return { kind: "answer", value: { settings } };
  const unsupported = settings.find(({ key }) => key.includes("="));
  if (unsupported === undefined) {
    const leadingArgs = settings.flatMap(({ key, value }) => ["-c", `${key}=${value}`]);
    return { kind: "answer", value: { leadingArgs } };
  }
  const message = `This git is older than 2.31 and cannot be kept from running the program of ${JSON.stringify(unsupported.key)}. Install a newer git.`;
  return { kind: "failed", exitCode: -1, message };
}

/**
 * The first versions that support `GIT_CONFIG_COUNT` and `safe.bareRepository`, in the format of
 * {@link gitVersion}.
 */
const firstWithSettingVariables = 2_031;
const firstWithBareSetting = 2_038;

/**
 * The version of git as a number, 2031 for git 2.31; `undefined` when its output has none. It is
 * cached, because the program does not change while Emend runs.
 */
function gitVersion(program = "git"): Promise<number | undefined> {
  return getOrInsert(versions, program, async () => {
    const answer = await startGit(tmpdir(), ["version"], { program });
    const output = answer.kind === "answer" ? answer.value.toString("utf8") : "";
    const [, major, minor] = /(?<!\d)(\d+)\.(\d+)/.exec(output) ?? [];
    return major === undefined ? undefined : Number(major) * 1_000 + Number(minor);
  });
}

const versions = new Map<string, Promise<number | undefined>>();

function isWithinFolder(path: string, folder: string): boolean {
  const inside = relative(folder, realpathSync(path));
  return inside === "" || !(inside.startsWith("..") || isAbsolute(inside));
}

interface StartOptions extends GitCallOptions {
  readonly settings?: readonly GitSetting[];
  readonly leadingArgs?: readonly string[];
}

function startGit(folder: string, args: readonly string[], options: StartOptions): Promise<GitAnswer<Buffer>> {
  const { program = "git", timeoutMs = 10_000, signal, input, indexFile, mayFetch } = options;
  const { settings = [], leadingArgs = [] } = options;
  const command = gitCommand([...leadingArgs, ...args], {
    ...{ environment: process.env, settings, indexFile },
    ...(mayFetch !== undefined && { mayFetch }),
  });
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const how = {
      cwd: folder,
      env: { ...command.environment },
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      maxBuffer: 256 * 1024 * 1024,
      encoding: "buffer",
      windowsHide: true,
      ...(signal !== undefined && { signal }),
    } as const;
    const end = (error: Error | null, stdout: Buffer, stderr: Buffer) => {
      if (signal?.aborted === true) reject(signal.reason);
      else if (error === null) resolve({ kind: "answer", value: stdout });
      else resolve(refusalOf(error, stderr.toString("utf8"), { folder, timeoutMs }));
    };
    try {
      const child = execFile(program, [...command.args], how, end);
      // Git may end before it has read its whole input; its exit code gives the reason.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
    } catch (error) {
      // Node throws when the system rejects the arguments or the environment, such as for too many
      // drivers.
      resolve(refusalOf(error as Error, "", { folder, timeoutMs }));
    }
  });
}

function refusalOf(
  error: Error & { readonly code?: number | string | null; readonly killed?: boolean },
  stderr: string,
  { folder, timeoutMs }: { readonly folder: string; readonly timeoutMs: number },
): GitAnswer<never> {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") {
    // Node reports a missing program and a missing working folder with the same error.
    return existsSync(folder) ? { kind: "git-missing" } : { kind: "folder-missing" };
  }
  if (error.killed === true && error.code !== "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
    return { kind: "timed-out", timeoutMs };
  const message = stderr.trim() || error.message;
  if (/cannot use bare repository/i.test(message)) return { kind: "bare-repository" };
  if (/not a git repository|must be run in a work tree/i.test(message)) return { kind: "not-a-repository" };
  if (/dubious ownership/i.test(message)) return { kind: "not-trusted", message };
  return { kind: "failed", exitCode: typeof error.code === "number" ? error.code : -1, message };
}
