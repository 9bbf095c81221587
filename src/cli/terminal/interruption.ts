import { raceAbort } from "../../async/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";

/** The signals that ask a process to end, with their exit codes: 128 and the signal's number. */
export const interruptions: Readonly<Partial<Record<NodeJS.Signals, ExitCode>>> = {
  SIGHUP: exitCodes.hungUp,
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
};

/** The abort reason of a terminal's signal: the system's signal, and the exit code for it. */
export class Interruption extends Error {
  readonly exitCode: ExitCode;

  constructor(name: NodeJS.Signals) {
    super(`interrupted by ${name}`);
    this.exitCode = interruptions[name] ?? exitCodes.interrupted;
  }
}

/**
 * Waits until the person presses Ctrl-C, which ends a command that would run on. Rejects for other
 * signals, and when `work` fails.
 */
export async function untilInterrupted(signal: AbortSignal, work: Promise<never>): Promise<void> {
  try {
    await raceAbort(work, signal);
  } catch (error) {
    const isInterrupt = error instanceof Interruption && error.exitCode === exitCodes.interrupted;
    if (!isInterrupt) throw error;
  }
}
