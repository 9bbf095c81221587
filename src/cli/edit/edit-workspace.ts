import { relative, resolve } from "node:path";
import {
  type FileRefusal,
  type FileRefusalKind,
  healWorkspace,
  isEditInterrupted,
  printFileRefusal,
  type ReadEditFiles,
  readEditFiles,
} from "../../edit/node/index.ts";
import { type FileSystem, FileSystemError, tryRelativePath } from "../../workspace/index.ts";
import { disk, toPortablePath } from "../../workspace/node/index.ts";
import { findWorkspaceRoot, folderAbove, openFolder } from "../open-file.ts";
import { journalOf } from "../state-folder.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { listed } from "../terminal/print-amount.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The workspace of an edit. */
interface EditWorkspace {
  /** An absolute path, links resolved. */
  readonly root: string;
  readonly notes: readonly string[];
  /** The files of an interrupted earlier run that were restored, by their paths from the root. */
  readonly restored: readonly string[];
}

/**
 * Opens the workspace of an edit: the given folder, or else the root of the first file's folder or
 * of the working folder; see `findWorkspaceRoot`. Returns an absolute path, links resolved.
 * Restores files of an interrupted earlier run, with a note. Throws a {@link CommandFailure} where
 * there is no folder `root`, and while another process writes there. Rejects with the signal's
 * reason on abort.
 */
export async function openEditWorkspace(
  { root, file }: { readonly root: string | undefined; readonly file?: string | undefined },
  terminal: Terminal,
): Promise<EditWorkspace> {
  const { workingFolder, signal } = terminal;
  const found =
    root === undefined
      ? await rootOf(file, workingFolder)
      : await openFolder(root, { workingFolder, fileSystem: disk });
  const answer = await healWorkspace(found, { journal: journalOf(terminal), signal });
  if (answer.kind === "busy") {
    const message = `Another Emend (process ${answer.processId ?? "unknown"}) writes to ${found}. Try again when it is done.`;
    throw new CommandFailure("busy", message, { exitCode: exitCodes.failed });
  }
  const { restored, conflicts } = answer.value;
  const names = (paths: readonly string[]) => listed(paths.map((path) => tryRelativePath(found, path) ?? path));
  const notes = [
    ...(restored.length > 0 ? [`An earlier run was interrupted; its files were restored: ${names(restored)}.`] : []),
    ...(conflicts.length > 0
      ? [`An earlier run was interrupted; changed since and not restored: ${names(conflicts)}.`]
      : []),
  ];
  return { root: found, notes, restored: restored.map((path) => tryRelativePath(found, path) ?? path) };
}

/**
 * For commands that read the workspace `root` and write nothing: a note where the change of an
 * interrupted edit is still in its files, as after a kill during `--verify`; otherwise none.
 * Rejects with the disk's error where the journal cannot be read.
 */
export async function interruptionNotes(
  root: string,
  terminal: Pick<Terminal, "environment" | "workingFolder">,
): Promise<readonly string[]> {
  if (!(await isEditInterrupted(root, journalOf(terminal)))) return [];
  return ["An edit was interrupted, and its change is still in the files. `emend undo` restores them."];
}

/**
 * The command to type in the working folder to undo the last edit of the workspace `root`:
 * `emend undo`, followed by the folder where the working folder belongs to another workspace.
 */
export async function undoCommand(root: string, { workingFolder }: Pick<Terminal, "workingFolder">): Promise<string> {
  if ((await rootOf(undefined, workingFolder)) === root) return "emend undo";
  const folder = relative(workingFolder, root);
  const named = folder === "" ? "." : folder.startsWith("..") ? root : folder;
  return `emend undo ${/[^\w@%+=:,./-]/.test(named) ? JSON.stringify(named) : named}`;
}

async function rootOf(file: string | undefined, workingFolder: string): Promise<string> {
  const folder = file === undefined ? workingFolder : folderAbove(toPortablePath(resolve(workingFolder, file)));
  return findWorkspaceRoot(await realFolder(folder, disk), disk);
}

