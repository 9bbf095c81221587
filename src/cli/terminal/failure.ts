import { configuredSecrets, maskOf } from "../../model/index.ts";
import { EmendError, errorMessage } from "../../text/index.ts";
import { FileSystemError, type FileSystemFailure } from "../../workspace/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { Interruption } from "./interruption.ts";
import { printable, type Terminal } from "./terminal.ts";

/** A command cannot do what was requested. The message is one line and contains what to do. */
export class CommandFailure extends EmendError {
  readonly exitCode: ExitCode;

  constructor(
    code: string,
    message: string,
    { exitCode, cause }: { readonly exitCode: ExitCode; readonly cause?: unknown },
  ) {
    super(code, message, { cause });
    this.exitCode = exitCode;
  }
}

/** The failure of a command whose arguments do not fit together or name nothing. */
export function badUsage(message: string): CommandFailure {
  return new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}

/** The failure of a command whose argument for a place, such as `FILE:LINE`, is invalid. */
export function badPlace(message: string): CommandFailure {
  return new CommandFailure("bad-place", message, { exitCode: exitCodes.usage });
}

/**
 * Makes the failure of a command that a signal ended, with code `interrupted` and the exit code of
 * the signal; `hint` is a sentence with what the person can do then.
 */
export function interrupted(
  { reason }: AbortSignal,
  { hint, cause }: { readonly hint?: string; readonly cause: unknown },
): CommandFailure {
  const exitCode = reason instanceof Interruption ? reason.exitCode : exitCodes.interrupted;
  const message = hint === undefined ? "Interrupted." : `Interrupted. ${hint}`;
  return new CommandFailure("interrupted", message, { exitCode, cause });
}

/**
 * Converts anything thrown to a failure whose message is one sentence for a person; a failure of a
 * command stays as it is. An aborted `signal` means an interruption.
 */
export function toCommandFailure(thrown: unknown, signal?: AbortSignal): CommandFailure {
  if (thrown instanceof CommandFailure) return thrown;
  if (signal?.aborted === true) return interrupted(signal, { cause: thrown });
  if (thrown instanceof FileSystemError) {
    const message = `${firstLine(thrown.message)}.${advice[thrown.code] ?? ""}`;
    return new CommandFailure(thrown.code, message, { exitCode: diskCodes[thrown.code], cause: thrown });
  }
  const ofSystem = trySystemFailure(thrown);
  if (ofSystem !== undefined) return ofSystem;
  const message = errorMessage(thrown);
  const code = thrown instanceof EmendError ? thrown.code : "failed";
  const hint = thrown instanceof EmendError ? "" : " Set EMEND_DEBUG=1 to see where.";
  const sentence = firstLine(message);
  return new CommandFailure(code, `${sentence}${/[.!?]$/.test(sentence) ? "" : "."}${hint}`, {
    exitCode: exitCodes.failed,
    cause: thrown,
  });
}

/**
 * The failure for an error of Node's file functions where Emend stores its own data; `undefined`
 * for other errors.
 */
function trySystemFailure(thrown: unknown): CommandFailure | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown) || !("syscall" in thrown)) return undefined;
  const path = "path" in thrown && typeof thrown.path === "string" ? thrown.path : undefined;
  const elsewhere = "EMEND_STATE_DIR and EMEND_CACHE_DIR set other folders for Emend's data.";
  const cause = thrown;
  // The path may be missing, or be a file or a link without its target.
  if (path !== undefined && thrown.syscall === "mkdir" && (thrown.code === "ENOENT" || thrown.code === "EEXIST")) {
    const message = `The folder ${path} cannot be made (${thrown.code}). ${elsewhere}`;
    return new CommandFailure("not-writable", message, { exitCode: exitCodes.failed, cause });
  }
  switch (thrown.code) {
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG": {
      const message = `There is no space${path === undefined ? " on the disk" : ` for ${path}`}. Free some and try again. ${elsewhere}`;
      return new CommandFailure("disk-full", message, { exitCode: exitCodes.failed, cause });
    }
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "ENOTDIR": {
      if (path === undefined) return undefined;
      const exitCode = thrown.code === "ENOTDIR" ? exitCodes.failed : exitCodes.noPermission;
      // The call "open" is one of both.
      if (thrown.syscall === "open") {
        const message = `${path} cannot be opened (${thrown.code}). ${elsewhere}`;
        return new CommandFailure("not-accessible", message, { exitCode, cause });
      }
      if (readingCalls.has(thrown.syscall))
        return new CommandFailure("not-readable", `${path} cannot be read (${thrown.code}).`, { exitCode, cause });
      const message = `${path} cannot be written (${thrown.code}). ${elsewhere}`;
      return new CommandFailure("not-writable", message, { exitCode, cause });
    }
    default:
      return undefined;
  }
}

/** The system calls that only read, as Node names them. */
const readingCalls: ReadonlySet<unknown> = new Set([
  ...["access", "stat", "lstat", "fstat", "read", "readlink", "realpath", "scandir", "opendir"],
]);

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!;
}

const diskCodes: Readonly<Record<FileSystemFailure, ExitCode>> = {
  "file-missing": exitCodes.notFound,
  "not-a-folder": exitCodes.notFound,
  "not-a-file": exitCodes.notFound,
  "special-file": exitCodes.notFound,
  "too-large": exitCodes.notSource,
  "link-loop": exitCodes.notFound,
  "no-permission": exitCodes.noPermission,
  "disk-failed": exitCodes.failed,
};

const advice: Readonly<Partial<Record<FileSystemFailure, string>>> = {
  "file-missing": " Check the path.",
  "not-a-folder": " Give a folder.",
  "not-a-file": " Give a file.",
  "special-file": " Give a file.",
  "too-large": " Give a smaller file.",
  "no-permission": " Change its permissions, or run as its owner.",
};

/** The output of `--json` when a command fails. */
export interface FailureReport {
  readonly kind: "error";
  /** A stable name, such as `file-missing`. */
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
}

/**
 * Prints why a command failed, as one line on standard error or as JSON on standard output, and
 * returns the exit code. Configured secrets are masked. Where `EMEND_DEBUG` is set, the stack
 * follows on standard error.
 */
export function reportFailure(thrown: unknown, json: boolean, terminal: Terminal): ExitCode {
  const failure = toCommandFailure(thrown, terminal.signal);
  const { code, exitCode } = failure;
  const mask = maskOf(configuredSecrets(terminal));
  const message = printable(mask(failure.message));
  if (json) terminal.out(`${JSON.stringify({ kind: "error", code, message, exitCode } satisfies FailureReport)}\n`);
  else terminal.err(`emend: ${message}\n`);
  const isQuiet = ["", "0", undefined].includes(terminal.environment["EMEND_DEBUG"]);
  if (!isQuiet) terminal.err(`${mask(stackOf(thrown))}\n`);
  return exitCode;
}

function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause === undefined ? "" : `\nbecause of ${stackOf(thrown.cause)}`;
  return (thrown.stack ?? thrown.message) + cause;
}
