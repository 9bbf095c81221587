import {
  AccessRules,
  defaultMaxBytes,
  type FileSystem,
  FileSystemError,
  folderOf,
  joinPath,
} from "../../codebase/index.ts";

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

/** The languages whose imports are read. */
export const importingLanguages: ReadonlySet<string> = new Set([
  ...["typescript", "typescriptreact", "javascript", "javascriptreact", "vue", "svelte"],
]);

/**
 * The specifiers of packages that a script imports, such as `react` or `react/jsx-runtime`, each
 * once, in the order of the text. Relative paths (`./near`) and aliases (`#alias`) are left out.
 */
export function importedModules(text: string): string[] {
  const found = new Set<string>();
  for (const [, specifier] of text.matchAll(
    /(?:\bfrom\s*|\bimport\s*(?:\(\s*)?|\brequire\s*\(\s*)["']([^"'\n]{1,200})["']/g,
  )) {
    if (/^(?:node:[a-z]|@[\w.-]+\/[\w.-]|[a-zA-Z])[\w./-]*$/.test(specifier!)) found.add(specifier!);
  }
  return [...found];
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
  const found = new Set<string>();
  let bytesLeft = options.maxBytes;
  for (const module of modules) {
    signal?.throwIfAborted();
    const entry = await findEntry(module, root, fileSystem);
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
        const next = await findDeclaration(folderOf(path), target, root, fileSystem);
        if (next !== undefined) pending.push(next);
      }
    }
  }
  return [...found];
}

/** Searches the module in each `node_modules` from the file's folder up to the root. */
async function findEntry(
  { specifier, folder }: ImportedModule,
  root: string,
  fileSystem: FileSystem,
): Promise<string | undefined> {
  const { name, subpath } = splitSpecifier(specifier);
  for (let at = folder; ; at = folderOf(at)) {
    const modules = joinPath(at, "node_modules");
    const packageFolder = joinPath(modules, name);
    const manifest = await tryRead(joinPath(root, joinPath(packageFolder, "package.json")), fileSystem);
    if (manifest !== undefined) {
      const entry = await findTypes(packageFolder, { manifest, subpath, root, fileSystem });
      if (entry !== undefined) return entry;
    }
    const typesFolder = joinPath(modules, `@types/${name.replace(/^@([^/]+)\//, "$1__")}`);
    const typesManifest = await tryRead(joinPath(root, joinPath(typesFolder, "package.json")), fileSystem);
    if (typesManifest !== undefined) {
      const entry = await findTypes(typesFolder, { manifest: typesManifest, subpath, root, fileSystem });
      if (entry !== undefined) return entry;
    }
    if (at === "") return undefined;
  }
}

/**
 * Splits `zod/v4` into `zod` and the subpath `v4`; `node:fs/promises` is a file of the package
 * `node`, whose types are in `@types/node`.
 */
function splitSpecifier(specifier: string): { readonly name: string; readonly subpath: string } {
  if (specifier.startsWith("node:")) return { name: "node", subpath: specifier.slice(5) };
  const parts = specifier.split("/");
  const count = specifier.startsWith("@") ? 2 : 1;
  return { name: parts.slice(0, count).join("/"), subpath: parts.slice(count).join("/") };
}

interface TypesQuery {
  readonly manifest: string;
  readonly subpath: string;
  readonly root: string;
  readonly fileSystem: FileSystem;
}

async function findTypes(
  folder: string,
  { manifest, subpath, root, fileSystem }: TypesQuery,
): Promise<string | undefined> {
  let fields: { readonly types?: unknown; readonly typings?: unknown; readonly exports?: unknown };
  try {
    fields = JSON.parse(manifest) ?? {};
  } catch {
    return undefined;
  }
  const candidates = [
    typesTarget(fields.exports, subpath),
    ...(subpath === "" ? [fields.types, fields.typings, "index"] : [subpath, `${subpath}/index`]),
  ];
  for (const candidate of candidates) {
    if (typeof candidate !== "string") continue;
    const found = await findDeclaration(folder, candidate, root, fileSystem);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The types that `exports` of a package names for a subpath. Patterns with `*` are not resolved.
 */
function typesTarget(exports: unknown, subpath: string): string | undefined {
  if (typeof exports === "string") return subpath === "" ? exports : undefined;
  if (typeof exports !== "object" || exports === null || Array.isArray(exports)) return undefined;
  const table = exports as Readonly<Record<string, unknown>>;
  const hasPaths = Object.keys(table).some((key) => key.startsWith("."));
  if (!hasPaths && subpath !== "") return undefined;
  return firstTarget(hasPaths ? table[subpath === "" ? "." : `./${subpath}`] : table);
}

function firstTarget(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  const table = value as Readonly<Record<string, unknown>>;
  for (const condition of ["types", "import", "module", "node", "default", "require"]) {
    const target = firstTarget(table[condition]);
    if (target !== undefined) return target;
  }
  return undefined;
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

/**
 * The declaration file for `target`, resolved from `folder`: `./x.d.ts` for `./x.js`. `undefined`
 * if there is none.
 */
async function findDeclaration(
  folder: string,
  target: string,
  root: string,
  fileSystem: FileSystem,
): Promise<string | undefined> {
  const path = tryResolve(folder, target);
  if (path === undefined) return undefined;
  const stem = path.replace(/\.([mc]?)[jt]sx?$/, "").replace(/\.d$/, "");
  const kind = /\.([mc])[jt]s$/.exec(path)?.[1] ?? "";
  const candidates = /\.d\.[mc]?ts$/.test(path)
    ? [path]
    : [`${stem}.d.${kind}ts`, `${stem}.d.ts`, `${stem}.d.mts`, `${path}/index.d.ts`];
  for (const candidate of candidates) {
    try {
      if ((await fileSystem.stat(joinPath(root, candidate))).kind === "file") return candidate;
    } catch (error) {
      if (!(error instanceof FileSystemError)) throw error;
    }
  }
  return undefined;
}

/**
 * `target` resolved from `folder`, or `undefined` when it leaves the innermost `node_modules`
 * package.
 */
function tryResolve(folder: string, target: string): string | undefined {
  const names = folder.split("/");
  const floor = names.lastIndexOf("node_modules") + 2;
  for (const name of target.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.length <= floor) return undefined;
    else names.pop();
  }
  return names.join("/");
}

async function tryRead(path: string, fileSystem: FileSystem): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await fileSystem.readFile(path, { maxBytes: defaultMaxBytes }));
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}