/** A folder with its links resolved; for a missing one, the nearest existing folder above it. */
async function realFolder(folder: string, fileSystem: FileSystem): Promise<string> {
  try {
    return await fileSystem.realPath(folder);
  } catch (error) {
    const above = folderAbove(folder);
    if (!(error instanceof FileSystemError) || error.code === "no-permission" || above === folder) throw error;
    return realFolder(above, fileSystem);
  }
}

/**
 * Reads files named on the command line, relative to the working folder, in the workspace `root`.
 * Missing files are allowed only with `mayBeNew`, and not together with patterns or folders.
 *
 * Throws a {@link CommandFailure}, with what to do, where a file is missing, a folder, outside of
 * the workspace, secret, ignored for models, of version control, named twice by different paths,
 * too large, no text, or cannot be read. Rejects with `EmendError` `file-missing` where there is
 * no workspace, and with the signal's reason.
 */
export async function readNamedFiles(
  root: string,
  paths: readonly string[],
  { terminal, mayBeNew }: { readonly terminal: Pick<Terminal, "workingFolder" | "signal">; readonly mayBeNew: boolean },
): Promise<Omit<ReadEditFiles, "refusals">> {
  const { workingFolder, signal } = terminal;
  const absolute = new Map(paths.map((path) => [toPortablePath(resolve(workingFolder, path)), path]));
  const { files, newPaths, refusals, notes } = await readEditFiles(root, [...absolute.keys()], {
    signal,
    mayBeNew: mayBeNew && !paths.some(readsAsOther),
  });
  if (refusals.length > 0)
    throw refusedFiles(refusals.map((refusal) => ({ ...refusal, path: absolute.get(refusal.path) ?? refusal.path })));
  const made = newPaths.length === 0 ? [] : [`Will be created: ${listed(newPaths)}.`];
  return { files, newPaths, notes: [...notes, ...made] };
}

/** Whether a path cannot mean a new file: an unexpanded pattern, or a folder. */
function readsAsOther(path: string): boolean {
  return isPattern(path) || /[/\\]$/.test(path);
}

/**
 * Whether a path is a glob pattern. Brackets do not count: some frameworks have them in file names.
 */
function isPattern(path: string): boolean {
  return /[*?{]/.test(path);
}

/**
 * Throws a {@link CommandFailure} where a workspace's folder has an entry, a file or a folder,
 * since the files to change must be named then. Names that begin with a dot do not count. Rejects
 * with a `FileSystemError` where the folder cannot be read.
 */
export async function checkIsEmpty(root: string): Promise<void> {
  const entries = await disk.readFolder(root);
  if (entries.every(({ name }) => name.startsWith("."))) return;
  const message = `Name the files to change or create, as in \`emend edit src/main.ts -m "INSTRUCTION"\`.`;
  throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}

/**
 * The failure of a command that cannot read files: the first refusal gives the code, the message
 * contains all. There must be at least one refusal.
 */
export function refusedFiles(refusals: readonly FileRefusal[]): CommandFailure {
  const { kind } = refusals[0]!;
  const message = refusals.map((refusal) => printFileRefusal({ ...refusal, cure: cureFor(refusal) })).join(" ");
  return new CommandFailure(kind === "missing" ? "file-missing" : kind, message, { exitCode: exitCodeOf(kind) });
}

function cureFor({ kind, path, cure }: FileRefusal): string {
  if (kind === "missing" && isPattern(path))
    return "Patterns are not supported: let the shell expand them, or name each file.";
  if (kind === "missing") return "Check the path.";
  if (kind === "folder") return "Name the files in it one by one.";
  if (kind === "outside") return "Name the folder that contains all files with --root.";
  return cure;
}

function exitCodeOf(kind: FileRefusalKind): ExitCode {
  switch (kind) {
    case "missing":
    case "folder":
    case "special":
    case "broken-link":
    case "no-folder":
      return exitCodes.notFound;
    case "no-permission":
      return exitCodes.noPermission;
    case "outside":
    case "same-file":
      return exitCodes.usage;
    case "disk-failed":
      return exitCodes.failed;
    default:
      return exitCodes.notSource;
  }
}
