import { stripVTControlCharacters } from "node:util";
import type { VerificationResult } from "../edit-engine-parts.ts";
import { runProgram } from "./run-program.ts";

/** The options of {@link runVerification}. */
export interface VerificationOptions {
  readonly signal?: AbortSignal | undefined;
  /** The time limit in milliseconds; ten minutes by default. */
  readonly timeoutMs?: number | undefined;
  /** Called with output of the command as it arrives. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

const maxBytes = 64 * 1024;

/**
 * Runs a person's command in the system's shell in the folder `root`. Exit code 0 returns `passed`.
 * Any other end returns `failed` with the last 64 KB of output without colours, and how the command
 * ended.
 *
 * Rejects with the signal's own reason when that aborts, after the command and its process group
 * have ended.
 */
export async function runVerification(
  command: string,
  root: string,
  options: VerificationOptions = {},
): Promise<VerificationResult> {
  const { signal, timeoutMs = 600_000, onOutput } = options;
  const end = await runProgram({
    command: { line: command },
    folder: root,
    ...{ timeoutMs, signal, onOutput, maxBytes, keeps: "tail", joinsOutputs: true },
  });
  if (end.kind === "exited" && end.exitCode === 0) return { kind: "passed" };
  const output = stripVTControlCharacters(end.output).trimEnd();
  const lines = [
    `$ ${command}`,
    end.isCut ? `(The first part is left out.)\n${output}` : output,
    `(${howItEnded(end, timeoutMs)})`,
  ];
  return { kind: "failed", report: lines.filter((line) => line !== "").join("\n") };
}

function howItEnded(end: Awaited<ReturnType<typeof runProgram>>, timeoutMs: number): string {
  switch (end.kind) {
    case "exited":
      return `exit code ${end.exitCode}`;
    case "killed":
      return `killed by ${end.by}`;
    case "timed-out":
      return `stopped after ${timeoutMs / 1000} s`;
    case "not-started":
      return `it could not be started: ${end.message}`;
  }
}
