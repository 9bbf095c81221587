import { fuzzyMatches } from "../files/fuzzy.ts";
import type { FileEntry, WorkspaceFiles } from "../page-services.ts";

/** The most entries that are offered. */
const maxEntries = 40;

/** A file, a folder, or a new file (`isNew`). */
export interface PathChoice extends FileEntry {
  readonly isNew?: boolean;
  /** The folder of a new file that does not exist either. */
  readonly newFolder?: string;
  /** A file that is not in the typed folder. */
  readonly isElsewhere?: boolean;
}

/** The matching entries; without any, `problem` is the reason. */
export interface PathChoices {
  readonly entries: readonly PathChoice[];
  readonly problem?: string;
}

/**
 * Completes a path while the user types. Each folder is listed once, and only if its parent
 * contains the folder, and the paths of the workspace are requested once, so most keys cause no
 * request.
 */
export class PathFinder {
  readonly #files: Pick<WorkspaceFiles, "list" | "paths">;
  readonly #listed = new Map<string, Promise<readonly FileEntry[]>>();
  #paths: Promise<readonly string[]> | undefined;

  constructor(files: Pick<WorkspaceFiles, "list" | "paths">) {
    this.#files = files;
  }

  /**
   * The entries of the typed folder whose names contain the text after the last `/`; names that
   * start with that text come first. Ignored entries are omitted. For a text without `/`, the files
   * of the workspace follow whose paths match it, as in the quick open. A new file comes last, if
   * no entry of the folder matches or the typed name has an extension. Rejects with an error for
   * people.
   */
  async choicesFor(typed: string): Promise<PathChoices> {
    const path = typed.trim().replace(/^(\.\/)+/, "");
    const folders = path.split("/");
    const name = folders.pop()!;
    const outside = describeOutside(path);
    if (outside !== undefined) return { entries: [], problem: outside };
    const folder = folders.join("/");
    const inFolder = await this.#entriesOf(folders);
    if (inFolder === "a file") return { entries: [], problem: `${folder} is a file.` };
    const entries = inFolder === "missing" ? [] : inFolder;
    const there = entries.find((entry) => entry.name === name);
    if (there?.isIgnored) return { entries: [], problem: `${path} is ignored and is not sent to models.` };
    const found = matching(entries, name);
    const isNew = there === undefined && isFilePath(path) && (found.length === 0 || /[^.]\.\w+$/.test(name));
    const made: readonly PathChoice[] = isNew
      ? [{ kind: "file", path, name, isIgnored: false, isNew, ...(inFolder === "missing" && { newFolder: folder }) }]
      : [];
    const elsewhere = folders.length > 0 || name === "" ? [] : await this.#elsewhere(name, found);
    const shown = [...[...found, ...elsewhere].slice(0, maxEntries), ...made];
    if (shown.length > 0) return { entries: shown };
    return {
      entries: [],
      problem:
        inFolder === "missing"
          ? `There is no folder ${folder}. Type a name after it for a new file.`
          : `${folder === "" ? "This folder" : folder} has no files.`,
    };
  }

  /** The entries of a folder. */
  async #entriesOf(folders: readonly string[]): Promise<readonly FileEntry[] | "a file" | "missing"> {
    let entries = await this.#list("");
    for (const name of folders) {
      const folder = entries.find((entry) => entry.name === name);
      if (folder === undefined) return "missing";
      if (folder.kind === "file") return "a file";
      entries = await this.#list(folder.path);
    }
    return entries;
  }

  /** The files of the workspace whose paths match, apart from the given entries. */
  async #elsewhere(name: string, found: readonly FileEntry[]): Promise<readonly PathChoice[]> {
    this.#paths ??= this.#files.paths();
    // A failed request is repeated at the next key.
    const paths = await this.#paths.catch((error: unknown) => {
      this.#paths = undefined;
      throw error;
    });
    const known = new Set(found.map(({ path }) => path));
    return fuzzyMatches(name, paths, (path) => path)
      .filter((path) => !known.has(path))
      .map((path) => ({
        kind: "file",
        path,
        name: path.slice(path.lastIndexOf("/") + 1),
        isIgnored: false,
        isElsewhere: true,
      }));
  }

  #list(folder: string): Promise<readonly FileEntry[]> {
    const listed = this.#listed.get(folder) ?? this.#files.list(folder);
    this.#listed.set(folder, listed);
    // A failed request is repeated at the next key.
    listed.catch(() => this.#listed.delete(folder));
    return listed;
  }
}

function matching(entries: readonly FileEntry[], name: string): readonly FileEntry[] {
  const typed = name.toLowerCase();
  const wanted = entries.filter((entry) => !entry.isIgnored && entry.name.toLowerCase().includes(typed));
  const begins = (entry: FileEntry) => entry.name.toLowerCase().startsWith(typed);
  return [...wanted.filter(begins), ...wanted.filter((entry) => !begins(entry))];
}

/** Why a path names no file of the folder, in words for the user. */
function describeOutside(path: string): string | undefined {
  if (path.includes("\\")) return "Write / between folders.";
  if (/^(\/|~|[A-Za-z]:)/.test(path)) return "Type a path that starts in this folder, such as src/price.ts.";
  if (path.split("/").includes("..")) return "A path that leaves this folder cannot be edited.";
  return undefined;
}

/** Whether a path is a relative file path inside the root. */
function isFilePath(path: string): boolean {
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..") && !path.includes("\\");
}
