import { folderOf, foldersAbove, joinPath } from "../../workspace/index.ts";

/** The files of a workspace, as {@link nearestFiles} looks for one. */
export interface FilesByEnding {
  has(path: string): boolean;
  /** The files whose path is this one, or ends with `/` and this one. */
  endingWith(path: string): readonly string[];
}

/**
 * The files whose path ends with one of `endings`: the one that is nearest to the file at `from`,
 * below its folder or a folder above that, the deepest folder first; if there is none, all of the
 * workspace, in the order of `endings`. Empty where there is none.
 */
export function nearestFiles(files: FilesByEnding, from: string, endings: readonly string[]): readonly string[] {
  for (const folder of foldersAbove(from).reverse()) {
    const found = filesIn(files, folder, endings);
    if (found.length > 0) return found;
  }
  return endings.flatMap((ending) => files.endingWith(ending));
}

/**
 * The files that an import of Python may mean in the file at `from`; `module` is as written, dots
 * included. A relative import means one file at most. An absolute one means the nearest file, and
 * if there is none, any file whose path ends so. A stub (`.pyi`) stands for a module without a
 * source beside it.
 */
export function pythonModuleFiles(files: FilesByEnding, module: string, from: string): readonly string[] {
  const dots = /^\.*/.exec(module)![0].length;
  const path = module.slice(dots).split(".").filter(Boolean).join("/");
  const endings = path === "" ? ["__init__.py"] : [`${path}.py`, `${path}/__init__.py`, `${path}.pyi`];
  if (dots === 0) {
    const found = path === "" ? [] : nearestFiles(files, from, endings);
    return found.filter((one) => !one.endsWith(".pyi") || !found.includes(one.slice(0, -1)));
  }
  let folder = folderOf(from);
  for (let up = 1; up < dots; up++) folder = folderOf(folder);
  return filesIn(files, folder, endings);
}

/** The first of these files of a folder that exists. */
function filesIn(files: FilesByEnding, folder: string, endings: readonly string[]): readonly string[] {
  const found = endings.map((ending) => joinPath(folder, ending)).find((path) => files.has(path));
  return found === undefined ? [] : [found];
}
