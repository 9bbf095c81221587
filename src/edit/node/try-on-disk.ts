import { stripVTControlCharacters } from "node:util";
import { EmendError } from "../../text/index.ts";
import { runProgram } from "../../workspace/node/index.ts";
import type { EditVerification, VerificationResult } from "../edit-engine-parts.ts";
import { printFileRefusal } from "./file-refusal.ts";
import type { WriteOptions } from "./with-journal.ts";
import { beginEdit, type EditToWrite, type NotWritten, pathsFromRoot, writing } from "./write-workspace-edit.ts";

/** The options of {@link tryOnDisk}. */
interface TrialOptions extends WriteOptions {
  /** Checks the workspace with the edit in its files. */
  readonly check: (options: { readonly signal?: AbortSignal | undefined }) => Promise<VerificationResult>;
  /** Whether the edit stays when the check is `content`; otherwise it is always reverted. */
  readonly keeps: boolean;
}

/** The result of trying an edit. Paths are from the workspace's root. */
type TrialOutcome =
  | {
      readonly kind: "checked";
      readonly answer: VerificationResult;
      /** The number of the edit in the journal, where it stays. */
      readonly id?: number;
      /**
       * Files that the check or another process changed meanwhile in other lines; those changes
       * stay.
       */
      readonly merged: readonly string[];
      /**
       * Files that were changed meanwhile in the same lines. They are left as they are; the journal
       * keeps the old text.
       */
      readonly conflicts: readonly string[];
    }
  | { readonly kind: "unchanged" }
  | NotWritten;

/**
 * Writes an edit to the files, runs the check, and reverts the edit byte for byte unless it is to
 * stay.
 *
 * The workspace's lock is held throughout. If the process dies, the next run reverts the edit.
 * Where the check rejects, the edit is reverted first; then this rejects with the signal's reason
 * if that is aborted, returns `failed` for an `EmendError` or an error of the system, and rejects
 * with any other error.
 */
export async function tryOnDisk(root: string, write: EditToWrite, options: TrialOptions): Promise<TrialOutcome> {
  return writing(root, options, async (access): Promise<TrialOutcome> => {
    const begun = await beginEdit(write, { isTrial: true }, access);
    if (begun.kind !== "begun") return begun;
    const { transaction } = begun;
    const applied = await transaction.apply(options);
    if (applied.kind === "stale") return { kind: "stale", paths: pathsFromRoot(applied.paths, access) };
    let answer: VerificationResult;
    try {
      answer = await options.check({ signal: options.signal });
    } catch (error) {
      await transaction.restore();
      throw error;
    }
    if (options.keeps && answer.kind === "passed") {
      await transaction.finish();
      return { kind: "checked", answer, id: transaction.entry.id, merged: [], conflicts: [] };
    }
    const { merged, conflicts } = await transaction.restore();
    return {
      kind: "checked",
      answer,
      merged: pathsFromRoot(merged, access),
      conflicts: pathsFromRoot(conflicts, access),
    };
  });
}

/**
 * Creates the verification of an edit engine that runs a person's command in the workspace at
 * `root`, with the edit in its files meanwhile. An edit that changes nothing passes without a run.
 *
 * It rejects with `EmendError` code `verification-impossible` where the edit cannot be written, or
 * where files changed meanwhile so that it could not be reverted, and with the signal's reason on
 * abort.
 */
export function verifyOnDisk(
  root: string,
  command: string,
  options: Pick<WriteOptions, "journal" | "waitMs"> & Pick<VerificationOptions, "timeoutMs" | "onOutput">,
): EditVerification {
  return async (edit, { files, signal }) => {
    const check = () => runVerification(command, root, { ...options, signal });
    const instruction = `tried for ${command}`;
    const outcome = await tryOnDisk(root, { edit, files, instruction }, { ...options, signal, check, keeps: false });
    if (outcome.kind === "unchanged") return { kind: "passed" };
    if (outcome.kind === "checked" && outcome.conflicts.length === 0) return outcome.answer;
    throw new EmendError("verification-impossible", `The edit could not be checked: ${explainNotTried(outcome)}`);
  };
}

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

function explainNotTried(outcome: Exclude<TrialOutcome, { readonly kind: "unchanged" }>): string {
  switch (outcome.kind) {
    case "checked":
      return `${outcome.conflicts.join(", ")} changed meanwhile and was left as it is. See it through by hand.`;
    case "refused":
      return outcome.refusals.map(printFileRefusal).join(" ");
    case "stale":
      return `${outcome.paths.join(", ")} changed on the disk. Ask for the edit again.`;
    case "busy":
      return `another Emend (process ${outcome.processId ?? "unknown"}) writes to this workspace. Try again when it is done.`;
    case "failed":
      return outcome.message;
  }
}
