import { FileSystemError, type FileSystemFailure } from "../../codebase/index.ts";
import { EmendError } from "../../text/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { Interruption } from "./interruption.ts";

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

/**
 * The failure of a command that a signal ended; `hint` is a sentence with what the person can do
 * then.
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
 * Converts anything thrown to a failure with a message for a person. An aborted `signal` means an
 * interruption.
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
  const message = thrown instanceof Error ? thrown.message : String(thrown);
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
      const message = `${path} cannot be written (${thrown.code}). ${elsewhere}`;
      const exitCode = thrown.code === "ENOTDIR" ? exitCodes.failed : exitCodes.noPermission;
      return new CommandFailure("not-writable", message, { exitCode, cause });
    }
    default:
      return undefined;
  }
}

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
