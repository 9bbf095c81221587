import { resolve } from "node:path";
import { languageOf } from "../syntax/index.ts";
import {
  AccessRules,
  decodeText,
  type FileSystem,
  FileSystemError,
  folderOf,
  joinPath,
  nameOf,
  printSkipReason,
  readSource,
  type SkipReason,
  tryRelativePath,
  trySecretPath,
} from "../workspace/index.ts";
import { readNamedFile, toPortablePath } from "../workspace/node/index.ts";
import { type ExitCode, exitCodes } from "./terminal/exit-codes.ts";
import { CommandFailure } from "./terminal/failure.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** The location of a file named on the command line. */
export interface FoundFile {
  /** As typed. */
  readonly file: string;
  /** The absolute folder of the workspace, links resolved. */
  readonly root: string;
  /** Relative to the workspace's root, with `/`, links resolved. */
  readonly path: string;
  /**
   * The path as typed, relative to the root, links not resolved; equal to {@link path} where it
   * does not pass through the workspace. Access rules are checked for both.
   */
  readonly judgedAs: string;
}

/** A file named on the command line, with its text. */
export interface OpenedFile extends Pick<FoundFile, "root" | "path" | "judgedAs"> {
  /** The id of its language. */
  readonly language: string;
  readonly text: string;
}

/** Which file to find. */
export interface FindFileOptions {
  /** As typed. */
  readonly file: string;
  /** The workspace as typed, if it was given. */
  readonly workspace: string | undefined;
  /** The unsaved text of the file, as bytes; the file need not exist then. */
  readonly unsaved: Uint8Array | undefined;
  readonly workingFolder: string;
  readonly fileSystem: FileSystem;
}

/** How a file is read. */
export interface ReadFileOptions extends Pick<FindFileOptions, "unsaved" | "fileSystem"> {
  /** The most UTF-16 code units, and the name of the setting with that limit, if there is one. */
  readonly limit: { readonly characters: number; readonly setting?: string };
  /**
   * Whether a file that `.emendignore` excludes from models may be read: for commands that use no
   * model, or check the rules themselves.
   */
  readonly mayBeKept?: boolean;
  readonly signal: AbortSignal;
}

/** Reads the file with the path `file`, as typed, or standard input for `-`. */
export async function readFileOrInput(
  file: string,
  terminal: Pick<Terminal, "workingFolder" | "readInput">,
): Promise<Uint8Array> {
  return file === "-" ? terminal.readInput() : readNamedFile(toPortablePath(resolve(terminal.workingFolder, file)));
}

/**
 * Finds a file and its workspace. Throws a {@link CommandFailure} where it is missing, secret, may
 * not be accessed, is the workspace's folder itself, or is outside of the given workspace. With
 * `unsaved` the file may be missing in an existing folder.
 */
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
    const message = `${file} is not in the workspace ${named}. Give a folder that contains it.`;
    throw new CommandFailure("outside-workspace", message, { exitCode: exitCodes.usage });
  }
  if (path === "") throw refused(file, { kind: "folder" });
  const judgedAs = (await pathAsTyped(given, root, fileSystem)) ?? path;
  if (judgedAs !== path) {
    const secretAsTyped = trySecretPath(joinPath(root, judgedAs));
    if (secretAsTyped !== undefined) throw refused(file, { kind: "secret", ...secretAsTyped });
  }
  return { file, root, path, judgedAs };
}

/**
 * The path of a file relative to the folder `root`, without resolving the links below it;
 * `undefined` where the path as typed does not pass through that folder.
 */
async function pathAsTyped(given: string, root: string, fileSystem: FileSystem): Promise<string | undefined> {
  for (let above = folderAbove(given); ; above = folderAbove(above)) {
    const real = await fileSystem.realPath(above).catch(() => undefined);
    if (real === root) return tryRelativePath(above, given);
    if (folderAbove(above) === above) return undefined;
  }
}

/**
 * Like {@link findFile}, for commands without `--stdin`: throws the same failures, but the message
 * of `file-missing` does not suggest `--stdin`.
 */
export async function findExistingFile(options: Omit<FindFileOptions, "unsaved">): Promise<FoundFile> {
  return findFile({ ...options, unsaved: undefined }).catch((error: unknown) => {
    if (!(error instanceof CommandFailure) || error.code !== "file-missing") throw error;
    const message = `There is no file ${options.file}. Check the path: it is relative to this folder.`;
    throw new CommandFailure(error.code, message, { exitCode: error.exitCode });
  });
}

/**
 * Reads the text of a found file. Generated, minified and git-ignored files may be opened; secrets,
 * files that `.emendignore` excludes from models, and files that are not text may not. Throws a
 * {@link CommandFailure} with what to do.
 */
