import type { FileTexts, WorkspaceEdit } from "../../text/index.ts";
import { tryRelativePath } from "../../workspace/index.ts";
import type { FileRefusal } from "./file-refusal.ts";
import { FileTransaction, isUnfinished } from "./file-transaction.ts";
import { planChanges } from "./plan-changes.ts";
import { explainDiskFailure, type JournalAccess, type WriteOptions, withJournal } from "./with-journal.ts";

/** An edit to write to the files of a workspace. */
export interface EditToWrite {
  readonly edit: WorkspaceEdit;
  /** The texts that the edit was made for; the files must contain exactly these. */
  readonly files: FileTexts;
  /** The instruction, for the journal. */
  readonly instruction: string;
}

/**
 * The result of writing. Except for `written`, every file is as it was. Paths are from the
 * workspace's root.
 */
export type WriteOutcome =
  /** All of it is on disk. `id` is its number in the journal. */
  | { readonly kind: "written"; readonly id: number; readonly paths: readonly string[] }
  /** The edit changes nothing. */
  | { readonly kind: "unchanged" }
  | NotWritten;

/** Why nothing was written. */
export type NotWritten =
  /** Files cannot be written, or must not be. */
  | { readonly kind: "refused"; readonly refusals: readonly FileRefusal[] }
  /** Files have changed since the edit was made. */
  | { readonly kind: "stale"; readonly paths: readonly string[] }
  /** Another process of Emend is writing to this workspace. */
  | { readonly kind: "busy"; readonly processId: number | undefined }
  /** The disk failed. With `isUnfinished`, reverting failed as well, and the next run does it. */
  | { readonly kind: "failed"; readonly message: string; readonly isUnfinished: boolean };

/**
 * Writes an edit to the files of the workspace at the absolute path `root`: all of it, or nothing.
 *
 * New contents are staged beside their targets and moved into place, so that no reader ever sees
 * half a file. Permissions and owner of a file are kept, and links are written through; extended
 * attributes are lost. Folders are created as needed. Rejects with the signal's own reason, as long
 * as no file is moved.
 *
 * Nothing is written in these cases: `unchanged`, there is nothing to write; `stale`, a file has
 * another text than the edit was made for; `busy`, another process writes; `refused`, a file may
 * not or cannot be written, such as one with hard links; `failed`, an error of the disk, also that
 * there is no workspace. After `failed` with `isUnfinished`, the next write reverts what is left.
 */
export async function writeWorkspaceEdit(
  root: string,
  write: EditToWrite,
  options: WriteOptions,
): Promise<WriteOutcome> {
  return writing(root, options, async (access): Promise<WriteOutcome> => {
    const begun = await beginEdit(write, { isTrial: false }, access);
    if (begun.kind !== "begun") return begun;
    const { transaction } = begun;
    const applied = await transaction.apply(options);
    if (applied.kind === "stale") return { kind: "stale", paths: pathsFromRoot(applied.paths, access) };
    await transaction.finish();
    const { id, changes } = transaction.entry;
    const paths = changes.map(({ path }) => path);
    return { kind: "written", id, paths: pathsFromRoot(paths, access) };
  });
}

/**
 * Runs `work`, which writes to the workspace at the absolute path `root`, under the workspace's
 * lock. A failure of the disk gives the outcome `failed`.
 *
 * When it fails, it rejects with the signal's reason if the signal is aborted and no file is left
 * changed, and otherwise with any error that has no code.
 */
export async function writing<Outcome>(
  root: string,
  options: WriteOptions,
  work: (access: JournalAccess) => Promise<Outcome>,
): Promise<Outcome | Extract<NotWritten, { readonly kind: "busy" | "failed" }>> {
  try {
    const answer = await withJournal(root, options, work);
    return answer.kind === "done" ? answer.value : answer;
  } catch (error) {
    // Files that could not be reverted are reported also after an abort.
    if (!isUnfinished(error)) options.signal?.throwIfAborted();
    return { kind: "failed", message: explainDiskFailure(error), isUnfinished: isUnfinished(error) };
  }
}

/**
 * Converts absolute paths to paths from the workspace's root, sorted; those outside of it stay
 * absolute.
 */
export function pathsFromRoot(
  paths: readonly string[],
  { realRoot }: Pick<JournalAccess, "realRoot">,
): readonly string[] {
  return paths.map((path) => tryRelativePath(realRoot, path) ?? path).sort();
}

/** An edit that is recorded in the journal and not applied yet. */
export type BegunEdit =
  | { readonly kind: "begun"; readonly transaction: FileTransaction }
  | { readonly kind: "unchanged" }
  | NotWritten;

/**
 * Plans an edit and records it in the journal, without touching a file of the workspace. Rejects as
 * `planChanges` and `FileTransaction.begin` do.
 */
export async function beginEdit(
  { edit, files, instruction }: EditToWrite,
  { isTrial }: { readonly isTrial: boolean },
  { realRoot, journal }: JournalAccess,
): Promise<BegunEdit> {
  const plan = await planChanges(realRoot, edit, { files, disk: journal.disk });
  if (plan.kind !== "planned") return plan;
  if (plan.changes.length === 0) return { kind: "unchanged" };
  const transaction = await FileTransaction.begin(plan.changes, { root: realRoot, instruction, isTrial }, journal);
  return { kind: "begun", transaction };
}
