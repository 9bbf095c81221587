import { resolve } from "node:path";
import {
  decodeText,
  type FileSystem,
  FileSystemError,
  joinPath,
  nameOf,
  printSkipReason,
  readSource,
  type SkipReason,
  tryRelativePath,
  trySecretPath,
} from "../codebase/index.ts";
import { toPortablePath } from "../codebase/node/index.ts";
import { languageOf } from "../syntax/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { findWorkspaceRoot, folderAbove } from "./workspace-root.ts";

/** Where a file is that a person asks about. */
export interface FoundFile {
  /** As typed. */
  readonly file: string;
  /** The absolute folder of the workspace, links resolved. */
  readonly root: string;
  /** From the workspace's root, with `/`. */
  readonly path: string;
}

/** A file that a person asks about, in its workspace. */
export interface OpenedFile extends Pick<FoundFile, "root" | "path"> {
  /** The id of its language. */
  readonly language: string;
  readonly text: string;
}

/** Which file is asked about. */
export interface FindFileOptions {
  /** As typed. */
  readonly file: string;
  /** The workspace as typed, if it was. */
  readonly workspace: string | undefined;
  /** The text that is not saved yet, as bytes; the file need not exist then. */
  readonly unsaved: Uint8Array | undefined;
  readonly workingFolder: string;
  readonly fileSystem: FileSystem;
}

/** How a file is read. */
export interface ReadFileOptions extends Pick<FindFileOptions, "unsaved" | "fileSystem"> {
  /** The most UTF-16 units of it, and the setting that says so, where one does. */
  readonly limit: { readonly characters: number; readonly setting?: string };
  readonly signal: AbortSignal;
}

