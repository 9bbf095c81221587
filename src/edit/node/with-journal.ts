import { EmendError, errorMessage } from "../../text/index.ts";
import { toPortablePath } from "../../workspace/node/index.ts";
import { type EditDisk, isMissing, systemCode, systemDisk } from "./edit-disk.ts";
import { EditJournal, type JournalOptions } from "./edit-journal.ts";
import { removePrepared, restoreEntry } from "./file-transaction.ts";
import { isSameState, statesAt } from "./path-state.ts";
import { isWorkspaceLocked, type LockAnswer, type LockOptions, withWorkspaceLock } from "./workspace-lock.ts";

/** How the files of a workspace are written. */
export interface WriteOptions extends LockOptions {
  readonly journal: JournalOptions;
}

/** What was done about changes that an earlier process left unfinished. All paths are absolute. */
export interface Healed {
  /** Files that were restored to their state before an unfinished change. */
  readonly restored: readonly string[];
  /** Files of such a change that were changed since by something else, and are left alone. */
  readonly conflicts: readonly string[];
}

/** What is available to work under the lock of a workspace. */
export interface JournalAccess {
  /** The absolute path of the workspace, with links resolved and `/`. */
  readonly realRoot: string;
  readonly journal: EditJournal;
  readonly recovered: Healed;
}

/**
 * Runs `work` under the lock of the workspace `root`, after repairing what an earlier process left
 * unfinished. Returns `busy`, without running `work`, where another process holds the lock for more
 * than `waitMs` milliseconds.
 *
 * Rejects with {@link EmendError} code `file-missing` where there is no workspace at `root`, with
 * `journal-failed` where the folder of the journal cannot be made, with the disk's error where the
 * repair fails, with the signal's reason on abort while waiting, and with the error of `work`.
 */
export async function withJournal<Value>(
  root: string,
  { journal: options, ...lock }: WriteOptions,
  work: (access: JournalAccess) => Promise<Value>,
): Promise<LockAnswer<Value>> {
  const realRoot = await realRootOf(root, options.disk);
  const journal = new EditJournal(realRoot, options);
  await journal.makeFolder();
  return withWorkspaceLock(journal.folder, lock, async () =>
    work({ realRoot, journal, recovered: await recover(journal) }),
  );
}

/**
 * The absolute path of a workspace with links resolved, the key of its journal. Rejects with
 * `EmendError` code `file-missing` where there is nothing at `root`, and with the disk's error
 * where the path cannot be read.
 */
export async function realRootOf(root: string, disk: EditDisk = systemDisk): Promise<string> {
  try {
    return toPortablePath(await disk.realpath(root));
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new EmendError("file-missing", `There is no workspace at ${root}`, { cause: error });
  }
}

/**
 * Repairs what a killed process left unfinished: a change whose files are all written is finished;
 * any other is reverted, and so is a trial. Where nothing is unfinished the lock is not taken.
 * Rejects as {@link withJournal} does.
 *
 * All writing functions do this themselves; callers that read files for an edit call it first.
 */
export async function healWorkspace(root: string, options: WriteOptions): Promise<LockAnswer<Healed>> {
  const journal = new EditJournal(await realRootOf(root, options.journal.disk), options.journal);
  if (!(await journal.hasUnfinished())) return { kind: "done", value: { restored: [], conflicts: [] } };
  return withJournal(root, options, async ({ recovered }) => recovered);
}

/**
 * Whether a killed process left a change or a trial in the files of a workspace, which
 * {@link healWorkspace} would repair. Writes nothing. Rejects with the disk's error where the
 * journal cannot be read, and as {@link realRootOf} does.
 */
export async function isEditInterrupted(root: string, options: JournalOptions): Promise<boolean> {
  const journal = new EditJournal(await realRootOf(root, options.disk), options);
  return (await journal.hasUnfinished()) && !(await isWorkspaceLocked(journal.folder));
}

async function recover(journal: EditJournal): Promise<Healed> {
  const restored: string[] = [];
  const conflicts: string[] = [];
  for (const { entry, isApplied } of await journal.unfinished()) {
    const { changes, isTrial } = entry;
    const paths = changes.map(({ path }) => path);
    const states = await statesAt(paths, journal.disk);
    const isBefore = (i: number) => isSameState(states[i]!, changes[i]!.before);
    const isAfter = (i: number) => isSameState(states[i]!, changes[i]!.after);
    if (!isTrial && changes.every((_, i) => isAfter(i))) {
      await removePrepared(entry, journal);
      await journal.finish(entry.id);
      continue;
    }
    // Changes are applied in order. A file changed after the last one that is surely applied may be
    // another's work.
    const last = isApplied ? changes.length - 1 : changes.findLastIndex((_, i) => isAfter(i));
    const made = changes.slice(0, last + 1);
    const unsure = paths.filter((_, i) => i > last && !isBefore(i));
    const answer = await restoreEntry(entry, journal, { made, unsure });
    conflicts.push(...answer.conflicts);
    restored.push(...paths.filter((path, i) => i <= last && !isBefore(i) && !answer.conflicts.includes(path)));
  }
  return { restored, conflicts };
}

/**
 * Explains an error of writing to a person: a disk error with what to do, an {@link EmendError} by
 * its message. Rethrows any other error.
 */
export function explainDiskFailure(error: unknown): string {
  if (error instanceof EmendError && (error.code === "journal-failed" || error.code === "edit-unfinished")) {
    const elsewhere = error.code === "journal-failed" ? " EMEND_STATE_DIR sets another folder." : "";
    return `${error.message}. ${explainDiskFailure(error.cause)}${elsewhere}`;
  }
  if (error instanceof EmendError) return error.message.replace(/\.?$/, ".");
  switch (systemCode(error)) {
    case "":
      throw error;
    case "ENOSPC":
    case "EDQUOT":
      return "The disk is full: make room and try again.";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `The system does not permit writing: ${errorMessage(error)}. Give yourself the permission and try again.`;
    default:
      return `The disk could not write: ${errorMessage(error)}.`;
  }
}
