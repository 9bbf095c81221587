import { toPortablePath } from "../../codebase/node/index.ts";
import { EmendError } from "../../text/index.ts";
import { type EditDisk, systemCode, systemDisk } from "./edit-disk.ts";
import { EditJournal, type JournalOptions } from "./edit-journal.ts";
import { removePrepared, restoreEntry } from "./file-transaction.ts";
import { isSameState, statesAt } from "./path-state.ts";
import { type LockAnswer, type LockOptions, withWorkspaceLock } from "./workspace-lock.ts";

/** How the files of a workspace are written. */
export interface WriteOptions extends LockOptions {
  readonly journal: JournalOptions;
}

/** What an earlier process left half done, and what was made of it. All paths are absolute. */
export interface Healed {
  /** Files that are again as they were before a change that was not finished. */
  readonly restored: readonly string[];
  /** Files of such a change that somebody else has changed since, and that are left alone. */
  readonly conflicts: readonly string[];
}

/** What works under the lock of a workspace knows of it. */
export interface JournalAccess {
  /** The absolute path of the workspace, links resolved, with `/`. */
  readonly realRoot: string;
  readonly journal: EditJournal;
  readonly healed: Healed;
}

/** Works on the files of the workspace `root` under its lock, after what an earlier process left there is set right. */
export async function withJournal<Value>(
  root: string,
  { journal: options, ...lock }: WriteOptions,
  work: (access: JournalAccess) => Promise<Value>,
): Promise<LockAnswer<Value>> {
  const realRoot = await realRootOf(root, options.disk);
  const journal = new EditJournal(realRoot, options);
  return withWorkspaceLock(journal.folder, lock, async () => work({ realRoot, journal, healed: await heal(journal) }));
}

/** The absolute path of a workspace with links resolved, as its journal knows it. Rejects with `EmendError` `file-missing`. */
export async function realRootOf(root: string, disk: EditDisk = systemDisk): Promise<string> {
  try {
    return toPortablePath(await disk.realpath(root));
  } catch (cause) {
    throw new EmendError("file-missing", `There is no workspace at ${root}`, { cause });
  }
}

/**
 * Sets right what a killed process left half done: a change whose files are all written counts as made, any other is
 * taken back, and so is one that was only tried. Rejects with the disk's error where that cannot be done.
 *
 * All that writes does so by itself; who reads files to have them edited calls it before.
 */
export async function healWorkspace(root: string, options: WriteOptions): Promise<LockAnswer<Healed>> {
  const journal = new EditJournal(await realRootOf(root, options.journal.disk), options.journal);
  if (!(await journal.hasUnfinished())) return { kind: "done", value: { restored: [], conflicts: [] } };
  return withJournal(root, options, async ({ healed }) => healed);
}

async function heal(journal: EditJournal): Promise<Healed> {
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
    // They were made one after the other. What somebody changed behind the last that is surely made may not be ours.
    const last = isApplied ? changes.length - 1 : changes.findLastIndex((_, i) => isAfter(i));
    const made = changes.slice(0, last + 1);
    const unsure = paths.filter((_, i) => i > last && !isBefore(i));
    const answer = await restoreEntry(entry, journal, { made, unsure });
    conflicts.push(...answer.conflicts);
    restored.push(...paths.filter((path, i) => i <= last && !isBefore(i) && !answer.conflicts.includes(path)));
  }
  return { restored, conflicts };
}

/** What went wrong with the disk, for a person, with what to do; any other error is thrown again. */
export function explainDiskFailure(error: unknown): string {
  if (error instanceof EmendError && (error.code === "journal-failed" || error.code === "edit-unfinished")) {
    return `${error.message}. ${explainDiskFailure(error.cause)}`;
  }
  switch (systemCode(error)) {
    case "":
      throw error;
    case "ENOSPC":
    case "EDQUOT":
      return "The disk is full: make room and try again.";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `The system does not let us write: ${(error as Error).message}. Give yourself the permission and try again.`;
    default:
      return `The disk could not write: ${(error as Error).message}.`;
  }
}
