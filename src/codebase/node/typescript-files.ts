import { readdirSync } from "node:fs";
import { joinPath } from "../workspace-path.ts";

/**
 * Files as the TypeScript service asks for them: at once. Paths are absolute, with `/` between names.
 *
 * `undefined` means that the disk is to be asked.
 */
export interface TypeScriptFiles {
  /** `null` where there is no such file, whatever the disk holds. */
  readFile(path: string): string | null | undefined;
  hasFile(path: string): boolean | undefined;
  hasFolder(path: string): boolean | undefined;
  /** The names in a folder; nothing of the disk's is added to them. */
  namesIn(folder: string): FolderNames | undefined;
}

/** What a folder holds. */
export interface FolderNames {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** The files of the disk, and nothing else. */
export const filesOfDisk: TypeScriptFiles = {
  readFile: () => undefined,
  hasFile: () => undefined,
  hasFolder: () => undefined,
  namesIn: () => undefined,
};

/**
 * The texts of a tree, such as those of a commit, as the files of the folder `root`. In that folder nothing of the disk is seen.
 *
 * The keys of `texts` are paths from `root`; what is added to it later is not seen.
 */
export function filesOfTree(root: string, texts: ReadonlyMap<string, string>): TypeScriptFiles {
  const folders = foldersOf(root, texts.keys());
  const isInside = (path: string) => path === root || path.startsWith(`${root}/`);
  const textAt = (path: string) => texts.get(path.slice(root.length + 1));
  return {
    readFile: (path) => (isInside(path) ? (textAt(path) ?? null) : undefined),
    hasFile: (path) => (isInside(path) ? textAt(path) !== undefined : undefined),
    hasFolder: (path) => (isInside(path) ? folders.has(withoutSlash(path)) : undefined),
    namesIn: (path) => (isInside(path) ? namesOf(folders.get(withoutSlash(path))) : undefined),
  };
}

/** Folders are asked for with a slash at the end where `.` is imported. */
function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

/** `files` with other texts for some of them, such as what was not saved yet; `null` hides a file. */
export function filesWithTexts(files: TypeScriptFiles, texts: ReadonlyMap<string, string | null>): TypeScriptFiles {
  const isAbove = (folder: string) => (path: string) => path.startsWith(`${folder}/`) && texts.get(path) !== null;
  return {
    readFile: (path) => (texts.has(path) ? texts.get(path) : files.readFile(path)),
    hasFile: (path) => (texts.has(path) ? texts.get(path) !== null : files.hasFile(path)),
    hasFolder: (path) => ([...texts.keys()].some(isAbove(path)) ? true : files.hasFolder(path)),
    namesIn: (folder) => {
      const changed = [...texts.keys()].filter((path) => path.startsWith(`${folder}/`));
      if (changed.length === 0) return files.namesIn(folder);
      const before = files.namesIn(folder) ?? namesOnDisk(folder);
      const isHidden = (name: string) => texts.get(joinPath(folder, name)) === null;
      const added = foldersOf(
        folder,
        changed.filter(isAbove(folder)).map((path) => path.slice(folder.length + 1)),
      );
      const own = namesOf(added.get(folder));
      return {
        files: [...new Set([...before.files.filter((name) => !isHidden(name)), ...own.files])],
        folders: [...new Set([...before.folders, ...own.folders])],
      };
    },
  };
}

/**
 * Those of the texts of a workspace that begin with a byte order mark, by their absolute paths. The service counts the mark where it
 * is told a text, and leaves it out where it reads the disk, so that its offsets would be others than ours.
 */
export function textsWithMark(root: string, texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const marked = [...texts].filter(([, text]) => text.startsWith("\uFEFF"));
  return new Map(marked.map(([path, text]) => [joinPath(root, path), text]));
}

interface Names {
  readonly files: Set<string>;
  readonly folders: Set<string>;
}

/** What each folder holds, by its absolute path. */
function foldersOf(root: string, paths: Iterable<string>): ReadonlyMap<string, Names> {
  const all = new Map<string, Names>();
  const at = (folder: string): Names => {
    const known = all.get(folder);
    if (known !== undefined) return known;
    const names = { files: new Set<string>(), folders: new Set<string>() };
    all.set(folder, names);
    return names;
  };
  at(root);
  for (const path of paths) {
    let folder = root;
    const steps = path.split("/");
    for (const step of steps.slice(0, -1)) {
      at(folder).folders.add(step);
      folder = `${folder}/${step}`;
    }
    at(folder).files.add(steps.at(-1)!);
  }
  return all;
}

function namesOf(names: Names | undefined): FolderNames {
  return { files: [...(names?.files ?? [])], folders: [...(names?.folders ?? [])] };
}

function namesOnDisk(folder: string): FolderNames {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return {
      files: entries.filter((entry) => entry.isFile()).map(({ name }) => name),
      folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
    };
  } catch {
    // What cannot be listed holds nothing that the service could read.
    return { files: [], folders: [] };
  }
}
