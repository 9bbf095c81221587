import { pathToFileURL } from "node:url";
import envPaths from "env-paths";
import { errorMessage, withoutByteOrderMark } from "../text/index.ts";
import { decodeText, type FileSystem, FileSystemError, joinPath } from "../workspace/index.ts";
import { type ConfigIssue, type Entry, isPlainObject, printKey, printOrigin, tryEntriesOf } from "./entries.ts";
import { type RepeatedKey, readJson } from "./read-json.ts";

/** The names of configuration files, the first of those that are there counts. */
export const configFileNames: readonly string[] = [
  "emend.config.json",
  "emend.config.js",
  "emend.config.mjs",
  "emend.config.ts",
];

/** What a folder configures. */
export interface FolderConfig {
  readonly entries: readonly Entry[];
  readonly issues: readonly ConfigIssue[];
  /** The absolute path of the file that counts; absent where there is none. */
  readonly path?: string;
}

/** How files are read, and whether they may run. */
export interface FindConfigOptions {
  readonly fileSystem: FileSystem;
  /** Runs a file; rejects with what it throws. */
  readonly loadCode: (path: string, source: string) => Promise<unknown>;
  /**
   * Why a configuration file with code must not be run, as a sentence with the remedy; absent where
   * it may be run.
   */
  readonly refusal?: (path: string) => string;
  /** Whether a `package.json` counts as well. */
  readonly usesPackageFile: boolean;
}

/**
 * Reads the configuration in the absolute `folder`: the first file of {@link configFileNames}, or
 * else the `emend` key of `package.json`, where that counts. Several are an issue.
 *
 * A file that cannot be read, is over 10 MB, is malformed, must not be run, or fails when it is run
 * has no entries and an issue; there is no rejection for it.
 */
export async function findConfig(folder: string, options: FindConfigOptions): Promise<FolderConfig> {
  const found: string[] = [];
  const issues: ConfigIssue[] = [];
  for (const name of configFileNames) {
    const path = joinPath(folder, name);
    if (await isThere(path, options.fileSystem)) found.push(path);
  }
  const packaged = options.usesPackageFile ? await readPackageFile(folder, options.fileSystem) : undefined;
  const paths = [...found, ...(packaged?.path === undefined ? [] : [packaged.path])];
  if (paths.length > 1) {
    const [first, ...others] = paths.map((path) => printOrigin({ kind: "file", path }, folder));
    const message = `There are several configurations: ${first} counts, ${others.join(" and ")} not. Keep one.`;
    issues.push({ code: "several-files", severity: "error", origin: { kind: "file", path: paths[0]! }, message });
  }
  const first = found[0];
  if (first === undefined) return packaged ?? { entries: [], issues };
  const read = first.endsWith(".json") ? await readJsonFile(first, options.fileSystem) : await runFile(first, options);
  return { ...read, path: first, issues: [...issues, ...read.issues] };
}

async function isThere(path: string, fileSystem: FileSystem): Promise<boolean> {
  try {
    await fileSystem.stat(path);
    return true;
  } catch (error) {
    // Other failures are reported when the file is read.
    if (error instanceof FileSystemError) return error.code !== "file-missing" && error.code !== "not-a-folder";
    throw error;
  }
}

async function readJsonFile(path: string, fileSystem: FileSystem): Promise<FolderConfig> {
  const text = await readText(path, fileSystem);
  if (typeof text !== "string") return broken("unreadable-file", path, text);
  const answer = readJson(text, path);
  if (answer.kind === "broken") return broken(answer.isJson ? "no-settings" : "broken-file", path, answer);
  // For the editor, which reads the schema from it.
  return {
    entries: answer.entries.filter(({ path: names }) => names[0] !== "$schema" && names.length > 0),
    issues: repeatedKeys(answer.repeated, path),
  };
}

/**
 * The `emend` key of a `package.json`. One that cannot be read is another tool's to complain about.
 */
async function readPackageFile(folder: string, fileSystem: FileSystem): Promise<FolderConfig | undefined> {
  const path = joinPath(folder, "package.json");
  const text = await readText(path, fileSystem);
  if (typeof text !== "string" || !text.includes('"emend"')) return undefined;
  const answer = readJson(text, path, "emend");
  if (answer.kind === "broken") return broken(answer.isJson ? "no-package-settings" : "broken-file", path, answer);
  if (answer.entries.length === 0) return undefined;
  const issues = repeatedKeys(answer.repeated, path);
  return { entries: answer.entries.filter(({ path: names }) => names.length > 0), issues, path };
}

