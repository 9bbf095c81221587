import { readdirSync, statSync } from "node:fs";
import { getOrInsert } from "../../text/index.ts";
import { type FileSystem, joinPath } from "../../workspace/index.ts";

/**
 * The files that the TypeScript service reads, synchronously. Paths are absolute, with `/` between
 * names.
 *
 * A result of `undefined` means that the service reads the disk.
 */
export interface TypeScriptFiles {
  /** The text of a file; `null` when there is no file, whatever is on the disk. */
  readFile(path: string): string | null | undefined;
  hasFile(path: string): boolean | undefined;
  hasFolder(path: string): boolean | undefined;
  /** The names in a folder; those on the disk are not added. */
  namesIn(folder: string): FolderNames | undefined;
}

/** The entries of a folder. */
export interface FolderNames {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/**
 * The files on the disk only. Files that the service would wait for, or read without end, do not
 * exist for it: pipes, sockets and devices, also behind links, and files of more than
 * {@link maxCheckedBytes} bytes.
 */
export const filesOfDisk: TypeScriptFiles = {
  readFile: (path) => (isUnreadable(path) ? null : undefined),
  hasFile: (path) => (isUnreadable(path) ? false : undefined),
  hasFolder: () => undefined,
  namesIn: () => undefined,
};

/** In bytes; more than any package's declaration file has. */
const maxCheckedBytes = 20_000_000;

/**
 * The text of a configuration file on the disk, also of one in a package; `undefined` where it
 * cannot be read. TypeScript tries several paths, most of which do not exist.
 */
export function readConfigText(path: string, fileSystem: FileSystem): Promise<string | undefined> {
  return fileSystem.readFile(path, { maxBytes: maxCheckedBytes }).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => undefined,
  );
}

function isUnreadable(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isDirectory()) return false;
    return !found.isFile() || found.size > maxCheckedBytes;
  } catch {
    // The service gets the system's error itself.
    return false;
  }
}

/**
 * The texts of a tree, such as that of a commit, as the files of the folder `root`. Inside `root`
 * the disk is not read; outside it {@link filesOfDisk} applies.
 *
 * The keys of `texts` are paths relative to `root`; later additions to the map have no effect.
 */
export function filesOfTree(root: string, texts: ReadonlyMap<string, string>): TypeScriptFiles {
  const folders = foldersOf(root, texts.keys());
  const isInside = (path: string) => path === root || path.startsWith(`${root}/`);
  const textAt = (path: string) => texts.get(path.slice(root.length + 1));
  return {
    readFile: (path) => (isInside(path) ? (textAt(path) ?? null) : filesOfDisk.readFile(path)),
    hasFile: (path) => (isInside(path) ? textAt(path) !== undefined : filesOfDisk.hasFile(path)),
    hasFolder: (path) => (isInside(path) ? folders.has(withoutSlash(path)) : undefined),
    namesIn: (path) => (isInside(path) ? namesOf(folders.get(withoutSlash(path))) : undefined),
  };
}

/** The service requests a folder with a trailing slash where `.` is imported. */
function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

/**
 * `files` with other texts for some absolute paths, with `/`, such as unsaved ones; `null` hides a
 * file. A path that `files` lacks is added, and later changes of the map count.
 */
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
 * The texts that begin with a byte order mark, by their absolute paths; keys of `texts` are
 * relative to `root`. The service counts the mark in a text that it is given and drops it from a
 * file that it reads, so its offsets would differ from ours.
 */
export function textsWithMark(root: string, texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const marked = [...texts].filter(([, text]) => text.startsWith("\uFEFF"));
  return new Map(marked.map(([path, text]) => [joinPath(root, path), text]));
}

interface Names {
  readonly files: Set<string>;
  readonly folders: Set<string>;
}

/** The entries of each folder, by its absolute path. */
function foldersOf(root: string, paths: Iterable<string>): ReadonlyMap<string, Names> {
  const all = new Map<string, Names>();
  const at = (folder: string): Names =>
    getOrInsert(all, folder, () => ({ files: new Set<string>(), folders: new Set<string>() }));
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
    const isLinkTo = (name: string, kind: "isFile" | "isDirectory") =>
      statSync(joinPath(folder, name), { throwIfNoEntry: false })?.[kind]() === true;
    const ofKind = (kind: "isFile" | "isDirectory") =>
      entries
        .filter((entry) => entry[kind]() || (entry.isSymbolicLink() && isLinkTo(entry.name, kind)))
        .map(({ name }) => name);
    return { files: ofKind("isFile"), folders: ofKind("isDirectory") };
  } catch {
    // A folder that cannot be listed contains nothing that the service could read.
    return { files: [], folders: [] };
  }
}
