import { comparePaths, folderOf, nameOf } from "../../workspace/index.ts";

/** The packages among the files of a workspace. */
export interface Packages {
  /** The folders of the workspace's own packages, by their names. */
  readonly own: ReadonlyMap<string, string>;
  /** The names of the packages in folders named `node_modules`. */
  readonly installed: ReadonlySet<string>;
  /** The folders named `node_modules`, and all below them. */
  readonly folders: ReadonlySet<string>;
}

/** Finds the packages; `nameIn` returns the name in a manifest. */
export function findPackages(paths: Iterable<string>, nameIn: (path: string) => unknown): Packages {
  const [own, installed, folders] = [new Map<string, string>(), new Set<string>(), new Set<string>()];
  const manifests: string[] = [];
  for (const path of paths) {
    if (!/(?:^|\/)node_modules\//.test(path)) {
      if (nameOf(path) === "package.json") manifests.push(path);
      continue;
    }
    for (let folder = folderOf(path); !folders.has(folder); folder = folderOf(folder)) {
      folders.add(folder);
      if (nameOf(folder) === "node_modules") break;
      const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/@][^/]*)$/.exec(folder)?.[1];
      if (name !== undefined) installed.add(name);
    }
  }
  // Of copies, such as those in tests, the one in the highest folder counts.
  manifests.sort((one, other) => one.length - other.length || comparePaths(one, other));
  for (const path of manifests) {
    const name = nameIn(path);
    if (typeof name === "string" && !own.has(name)) own.set(name, folderOf(path));
  }
  return { own, installed, folders };
}
