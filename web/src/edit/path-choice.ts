import type { FileEntry, WorkspaceFiles } from "../page-services.ts";

/** So many entries are shown to choose from. */
const maxEntries = 40;

/** A file or a folder to choose, or a file that is to be made. */
export interface PathChoice extends FileEntry {
  readonly isNew?: boolean;
}

/** What there is to choose from; where that is nothing, why. */
export interface PathChoices {
  readonly entries: readonly PathChoice[];
  readonly problem?: string;
}

/**
 * Finds what is meant by a path while it is typed. Each folder is asked for once, and only one that
 * its parent has; so what is typed inside of a folder, or of one that is not there, asks nothing.
 */
export class PathFinder {
  readonly #files: Pick<WorkspaceFiles, "list">;
  readonly #listed = new Map<string, Promise<readonly FileEntry[]>>();

  constructor(files: Pick<WorkspaceFiles, "list">) {
    this.#files = files;
  }

  /**
   * Entries of the folder that a typed path leads to, whose names hold the text behind the last
   * `/`; those that begin so come first. Ignored ones are left out, for no model is shown them. A
   * file that is not there is last, to be made, where nothing else is meant or the name ends as
   * those of files do. Rejects with an error for people.
   */
  async choicesFor(typed: string): Promise<PathChoices> {
    const path = typed.trim();
    const folders = path.split("/");
    const name = folders.pop()!;
    const entries = await this.#entriesOf(folders);
    if (entries === "a file") return { entries: [], problem: `${folders.join("/")} is a file.` };
    const there = entries.find((entry) => entry.name === name);
    if (there?.isIgnored) return { entries: [], problem: `${path} is ignored: no model is shown it.` };
    const found = matching(entries, name).slice(0, maxEntries);
    const isNew = there === undefined && isFilePath(path) && (found.length === 0 || /[^.]\.\w+$/.test(name));
    const made: readonly PathChoice[] = isNew ? [{ kind: "file", path, name, isIgnored: false, isNew }] : [];
    if (found.length + made.length > 0) return { entries: [...found, ...made] };
    return { entries: [], problem: "No file here. Name one from the workspace's root." };
  }

  /** What is in a folder; nothing where the folder is not there. */
  async #entriesOf(folders: readonly string[]): Promise<readonly FileEntry[] | "a file"> {
    let entries = await this.#list("");
    for (const name of folders) {
      const folder = entries.find((entry) => entry.name === name);
      if (folder === undefined) return [];
      if (folder.kind === "file") return "a file";
      entries = await this.#list(folder.path);
    }
    return entries;
  }

  #list(folder: string): Promise<readonly FileEntry[]> {
    const listed = this.#listed.get(folder) ?? this.#files.list(folder);
    this.#listed.set(folder, listed);
    // What failed is tried again with the next key.
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

/** Whether a path names a file from the root on, and nothing outside of it. */
function isFilePath(path: string): boolean {
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..") && !path.includes("\\");
}
