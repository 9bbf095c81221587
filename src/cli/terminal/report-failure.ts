import { configuredSecrets, maskOf } from "../../model/index.ts";
import type { ExitCode } from "./exit-codes.ts";
import { toCommandFailure } from "./failure.ts";
import { printable, type Terminal } from "./terminal.ts";

/** The output of `--json` when a command fails. */
export interface FailureReport {
  readonly kind: "error";
  /** A stable name, such as `file-missing`. */
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
}

/** Prints why a command failed, as one line or as JSON, and returns the exit code. */
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
