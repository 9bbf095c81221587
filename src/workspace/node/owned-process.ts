import { type ChildProcess, type SpawnOptions, type StdioOptions, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import type { Socket } from "node:net";
import { delimiter, join } from "node:path";

/** The options of {@link spawnOwned}. */
export interface OwnedProcessOptions {
  readonly folder?: string;
  /** The complete environment; default: that of this process. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** The kinds of standard input, output and error; default: pipes. */
  readonly stdio?: readonly [input: StdioKind, output: StdioKind, error: StdioKind];
  /**
   * A limit of memory in megabytes, which the kernel enforces on Linux even while this process is
   * busy; default: none.
   */
  readonly maxDataMb?: number | undefined;
}

export type StdioKind = "pipe" | "ignore" | "inherit";

/**
 * Starts a process that ends when this process ends, however that happens: also by a signal that
 * cannot be handled, and also when the child ignores the end of its input. A program that cannot be
 * started is reported by an `error` event.
 *
 * On POSIX systems the child leads a process group of its own, so the terminal's Ctrl-C reaches
 * this process only. A shell in that group waits on a pipe from this process and kills the group
 * when the pipe is closed. `pid` is that of the program itself. On Windows the child is an ordinary
 * child process.
 */
export function spawnOwned(program: string, args: readonly string[], options: OwnedProcessOptions = {}): ChildProcess {
  const { folder, environment, stdio = ["pipe", "pipe", "pipe"], maxDataMb } = options;
  const settings: SpawnOptions = {
    ...(folder !== undefined && { cwd: folder }),
    ...(environment !== undefined && { env: environment }),
    windowsHide: true,
  };
  const searchPath = (environment ?? process.env)["PATH"];
  // A missing program is reported by `spawn` as an `error` event, not by an exit code of the shell.
  if (process.platform === "win32" || !isProgram(shell, searchPath) || !isProgram(program, searchPath)) {
    return spawn(program, args, { ...settings, stdio: [...stdio], detached: process.platform !== "win32" });
  }
  const limit = maxDataMb === undefined ? "" : `ulimit -d ${Math.ceil(maxDataMb) * 1024} 2>/dev/null; `;
  const script = `${killWithOwner} & ${limit}exec "$@" 3<&-`;
  const child = spawn(shell, ["-c", script, "emend", program, ...args], {
    ...settings,
    detached: true,
    stdio: [...stdio, "pipe"] satisfies StdioOptions,
  });
  const owner = child.stdio[3] as Socket | null | undefined;
  // The pipe must not keep this process alive.
  owner?.unref();
  owner?.on("error", () => undefined);
  // A line on the pipe means that the group has ended and need not be killed.
  child.once("exit", () => owner?.end("\n", () => owner.destroy()));
  return child;
}

/**
 * Sends a signal to a process that {@link spawnOwned} started and to its whole group; does nothing
 * when they have ended. On Windows it ends them, whatever the signal.
 */
export function signalOwned(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore", windowsHide: true }).on("error", () =>
      child.kill(),
    );
    return;
  }
  try {
    process.kill(-child.pid, name);
  } catch {
    // The group has ended.
  }
}

const shell = "/bin/sh";

/**
 * Waits for a line on descriptor 3 and kills the process group when the pipe is closed without one.
 * The shell belongs to the group, so the system cannot give the group's number to another one
 * meanwhile.
 */
const killWithOwner = `(trap "" HUP INT TERM; read -r line <&3 || kill -KILL 0) </dev/null >/dev/null 2>&1`;

function isProgram(program: string, searchPath = ""): boolean {
  const paths = program.includes("/") ? [program] : searchPath.split(delimiter).map((folder) => join(folder, program));
  return paths.some((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
