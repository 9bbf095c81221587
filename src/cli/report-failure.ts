import type { ExitCode } from "./exit-codes.ts";
import { toCommandFailure } from "./failure.ts";
import { printable, type Terminal } from "./terminal.ts";

/** What `--json` prints when a command fails. */
export interface FailureReport {
  readonly kind: "error";
  /** A stable name, such as `file-missing`. */
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
}

/** Tells a person, or a program, why a command failed, in one line; answers the exit code. */
export function reportFailure(thrown: unknown, json: boolean, terminal: Terminal): ExitCode {
  const failure = toCommandFailure(thrown, terminal.signal);
  const { code, exitCode } = failure;
  const message = printable(failure.message);
  if (json) terminal.out(`${JSON.stringify({ kind: "error", code, message, exitCode } satisfies FailureReport)}\n`);
  else terminal.err(`emend: ${message}\n`);
  const isQuiet = ["", "0", undefined].includes(terminal.environment["EMEND_DEBUG"]);
  if (!isQuiet) terminal.err(`${stackOf(thrown)}\n`);
  return exitCode;
}

function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause === undefined ? "" : `\nbecause of ${stackOf(thrown.cause)}`;
  return (thrown.stack ?? thrown.message) + cause;
}
