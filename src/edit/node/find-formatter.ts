import { access, constants, readdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { parseJsonWithComments } from "../../syntax/index.ts";
import { defaultMaxBytes, folderOf, joinPath, tryRelativePath } from "../../workspace/index.ts";
import { readRegularFile } from "../../workspace/node/index.ts";

/** The supported formatters. */
export type FormatterName = "biome" | "oxfmt" | "dprint" | "prettier";

/** The formatter that a project configures for a file. */
export interface ConfiguredFormatter {
  readonly name: FormatterName;
  /** The absolute path of the folder with the configuration. */
  readonly folder: string;
  /** The absolute path of the program; `undefined` where it is not installed. */
  readonly program: string | undefined;
}

interface Kind {
  readonly name: FormatterName;
  /** Matches the names of its configuration files. */
  readonly files: RegExp;
  /** Its key in `package.json`. */
  readonly key?: string;
  /** Whether it may be taken from the search path. */
  readonly isOnPath: boolean;
}

/** The order of precedence where one folder configures several. */
const kinds: readonly Kind[] = [
  { name: "biome", files: /^\.?biome\.jsonc?$/, isOnPath: true },
  { name: "oxfmt", files: /^(\.oxfmtrc\.jsonc?|oxfmt\.config\.[cm]?[jt]s)$/, isOnPath: false },
  { name: "dprint", files: /^\.?dprint\.jsonc?$/, isOnPath: true },
  {
    name: "prettier",
    files: /^(\.prettierrc(\.(json5?|ya?ml|toml|[cm]?[jt]s))?|prettier\.config\.[cm]?[jt]s)$/,
    key: "prettier",
    isOnPath: false,
  },
];

/**
 * Finds the formatter configured nearest above the file at `path`, up to the workspace `root`, both
 * absolute with `/`; `undefined` where none is, or where the file is outside of the workspace.
 * Folders and files that cannot be read are skipped. Runs no program and loads no code.
 */
export async function findFormatter(root: string, path: string): Promise<ConfiguredFormatter | undefined> {
  const inside = tryRelativePath(root, path);
  if (inside === undefined) return undefined;
  const folders: string[] = [];
  for (let folder = folderOf(inside); ; folder = folderOf(folder)) {
    folders.push(joinPath(root, folder));
    if (folder === "") break;
  }
  for (const [i, folder] of folders.entries()) {
    const kind = await kindIn(folder);
    if (kind === undefined) continue;
    return { name: kind.name, folder, program: await findProgram(kind, folders.slice(i)) };
  }
  return undefined;
}

async function kindIn(folder: string): Promise<Kind | undefined> {
  const names = await readdir(folder).catch((): string[] => []);
  const keys = names.includes("package.json") ? await keysOf(joinPath(folder, "package.json")) : [];
  for (const kind of kinds) {
    const file = names.find((name) => kind.files.test(name));
    if (file === undefined && (kind.key === undefined || !keys.includes(kind.key))) continue;
    // Biome is often configured for linting only.
    if (kind.name === "biome" && file !== undefined && (await isSwitchedOff(joinPath(folder, file)))) continue;
    return kind;
  }
  return undefined;
}

async function keysOf(path: string): Promise<readonly string[]> {
  const value = await readJson(path);
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

async function isSwitchedOff(path: string): Promise<boolean> {
  const value = (await readJson(path)) as { readonly formatter?: { readonly enabled?: unknown } } | undefined;
  return value?.formatter?.enabled === false;
}

async function readJson(path: string): Promise<unknown> {
  try {
    const bytes = await readRegularFile(path, { maxBytes: defaultMaxBytes });
    return parseJsonWithComments(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

async function findProgram({ name, isOnPath }: Kind, folders: readonly string[]): Promise<string | undefined> {
  const own = folders.map((folder) => join(folder, "node_modules", ".bin"));
  const shared = isOnPath ? (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "") : [];
  const endings = process.platform === "win32" ? [".cmd", ".exe"] : [""];
  for (const folder of [...own, ...shared]) {
    for (const ending of endings) {
      const program = join(folder, name + ending);
      if (await isProgram(program)) return program;
    }
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