export async function readFound(
  { file, root, path, judgedAs }: FoundFile,
  options: ReadFileOptions,
): Promise<OpenedFile> {
  const { unsaved, limit, mayBeKept = false, fileSystem, signal } = options;
  const rules = new AccessRules({ fileSystem, root });
  await rules.prepare(judgedAs);
  const verdict = rules.verdict(judgedAs);
  if (verdict.kind === "ignored" && verdict.from === "models" && !mayBeKept) throw refused(file, verdict);
  const opened = (text: string, language = languageIn(path, text)): OpenedFile => {
    if (text.length > limit.characters) throw tooLarge(file, `${text.length.toLocaleString("en")} characters`, limit);
    return { root, path, judgedAs, language, text };
  };
  // In UTF-8 a code unit takes at most three bytes, and so does a byte order mark.
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
  return opened(decode(await fileSystem.readFile(joinPath(root, path), { maxBytes }), file));
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

/**
 * The given workspace, or that of the working folder: an absolute path, links resolved. Throws like
 * {@link openFolder}.
 */
export async function openRoot({
  workspace,
  workingFolder,
  fileSystem,
}: Pick<FindFileOptions, "workspace" | "workingFolder" | "fileSystem">): Promise<string> {
  if (workspace !== undefined) return openFolder(workspace, { workingFolder, fileSystem });
  return findWorkspaceRoot(await fileSystem.realPath(workingFolder), fileSystem);
}

/**
 * The absolute path of a folder as typed, links resolved. Throws a {@link CommandFailure} when
 * there is no such folder. Rejects with a `FileSystemError` where it may not be read.
 */
export async function openFolder(
  folder: string,
  { workingFolder, fileSystem }: Pick<FindFileOptions, "workingFolder" | "fileSystem">,
): Promise<string> {
  const notFolder = (code: string, message: string) =>
    new CommandFailure(code, message, { exitCode: exitCodes.notFound });
  try {
    const real = await fileSystem.realPath(toPortablePath(resolve(workingFolder, folder)));
    if ((await fileSystem.stat(real)).kind === "folder") return real;
    throw notFolder(
      "not-a-folder",
      `The workspace ${folder} is not a folder. Give the folder that contains the sources.`,
    );
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
      // The folder of a file that is not saved yet must exist.
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
    case "ignored": {
      const rule = printSkipReason(reason);
      return [
        "ignored",
        notSource,
        `${file} is excluded from models: it is ${rule}. Change that rule to allow reading it.`,
      ];
    }
    case "binary":
      return ["binary", notSource, `${file} is not text: ${reason.detail}. Give a source file.`];
    case "not-utf-8":
      return ["not-utf-8", notSource, `${file} is not UTF-8: ${reason.detail}. Save it as UTF-8.`];
    case "no-permission":
      return [
        "no-permission",
        noPermission,
        `There is no permission to read ${file}. Change its permissions, or run as its owner.`,
      ];
    case "disk-failed":
      return ["disk-failed", failed, `${file} cannot be read: ${reason.detail}.`];
    default:
      return [reason.kind, notSource, `${file} is not read: ${printSkipReason(reason)}. Give a source file.`];
  }
}

/** Files at the root of a project, in any language of the registry. */
const projectFiles = [
  ...["package.json", "deno.json", "tsconfig.json", "jsconfig.json"],
  ...["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"],
  ...["go.mod", "Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", "composer.json", "Gemfile"],
  ...["CMakeLists.txt", "Makefile", "meson.build", "global.json"],
];

/**
 * Finds the workspace of a file: the nearest git work tree above it, or else the nearest folder
 * with a project file, or else its own folder. `folder` is the absolute folder of the file, links
 * resolved. Folders that cannot be read are skipped, so it does not reject with a
 * {@link FileSystemError}.
 */
export async function findWorkspaceRoot(folder: string, fileSystem: FileSystem): Promise<string> {
  let project: string | undefined;
  for (let at = folder; ; at = folderAbove(at)) {
    const names = await namesIn(at, fileSystem);
    // In a linked work tree and in a submodule `.git` is a file.
    if (names.has(".git")) return at;
    if (project === undefined && isProject(names)) project = at;
    if (folderAbove(at) === at) return project ?? folder;
  }
}

function isProject(names: ReadonlySet<string>): boolean {
  if (projectFiles.some((name) => names.has(name))) return true;
  return [...names].some((name) => /\.(sln|csproj|gemspec)$/.test(name));
}

async function namesIn(folder: string, fileSystem: FileSystem): Promise<ReadonlySet<string>> {
  try {
    return new Set((await fileSystem.readFolder(folder)).map(({ name }) => name));
  } catch (error) {
    // An unreadable folder above is skipped; those above it may be readable.
    if (error instanceof FileSystemError) return new Set();
    throw error;
  }
}

/** The folder above an absolute path; a root is its own. */
export function folderAbove(folder: string): string {
  const above = folderOf(folder);
  if (above === "") return folder.startsWith("/") ? "/" : folder;
  return /^[A-Za-z]:$/.test(above) ? `${above}/` : above;
}
