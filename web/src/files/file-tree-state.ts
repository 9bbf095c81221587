import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FileEntry } from "../page-services.ts";

/** A visible row of the tree. */
export interface TreeRow {
  readonly entry: FileEntry;
  /** The depth, from 1 for entries of the root. */
  readonly level: number;
  /** `undefined` for files. */
  readonly isExpanded: boolean | undefined;
  /** From 1, among its siblings. */
  readonly position: number;
  readonly siblings: number;
}

/** Reads a folder. */
export type ListFolder = (folder: string) => Promise<readonly FileEntry[]>;

/** The expanded folders and their entries, which are read at the first expansion. */
export class FileTreeState {
  readonly #list: ListFolder;
  readonly #entries: Signal<ReadonlyMap<string, readonly FileEntry[]>> = signal(new Map());
  readonly #expanded: Signal<ReadonlySet<string>> = signal(new Set([""]));
  /** The path of the focused row. */
  readonly current: Signal<string | undefined> = signal(undefined);

  constructor(list: ListFolder) {
    this.#list = list;
  }

  /** The visible rows, from top to bottom. */
  readonly rows: ReadonlySignal<readonly TreeRow[]> = computed(() => [...this.#rowsOf("", 1)]);

  /** Whether the root was read and has no entries. */
  readonly isEmpty: ReadonlySignal<boolean> = computed(() => this.#entries.value.get("")?.length === 0);

  /** Rejects if the folder cannot be read. */
  async expand(folder: string): Promise<void> {
    this.#expanded.value = new Set([...this.#expanded.value, folder]);
    if (!this.#entries.value.has(folder)) await this.#read(folder);
  }

  collapse(folder: string): void {
    this.#expanded.value = new Set([...this.#expanded.value].filter((one) => one !== folder));
  }

  /** Expands all parent folders of a file and focuses its row. */
  async reveal(path: string): Promise<void> {
    const names = path.split("/");
    for (let depth = 1; depth < names.length; depth += 1) await this.expand(names.slice(0, depth).join("/"));
    this.current.value = path;
  }

  /** Reads the loaded folders again that contain one of these paths. */
  async changed(paths: readonly string[]): Promise<void> {
    const folders = new Set(paths.flatMap((path) => [parentOf(path), path]));
    for (const folder of folders) {
      if (!this.#entries.value.has(folder)) continue;
      await this.#read(folder).catch(() => {
        const entries = new Map(this.#entries.value);
        entries.delete(folder);
        this.#entries.value = entries;
      });
    }
  }

  /** Handles a key of the ARIA tree pattern; `false` for any other key. */
  press(key: string, open: (path: string) => void): boolean {
    const rows = this.rows.value;
    const at = Math.max(
      0,
      rows.findIndex(({ entry }) => entry.path === this.current.value),
    );
    const row = rows[at];
    if (row === undefined) return false;
    const go = (index: number) => {
      this.current.value = rows[Math.min(rows.length - 1, Math.max(0, index))]!.entry.path;
      return true;
    };
    const { path, kind } = row.entry;
    switch (key) {
      case "ArrowDown":
        return go(at + 1);
      case "ArrowUp":
        return go(at - 1);
      case "Home":
        return go(0);
      case "End":
        return go(rows.length - 1);
      case "ArrowRight":
        if (row.isExpanded === true) return go(at + 1);
        if (row.isExpanded === false) void this.expand(path);
        return true;
      case "ArrowLeft": {
        if (row.isExpanded === true) this.collapse(path);
        else if (row.level > 1) this.current.value = parentOf(path);
        return true;
      }
      case "Enter":
      case " ":
        if (kind === "file") open(path);
        else if (row.isExpanded === true) this.collapse(path);
        else void this.expand(path);
        return true;
      default: {
        // A letter selects the next name that starts with the letter.
        if (key.length !== 1) return false;
        const ahead = [...rows.slice(at + 1), ...rows.slice(0, at + 1)];
        const found = ahead.find(({ entry }) => entry.name.toLowerCase().startsWith(key.toLowerCase()));
        if (found) this.current.value = found.entry.path;
        return found !== undefined;
      }
    }
  }

  async #read(folder: string): Promise<void> {
    const read = await this.#list(folder);
    this.#entries.value = new Map([...this.#entries.value, [folder, read]]);
  }

  *#rowsOf(folder: string, level: number): Generator<TreeRow> {
    const entries = this.#entries.value.get(folder) ?? [];
    for (const [index, entry] of entries.entries()) {
      const isExpanded = entry.kind === "folder" ? this.#expanded.value.has(entry.path) : undefined;
      yield { entry, level, isExpanded, position: index + 1, siblings: entries.length };
      if (isExpanded === true) yield* this.#rowsOf(entry.path, level + 1);
    }
  }
}

function parentOf(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}
