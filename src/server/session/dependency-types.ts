import { InstalledTypes, moduleNamesIn } from "../../names/index.ts";
import {
  AccessRules,
  defaultMaxBytes,
  type FileSystem,
  FileSystemError,
  folderOf,
  joinPath,
} from "../../workspace/index.ts";

/** A module that a file imports, and the folder of that file in the workspace. */
export interface ImportedModule {
  readonly specifier: string;
  readonly folder: string;
}

/** Where declaration files are searched, and how many are returned. */
export interface DependencyTypesOptions {
  /** The absolute folder of the workspace. `node_modules` folders above it are not searched. */
  readonly root: string;
  readonly fileSystem: FileSystem;
  /** The most bytes of all files together. */
  readonly maxBytes: number;
  /** The most files of one module; 12 by default. */
  readonly maxFiles?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The specifiers of packages that a script imports, such as `react` or `react/jsx-runtime`, each
 * once, in the order of the text. Relative paths (`./near`) and aliases (`#alias`) are left out.
 */
export function importedModules(text: string): string[] {
  return moduleNamesIn(text).filter((name) => /^(?:node:[a-z]|@[\w.-]+\/[\w.-]|[a-zA-Z])[\w./-]*$/.test(name));
}

/**
 * Finds the declaration files of `modules`, by path from the workspace's root: the entry of each
 * module, and the files beside it that the entry re-exports, at most `maxFiles` of each module.
 * Each path comes once, in the order of the modules. Modules without types and files that may not
 * be read are left out; it ends at the first file that exceeds the rest of `maxBytes`. Rejects with
 * the signal's reason.
 */
export async function findDependencyTypes(
  modules: Iterable<ImportedModule>,
  options: DependencyTypesOptions,
): Promise<string[]> {
  const { root, fileSystem, maxFiles = 12, signal } = options;
  // Files ignored by git are read here, since dependencies are; secret files and those excluded
  // from models are not.
  const rules = new AccessRules({ fileSystem, root });
  const mayRead = async (path: string) => {
    await rules.prepare(path);
    const verdict = rules.verdict(path);
    return verdict.kind === "allowed" || (verdict.kind === "ignored" && verdict.from === "git");
  };
  const installed = new InstalledTypes({
    kindOf: (path) => tryKindOf(joinPath(root, path), fileSystem),
    textOf: (path) => tryRead(joinPath(root, path), fileSystem),
  });
  const found = new Set<string>();
  let bytesLeft = options.maxBytes;
  for (const module of modules) {
    signal?.throwIfAborted();
    const entry = await findEntry(module, installed);
    if (entry === undefined) continue;
    const pending = [entry];
    for (let files = 0; files < maxFiles && pending.length > 0; ) {
      const path = pending.shift()!;
      if (found.has(path) || !(await mayRead(path))) continue;
      const text = await tryRead(joinPath(root, path), fileSystem);
      if (text === undefined) continue;
      if (text.length > bytesLeft) return [...found];
      bytesLeft -= text.length;
      found.add(path);
      files += 1;
      for (const target of reexportsOf(text)) {
        const next = await installed.findBeside(target, folderOf(path));
        // A file of another package is found by the name of that package.
        if (next !== undefined && packageFolder(next) === packageFolder(path)) pending.push(next);
      }
    }
  }
  return [...found];
}

/** Finds the types of a module, in its package or in the package of its types. */
async function findEntry(
  { specifier, folder }: ImportedModule,
  installed: InstalledTypes,
): Promise<string | undefined> {
  // The modules of Node are files of a package of types.
  const name = specifier.replace(/^node:/, "@types/node/");
  const entry = await installed.find(name, folder);
  return entry !== undefined && packageFolder(entry) !== undefined ? entry : undefined;
}

/** The folder of the package that a file in `node_modules` belongs to; `undefined` outside. */
function packageFolder(path: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}

/** The files that a declaration file re-exports or references, as relative paths. */
function reexportsOf(text: string): string[] {
  const targets = new Set<string>();
  for (const [, target] of text.matchAll(/\bexport\s[^;"']{0,2000}?\bfrom\s*["'](\.[^"'\n]{0,200})["']/g)) {
    targets.add(target!);
  }
  for (const [, target] of text.matchAll(/^[ \t]*\/\/\/\s*<reference\s+path=["']([^"'\n]{1,200})["']/gm)) {
    targets.add(target!);
  }
  return [...targets];
}

async function tryKindOf(path: string, fileSystem: FileSystem): Promise<"file" | "folder" | undefined> {
  try {
    const { kind } = await fileSystem.stat(path);
    return kind === "special" ? undefined : kind;
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}

async function tryRead(path: string, fileSystem: FileSystem): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await fileSystem.readFile(path, { maxBytes: defaultMaxBytes }));
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}
