import { type ExitCode, exitCodes } from "./exit-codes.ts";

/** What the system asks a program to end with, and the exit code that says so: 128 and the signal's number. */
export const interruptions: Readonly<Partial<Record<NodeJS.Signals, ExitCode>>> = {
  SIGHUP: exitCodes.hungUp,
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
};

/** The reason of a terminal's signal: which of the {@link interruptions} came, and how the command is to exit. */
export class Interruption extends Error {
  readonly exitCode: ExitCode;

  constructor(name: NodeJS.Signals) {
    super(`interrupted by ${name}`);
    this.exitCode = interruptions[name] ?? exitCodes.interrupted;
  }
}
