import { type FileSystem, FileSystemError, folderOf, joinPath } from "../../codebase/index.ts";

/** A module that a file imports, and the folder of that file in the workspace. */
export interface ImportedModule {
  readonly specifier: string;
  readonly folder: string;
}

/** Where types are looked for, and how many are taken. */
export interface DependencyTypesOptions {
  /** The absolute folder of the workspace. `node_modules` above it are not looked at. */
  readonly root: string;
  readonly fileSystem: FileSystem;
  /** The most bytes of all files together. */
  readonly maxBytes: number;
  /** The most files of one module. */
  readonly maxFiles?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The languages whose imports are looked at. */
export const importingLanguages: ReadonlySet<string> = new Set([
  ...["typescript", "typescriptreact", "javascript", "javascriptreact", "vue", "svelte"],
]);

/** The modules of others that a script imports, each once, in the order of the text: not `./near`, not `#alias`. */
export function importedModules(text: string): string[] {
  const found = new Set<string>();
  for (const [, specifier] of text.matchAll(
    /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["']([^"'\n]{1,200})["']/g,
  )) {
    if (/^(?:node:[a-z]|@[\w.-]+\/[\w.-]|[a-zA-Z])[\w./-]*$/.test(specifier!)) found.add(specifier!);
  }
  return [...found];
}

/**
 * The declaration files that tell what `modules` export, by path from the workspace's root: of each module its entry,
 * and what that exports on from files beside it. Each comes once, in the order of the modules.
 */
export async function findDependencyTypes(
  modules: Iterable<ImportedModule>,
  options: DependencyTypesOptions,
): Promise<string[]> {
  const { root, fileSystem, maxFiles = 12, signal } = options;
  const found = new Set<string>();
  let bytesLeft = options.maxBytes;
  for (const module of modules) {
    signal?.throwIfAborted();
    const entry = await findEntry(module, root, fileSystem);
    if (entry === undefined) continue;
    const pending = [entry];
    for (let files = 0; files < maxFiles && pending.length > 0; ) {
      const path = pending.shift()!;
      if (found.has(path)) continue;
      const text = await tryRead(joinPath(root, path), fileSystem);
      if (text === undefined) continue;
      if (text.length > bytesLeft) return [...found];
      bytesLeft -= text.length;
      found.add(path);
      files += 1;
      for (const target of exportedOn(text)) {
        const next = await findDeclaration(folderOf(path), target, root, fileSystem);
        if (next !== undefined) pending.push(next);
      }
    }
  }
  return [...found];
}

/** Looks for the module in each `node_modules` from the file's folder up to the root. */
async function findEntry(
  { specifier, folder }: ImportedModule,
  root: string,
  fileSystem: FileSystem,
): Promise<string | undefined> {
  const { name, subpath } = splitSpecifier(specifier);
  for (let at = folder; ; at = folderOf(at)) {
    const modules = joinPath(at, "node_modules");
    const own = joinPath(modules, name);
    const manifest = await tryRead(joinPath(root, joinPath(own, "package.json")), fileSystem);
    if (manifest !== undefined) {
      const entry = await findTypes(own, { manifest, subpath, root, fileSystem });
      if (entry !== undefined) return entry;
    }
    const typed = joinPath(modules, `@types/${name.replace(/^@([^/]+)\//, "$1__")}`);
    const typedManifest = await tryRead(joinPath(root, joinPath(typed, "package.json")), fileSystem);
    if (typedManifest !== undefined) {
      const entry = await findTypes(typed, { manifest: typedManifest, subpath, root, fileSystem });
      if (entry !== undefined) return entry;
    }
    if (at === "") return undefined;
  }
}

/** `zod/v4` is `./v4` of `zod`; `node:fs/promises` and `fs/promises` are files of `@types/node`. */
function splitSpecifier(specifier: string): { readonly name: string; readonly subpath: string } {
  if (specifier.startsWith("node:")) return { name: "node", subpath: specifier.slice(5) };
  const parts = specifier.split("/");
  const count = specifier.startsWith("@") ? 2 : 1;
  return { name: parts.slice(0, count).join("/"), subpath: parts.slice(count).join("/") };
}

interface TypesQuestion {
  readonly manifest: string;
  readonly subpath: string;
  readonly root: string;
  readonly fileSystem: FileSystem;
}

async function findTypes(
  folder: string,
  { manifest, subpath, root, fileSystem }: TypesQuestion,
): Promise<string | undefined> {
  let said: { readonly types?: unknown; readonly typings?: unknown; readonly exports?: unknown };
  try {
    said = JSON.parse(manifest) ?? {};
  } catch {
    return undefined;
  }
  const candidates = [
    typesTarget(said.exports, subpath),
    ...(subpath === "" ? [said.types, said.typings, "index"] : [subpath, `${subpath}/index`]),
  ];
  for (const candidate of candidates) {
    if (typeof candidate !== "string") continue;
    const found = await findDeclaration(folder, candidate, root, fileSystem);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What `exports` names for the types of a subpath. Patterns with `*` are left to their packages. */
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

/** What a declaration file exports on from files beside it. */
function exportedOn(text: string): string[] {
  const targets = new Set<string>();
  for (const [, target] of text.matchAll(/\bexport\s[^;"']{0,2000}?\bfrom\s*["'](\.[^"'\n]{0,200})["']/g)) {
    targets.add(target!);
  }
  for (const [, target] of text.matchAll(/^\s*\/\/\/\s*<reference\s+path=["']([^"'\n]{1,200})["']/gm)) {
    targets.add(target!);
  }
  return [...targets];
}

/** The declaration file that stands for `target`, seen from `folder`: `./x.js` is told by `./x.d.ts`. */
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

/** `target` seen from `folder`, or `undefined` when it leaves the innermost `node_modules`. */
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
    return new TextDecoder().decode(await fileSystem.readFile(path));
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}