/** Finds the workspace of a file. Throws a {@link CommandFailure} that says what to do. */
export async function findFile(options: FindFileOptions): Promise<FoundFile> {
  const { file, workingFolder, fileSystem } = options;
  const secret = trySecretPath(file.replaceAll("\\", "/").replace(/^.*\.\.\//, ""));
  if (secret !== undefined) throw refused(file, { kind: "secret", ...secret });
  const given = toPortablePath(resolve(workingFolder, file));
  const real = await realPathOf(given, options);
  const named = options.workspace;
  const root =
    named === undefined ? await findWorkspaceRoot(folderAbove(real), fileSystem) : await openFolder(named, options);
  const path = tryRelativePath(root, real);
  if (path === undefined) {
    const message = `${file} does not lie in the workspace ${named}. Give a folder that holds it.`;
    throw new CommandFailure("outside-workspace", message, { exitCode: exitCodes.usage });
  }
  if (path === "") throw refused(file, { kind: "folder" });
  return { file, root, path };
}

/** As {@link findFile}, for commands that take no other text than the file's. */
export async function findExistingFile(options: Omit<FindFileOptions, "unsaved">): Promise<FoundFile> {
  return findFile({ ...options, unsaved: undefined }).catch((error: unknown) => {
    if (!(error instanceof CommandFailure) || error.code !== "file-missing") throw error;
    const message = `There is no file ${options.file}. Check the path: it is looked for from this folder.`;
    throw new CommandFailure(error.code, message, { exitCode: error.exitCode });
  });
}

/**
 * The text of a file that was found. Ignored, generated and minified files are a person's to open; secrets are not, nor
 * are files that are no text. Throws a {@link CommandFailure} that says what to do.
 */
export async function readFound({ file, root, path }: FoundFile, options: ReadFileOptions): Promise<OpenedFile> {
  const { unsaved, limit, fileSystem, signal } = options;
  const opened = (text: string, language = languageIn(path, text)): OpenedFile => {
    if (text.length > limit.characters) throw tooLarge(file, `${text.length.toLocaleString("en")} characters`, limit);
    return { root, path, language, text };
  };
  // In UTF-8 a unit takes three bytes at the most, and a byte order mark stands before them.
  const maxBytes = 3 * limit.characters + 3;
  const ofBytes = (size: number) => tooLarge(file, `${size.toLocaleString("en")} bytes`, limit);
  if (unsaved !== undefined) {
    const realSecret = trySecretPath(path);
    if (realSecret !== undefined) throw refused(file, { kind: "secret", ...realSecret });
    if (unsaved.length > maxBytes) throw ofBytes(unsaved.length);
    return opened(decode(unsaved, file));
  }
  const answer = await readSource(root, path, { fileSystem, signal, unknownLanguages: "keep", maxBytes });
  if (answer.kind === "source") return opened(answer.text, answer.language);
  const { reason } = answer;
  if (reason.kind === "oversized") throw ofBytes(reason.size);
  if (reason.kind !== "generated" && reason.kind !== "minified") throw refused(file, reason);
  return opened(decode(await fileSystem.readFile(joinPath(root, path)), file));
}

function languageIn(path: string, text: string): string {
  return languageOf(nameOf(path), /^\uFEFF?([^\r\n]{0,300})/.exec(text)?.[1] ?? "").id;
}

function tooLarge(file: string, size: string, { characters, setting }: ReadFileOptions["limit"]): CommandFailure {
  const most = `${file} has ${size}, more than the ${characters.toLocaleString("en")} characters`;
  const message =
    setting === undefined
      ? `${most} that are read. Split it.`
      : `${most} of ${setting}. Split it, or raise that setting.`;
  return new CommandFailure("oversized", message, { exitCode: exitCodes.notSource });
}

/** The workspace that a person named or, without a name, stands in: an absolute path, links resolved. Throws as {@link openFolder} does. */
export async function openRoot({
  workspace,
  workingFolder,
  fileSystem,
}: Pick<FindFileOptions, "workspace" | "workingFolder" | "fileSystem">): Promise<string> {
  if (workspace !== undefined) return openFolder(workspace, { workingFolder, fileSystem });
  return findWorkspaceRoot(await fileSystem.realPath(workingFolder), fileSystem);
}

/** The absolute path of a folder that a person typed, links resolved. Throws a {@link CommandFailure} when it is none. */
export async function openFolder(
  folder: string,
  { workingFolder, fileSystem }: Pick<FindFileOptions, "workingFolder" | "fileSystem">,
): Promise<string> {
  const notFolder = (code: string, message: string) =>
    new CommandFailure(code, message, { exitCode: exitCodes.notFound });
  try {
    const real = await fileSystem.realPath(toPortablePath(resolve(workingFolder, folder)));
    if ((await fileSystem.stat(real)).kind === "folder") return real;
    throw notFolder("not-a-folder", `The workspace ${folder} is not a folder. Give the folder that holds the sources.`);
  } catch (error) {
    if (!(error instanceof FileSystemError) || error.code === "no-permission") throw error;
    throw notFolder("file-missing", `There is no folder ${folder}. Check the path.`);
  }
}

async function realPathOf(
  path: string,
  { file, unsaved, fileSystem }: Pick<FindFileOptions, "file" | "unsaved" | "fileSystem">,
): Promise<string> {
  try {
    return await fileSystem.realPath(path);
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    if (error.code === "no-permission") throw refused(file, { kind: "no-permission" });
    if (error.code === "file-missing" && unsaved !== undefined) {
      // A file that is not saved yet lies in a folder that exists.
      const folder = await fileSystem.realPath(folderAbove(path)).catch(() => undefined);
      if (folder !== undefined) return joinPath(folder, nameOf(path));
    }
    throw refused(file, { kind: "missing" });
  }
}

function decode(bytes: Uint8Array, file: string): string {
  const decoded = decodeText(bytes);
  if (decoded.kind === "text") return decoded.text;
  throw refused(file, decoded.kind === "binary" ? { ...decoded, by: "content" } : decoded);
}

function refused(file: string, reason: SkipReason): CommandFailure {
  const [code, exitCode, message] = explain(file, reason);
  return new CommandFailure(code, message, { exitCode });
}

function explain(file: string, reason: SkipReason): readonly [code: string, exitCode: ExitCode, message: string] {
  const { notFound, notSource, noPermission, failed } = exitCodes;
  switch (reason.kind) {
    case "missing":
      return ["file-missing", notFound, `There is no file ${file}. Check the path, or give its text with --stdin.`];
    case "folder":
      return ["folder", notFound, `${file} is a folder. Give a file in it.`];
    case "special":
      return ["special", notFound, `${file} is neither a file nor a folder. Give a source file.`];
    case "link":
      return ["link", notFound, `${file} is a ${printSkipReason(reason)}. Give the file itself.`];
    case "secret":
      return [
        "secret",
        notSource,
        `${file} is not read, because it may hold secrets (${reason.detail}, by its ${reason.by}). Give a source file.`,
      ];
    case "binary":
      return ["binary", notSource, `${file} is not text: ${reason.detail}. Give a source file.`];
    case "not-utf-8":
      return ["not-utf-8", notSource, `${file} is not UTF-8: ${reason.detail}. Save it as UTF-8.`];
    case "no-permission":
      return [
        "no-permission",
        noPermission,
        `The system does not let us read ${file}. Change its permissions, or run as its owner.`,
      ];
    case "disk-failed":
      return ["disk-failed", failed, `${file} cannot be read: ${reason.detail}.`];
    default:
      return [reason.kind, notSource, `${file} is not read: ${printSkipReason(reason)}. Give a source file.`];
  }
}
