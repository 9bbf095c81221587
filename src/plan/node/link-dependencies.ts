import { copyFile, lstat, mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { comparePaths } from "../../codebase/index.ts";
import { copyLink } from "./copy-files.ts";

/** From where dependencies are linked to where; both are absolute folders. */
interface Linking {
  readonly from: string;
  readonly to: string;
}

/** Folders of dependencies that are read and not written by builds and tests, each with a name that shows it to be one. */
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
 * Gives a copy of a repository the dependencies of the original, which git ignores: `folders` are the folders of the copied
 * files, from the top (empty for the top itself). Answers the paths that were linked, from the top.
 *
 * A folder `node_modules` is made anew, with links to the packages in it: links of a package manager to packages of the same
 * repository lead to the copy then, and what tools write beside the packages, such as caches, stays in the copy. Folders of
 * other kinds are links as a whole; a tool that installs into them writes into the original. What builds write (`target`,
 * `obj`, `dist`) is not linked at all.
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

/** Makes a folder of packages whose entries lead to those of the original. */
async function linkPackages(folder: string, linking: Linking): Promise<void> {
  const source = join(linking.from, folder);
  const target = join(linking.to, folder);
  const top = await lstat(source);
  if (top.isSymbolicLink()) return void (await copyLink(source, target, linking));
  if (!top.isDirectory()) return;
  await mkdir(target, { recursive: true });
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isSymbolicLink()) await copyLink(from, to, linking);
    else if (entry.isFile()) await copyFile(from, to);
    else if (!entry.isDirectory()) continue;
    // Scopes and programs have links to packages of the same repository in them.
    else if (entry.name.startsWith("@") || entry.name === ".bin")
      await linkPackages(`${folder}/${entry.name}`, linking);
    // pnpm keeps the packages in a folder of its own; other names with a dot are caches.
    else if (entry.name === ".pnpm" || !entry.name.startsWith(".")) await linkFolder(from, to);
  }
}

/** On Windows a junction, for which nobody needs a permission. */
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
