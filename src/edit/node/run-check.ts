import { stripVTControlCharacters } from "node:util";
import type { CheckAnswer } from "../edit-engine-parts.ts";
import { runProgram } from "./run-program.ts";

/** How a check is run. */
export interface CheckOptions {
  readonly signal?: AbortSignal | undefined;
  /** Ten minutes unless told. */
  readonly timeoutMs?: number | undefined;
  /** Hears what the command says, as it comes. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

const maxBytes = 64 * 1024;

/**
 * Runs a person's own command in the system's shell in the folder `root`, and asks nothing of it but its exit code: 0 is
 * content. Any other is a report: what it said last, up to 64 KB without colours, and how it ended.
 *
 * Rejects with the signal's own reason when that aborts, once the command and all that it started are gone.
 */
export async function runCheck(command: string, root: string, options: CheckOptions = {}): Promise<CheckAnswer> {
  const { signal, timeoutMs = 600_000, onOutput } = options;
  const end = await runProgram({
    command: { line: command },
    folder: root,
    ...{ timeoutMs, signal, onOutput, maxBytes, keeps: "tail", joinsOutputs: true },
  });
  if (end.kind === "exited" && end.exitCode === 0) return { kind: "content" };
  const said = stripVTControlCharacters(end.output).trimEnd();
  const lines = [
    `$ ${command}`,
    end.isCut ? `(The first part is left out.)\n${said}` : said,
    `(${howItEnded(end, timeoutMs)})`,
  ];
  return { kind: "report", text: lines.filter((line) => line !== "").join("\n") };
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