/** Whether the text of a `package.json` holds settings, so that it counts as a settings file. */
export function holdsSettings(packageText: string): boolean {
  const answer = readJson(packageText, "package.json", "emend");
  return answer.kind === "read" && answer.entries.length > 0;
}

async function runFile(path: string, { fileSystem, loadCode, refusal }: FindConfigOptions): Promise<FolderConfig> {
  const origin = { kind: "file", path } as const;
  if (refusal !== undefined) {
    return { entries: [], issues: [{ code: "not-trusted", severity: "warning", origin, message: refusal(path) }] };
  }
  const source = await readText(path, fileSystem);
  if (typeof source !== "string") return broken("unreadable-file", path, source);
  let entries: readonly Entry[] | undefined;
  try {
    const exported = await loadCode(path, source);
    if (!isPlainObject(exported)) {
      return broken("failed-file", path, { detail: "its default export is no object with settings" });
    }
    // Getters of the export may throw, too.
    entries = tryEntriesOf(exported, origin);
  } catch (error) {
    const [detail = "", place = ""] = errorMessage(error).split("\n");
    // A syntax error has its place in the second line.
    const [, line] =
      /^(\d+):\d+$/.exec(place.trim().startsWith(`${path}:`) ? place.trim().slice(path.length + 1) : "") ?? [];
    return broken("failed-file", path, { detail: detail.trim(), ...(line !== undefined && { line: Number(line) }) });
  }
  if (entries === undefined) return broken("failed-file", path, { detail: "its default export refers to itself" });
  return { entries: entries.filter(({ path: names }) => names.length > 0), issues: [] };
}

async function readText(path: string, fileSystem: FileSystem): Promise<string | { readonly detail: string }> {
  let bytes: Uint8Array;
  try {
    bytes = await fileSystem.readFile(path, { maxBytes: maxConfigBytes });
  } catch (error) {
    if (error instanceof FileSystemError) return { detail: error.code.replaceAll("-", " ") };
    throw error;
  }
  const decoded = decodeText(bytes);
  if (decoded.kind !== "text") return { detail: "it is no text in UTF-8" };
  return withoutByteOrderMark(decoded.text);
}

/** Settings are a few lines; a `package.json` has a few hundred. */
const maxConfigBytes = 10_000_000;

const complaints = {
  "unreadable-file": ["unreadable-file", "cannot be read"],
  "broken-file": ["broken-file", "is no JSON"],
  "no-settings": ["broken-file", "holds no settings"],
  "no-package-settings": ["broken-file", "holds no settings in `emend`"],
  "failed-file": ["failed-file", "does not run"],
} as const;

function repeatedKeys(repeated: readonly RepeatedKey[], path: string): readonly ConfigIssue[] {
  return repeated.map(({ path: names, line, counts }) => {
    const key = printKey(names);
    const message = `\`${key}\` (${path}:${line}) is there again in line ${counts}, which counts. Take one of them out.`;
    return { code: "repeated-key", severity: "error", key, origin: { kind: "file", path, line }, message };
  });
}

function broken(
  kind: keyof typeof complaints,
  path: string,
  { detail, line }: { readonly detail: string; readonly line?: number },
): FolderConfig {
  const [code, complaint] = complaints[kind];
  const origin = { kind: "file", path, ...(line === undefined ? {} : { line }) } as const;
  const message = `${path}${line === undefined ? "" : `:${line}`} ${complaint}: ${detail}. Its settings are ignored.`;
  return { entries: [], issues: [{ code, severity: "error", origin, message }], path };
}

/**
 * Runs a module and returns its default export, or all that it exports where it has none. Rejects
 * with whatever it throws, also its syntax errors.
 *
 * `path` is absolute; what the module imports is found from there. Through `jiti`: Node 20 reads no
 * TypeScript, and keeps modules for as long as it runs, so that a changed file would not be run
 * again. Nothing is written to the disk.
 */
export async function loadCode(path: string, source: string): Promise<unknown> {
  const { createJiti } = await import("jiti");
  const jiti = createJiti(pathToFileURL(path).href, { fsCache: false, moduleCache: false });
  const module = await jiti.evalModule(source, { filename: path, async: true, forceTranspile: true });
  const { default: exported } = Object(module) as { readonly default?: unknown };
  return exported ?? module;
}

/**
 * The absolute path of the folder for the user's own configuration on this system, with `/`:
 * `~/.config/emend` on Linux. The folder need not exist.
 */
export function userConfigFolder(): string {
  return envPaths("emend", { suffix: "" }).config.replaceAll("\\", "/");
}
