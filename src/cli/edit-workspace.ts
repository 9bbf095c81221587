import { relative, resolve } from "node:path";
import { type FileSystem, FileSystemError, tryRelativePath } from "../codebase/index.ts";
import { disk, toPortablePath } from "../codebase/node/index.ts";
import type { EditFile } from "../edit/index.ts";
import {
  type FileRefusal,
  type FileRefusalKind,
  healWorkspace,
  printFileRefusal,
  readEditFiles,
} from "../edit/node/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { journalOf } from "./journal-of.ts";
import { openFolder } from "./open-file.ts";
import { listed } from "./print-names.ts";
import type { Terminal } from "./terminal.ts";
import { findWorkspaceRoot, folderAbove } from "./workspace-root.ts";

/**
 * The workspace of edits: the folder that a person names, or that of the first file, or else of the working folder; see
 * `findWorkspaceRoot`. An absolute path, links resolved. What an earlier run left half done there is set right.
 */
export async function openEditWorkspace(
  { root, file }: { readonly root: string | undefined; readonly file?: string | undefined },
  terminal: Terminal,
): Promise<{ readonly root: string; readonly notes: readonly string[] }> {
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
    ...(restored.length > 0 ? [`A run before was interrupted; taken back: ${names(restored)}.`] : []),
    ...(conflicts.length > 0
      ? [`A run before was interrupted; changed since, so left as it is: ${names(conflicts)}.`]
      : []),
  ];
  return { root: found, notes };
}

/** What to type in the working folder to take back what was written to a workspace last. */
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

/** A folder with its links resolved; of one that is not there, the next above it that is. */
async function realFolder(folder: string, fileSystem: FileSystem): Promise<string> {
  try {
    return await fileSystem.realPath(folder);
  } catch (error) {
    const above = folderAbove(folder);
    if (!(error instanceof FileSystemError) || error.code === "no-permission" || above === folder) throw error;
    return realFolder(above, fileSystem);
  }
}

/** Files that a person names. */
export interface NamedFiles {
  readonly files: readonly EditFile[];
  /** The paths, from the root, of those that are not there yet. */
  readonly newPaths: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Reads files that a person names, from the working folder; those that are not there yet only where they may be new.
 * Throws a {@link CommandFailure} that says what to do.
 */
export async function readNamedFiles(
  root: string,
  paths: readonly string[],
  { terminal, mayBeNew }: { readonly terminal: Pick<Terminal, "workingFolder" | "signal">; readonly mayBeNew: boolean },
): Promise<NamedFiles> {
  const { workingFolder, signal } = terminal;
  const absolute = new Map(paths.map((path) => [toPortablePath(resolve(workingFolder, path)), path]));
  const { files, newPaths, refusals, notes } = await readEditFiles(root, [...absolute.keys()], {
    signal,
    mayBeNew: mayBeNew && !paths.some(readsAsOther),
  });
  if (refusals.length > 0)
    throw refusedFiles(refusals.map((refusal) => ({ ...refusal, path: absolute.get(refusal.path) ?? refusal.path })));
  const made = newPaths.length === 0 ? [] : [`Not there yet, so to be made: ${listed(newPaths)}.`];
  return { files, newPaths, notes: [...notes, ...made] };
}

/** Whether a path names what is no new file: a pattern that the shell did not expand, or a folder. */
function readsAsOther(path: string): boolean {
  return isPattern(path) || /[/\\]$/.test(path);
}

/** Whether a path is a pattern. Names in brackets are files of some frameworks. */
function isPattern(path: string): boolean {
  return /[*?{]/.test(path);
}

/** Throws a {@link CommandFailure} where there are files in a workspace, so that those to be changed have to be named. */
export async function checkIsEmpty(root: string): Promise<void> {
  const entries = await disk.readFolder(root);
  if (entries.every(({ name }) => name.startsWith("."))) return;
  const message = `Name the files that may be changed, or are to be made: ${root} is not empty.`;
  throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}

/** Why files are not read, as a failure of the command: the first one gives the code, all are told. */
export function refusedFiles(refusals: readonly FileRefusal[]): CommandFailure {
  const { kind } = refusals[0]!;
  const message = refusals.map((refusal) => printFileRefusal({ ...refusal, cure: cureFor(refusal) })).join(" ");
  return new CommandFailure(kind === "missing" ? "file-missing" : kind, message, { exitCode: exitCodeOf(kind) });
}

function cureFor({ kind, path, cure }: FileRefusal): string {
  if (kind === "missing" && isPattern(path))
    return "Patterns are not read: let the shell expand them, or name each file.";
  if (kind === "missing") return "Check the path.";
  if (kind === "folder") return "Name the files in it that may be changed, one by one.";
  if (kind === "outside") return "Name the folder that holds all the files, with --root.";
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
