import { copyFile, lstat, readdir, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { comparePaths, defaultMaxBytes, joinPath, tryRelativePath } from "../../workspace/index.ts";
import { makeFolder, readRegularFile, toPortablePath } from "../../workspace/node/index.ts";
import { copyLink } from "./copy-files.ts";

/** The folder with the dependencies and the folder that gets links to them; both are absolute. */
interface Linking {
  readonly from: string;
  readonly to: string;
}

/** Dependency folders that builds and tests only read, each with a file that identifies it. */
const wholeFolders: readonly (readonly [name: string, mark: string | undefined])[] = [
  [".venv", "pyvenv.cfg"],
  ["venv", "pyvenv.cfg"],
  ["env", "pyvenv.cfg"],
  ["vendor", undefined],
  ["bower_components", undefined],
  ["__pypackages__", undefined],
];

/** Files that package managers write and that are often ignored. */
const managerFiles = [".pnp.cjs", ".pnp.loader.mjs", ".pnp.data.json"];

/**
 * Links the dependencies of the original, which git ignores, into a copy of a repository. `folders`
 * are the folders of the copied files, relative to the top (empty for the top itself). Returns the
 * linked paths, relative to the top.
 *
 * A folder `node_modules` is created, with links to the packages in it: a package manager's links
 * to packages of the same repository then lead to the copy, and files that tools write beside the
 * packages, such as caches, stay in the copy. Other folders are linked as a whole, so a tool that
 * installs into them writes into the original. Build output (`target`, `obj`, `dist`) is not
 * linked. Files of package managers, such as `.pnp.cjs`, are copied. Rejects with the signal's
 * reason, and with errors of the system.
 */
export async function linkDependencies(
  folders: Iterable<string>,
  linking: Linking,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const linked: string[] = [];
  for (const folder of Array.from(folders).sort(comparePaths)) {
    signal?.throwIfAborted();
    const at = (name: string) => (folder === "" ? name : `${folder}/${name}`);
    const here = await namesIn(join(linking.from, folder));
    const copied = await namesIn(join(linking.to, folder));
    const isMissing = (name: string) => here.has(name) && !copied.has(name);
    if (isMissing("node_modules")) {
      await linkPackages(at("node_modules"), linking);
      linked.push(at("node_modules"));
    }
    for (const [name, mark] of wholeFolders) {
      if (!isMissing(name)) continue;
      const source = join(linking.from, at(name));
      if (mark !== undefined && !(await namesIn(source)).has(mark)) continue;
      if (!(await lstat(source)).isDirectory()) continue;
      await linkFolder(source, join(linking.to, at(name)));
      linked.push(at(name));
    }
    for (const name of managerFiles.filter(isMissing)) {
      await copyFile(join(linking.from, at(name)), join(linking.to, at(name)));
      linked.push(at(name));
    }
  }
  return linked;
}

/** Creates a folder of packages whose entries link to those of the original. */
async function linkPackages(folder: string, linking: Linking): Promise<void> {
  const source = join(linking.from, folder);
  const target = join(linking.to, folder);
  const top = await lstat(source);
  if (top.isSymbolicLink()) return void (await copyLink(source, target, linking));
  if (!top.isDirectory()) return;
  await makeFolder(target);
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isSymbolicLink()) await copyLink(from, to, linking);
    else if (entry.isFile()) await copyFile(from, to);
    else if (!entry.isDirectory()) continue;
    // Folders of scopes and programs contain links to packages of the same repository.
    else if (entry.name.startsWith("@") || entry.name === ".bin")
      await linkPackages(`${folder}/${entry.name}`, linking);
    // pnpm stores the packages in `.pnpm`; other names with a dot are caches.
    else if (entry.name === ".pnpm" || !entry.name.startsWith(".")) await linkFolder(from, to);
  }
}

/** On Windows it creates a junction, which needs no permission. */
async function linkFolder(source: string, target: string): Promise<void> {
  await symlink(source, target, "junction");
}

async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(await readdir(folder));
  } catch {
    return new Set();
  }
}

/**
 * The folders that Python must search first in a copy of a workspace, so that it loads the copy's
 * packages: a virtual environment stores the folders of packages in editable mode as absolute paths
 * of the original.
 *
 * `environments` are absolute paths of virtual environments, `from` is that of the original and
 * `to` that of the copy. Folders and files that cannot be read are skipped and cause no rejection.
 * Source: "Editable installs" in PEP 660, whose wheels contain `.pth` files or modules that map
 * names to paths.
 */
export async function pythonSearchPath(
  environments: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly string[]> {
  const folders = new Set<string>();
  const take = (path: string) => {
    const inside = isAbsolute(path) ? tryRelativePath(from, toPortablePath(path)) : undefined;
    // Folders that the copy links belong to the original in any case.
    if (inside !== undefined && !/(^|\/)(\.?venv|env)\//.test(inside)) folders.add(joinPath(to, inside));
  };
  for (const environment of environments) {
    for (const packages of await packageFolders(environment)) {
      for (const name of await namesIn(packages)) {
        const isFinder = /^__editable__.*\.py$/.test(name);
        if (!name.endsWith(".pth") && !isFinder) continue;
        const text = await readRegularFile(join(packages, name), { maxBytes: defaultMaxBytes }).then(String, () => "");
        if (!isFinder) for (const line of text.split(/\r?\n/)) take(line.trim());
        // Packages with their folders: `MAPPING = {'sums': '/home/ada/sums/src/sums'}`.
        else for (const [, path] of text.matchAll(/: r?'([^'\n]+)'/g)) take(dirname(path!));
      }
    }
  }
  return [...folders];
}

/**
 * The package folders of an environment: `lib/python3.12/site-packages`, or `Lib/site-packages` on
 * Windows.
 */
async function packageFolders(environment: string): Promise<readonly string[]> {
  const versions = [...(await namesIn(join(environment, "lib")))].filter((name) => name.startsWith("python"));
  const unix = versions.map((version) => join(environment, "lib", version, "site-packages"));
  return [...unix, join(environment, "Lib", "site-packages")];
}
