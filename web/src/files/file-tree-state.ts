import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FileEntry } from "../page-services.ts";

/** A row of the tree that is seen. */
export interface TreeRow {
  readonly entry: FileEntry;
  /** From 1, for what is in the root. */
  readonly level: number;
  /** Only for folders. */
  readonly isExpanded: boolean | undefined;
  /** From 1, among its siblings. */
  readonly position: number;
  readonly siblings: number;
}

/** Reads a folder. */
export type ListFolder = (folder: string) => Promise<readonly FileEntry[]>;

/** Which folders are open and what is in them, read when they are opened for the first time. */
export class FileTreeState {
  readonly #list: ListFolder;
  readonly #entries: Signal<ReadonlyMap<string, readonly FileEntry[]>> = signal(new Map());
  readonly #expanded: Signal<ReadonlySet<string>> = signal(new Set([""]));
  /** The row that the keys are on; a path. */
  readonly current: Signal<string | undefined> = signal(undefined);

  constructor(list: ListFolder) {
    this.#list = list;
  }

  /** In the order that they are seen. */
  readonly rows: ReadonlySignal<readonly TreeRow[]> = computed(() => [...this.#rowsOf("", 1)]);

  /** Whether the root was read, and nothing is in it. */
  readonly isEmpty: ReadonlySignal<boolean> = computed(() => this.#entries.value.get("")?.length === 0);

  /** Rejects where the folder cannot be read. */
  async expand(folder: string): Promise<void> {
    this.#expanded.value = new Set([...this.#expanded.value, folder]);
    if (!this.#entries.value.has(folder)) await this.#read(folder);
  }

  collapse(folder: string): void {
    this.#expanded.value = new Set([...this.#expanded.value].filter((one) => one !== folder));
  }

  /** Opens all folders above a file, and puts the keys on it. */
  async reveal(path: string): Promise<void> {
    const names = path.split("/");
    for (let depth = 1; depth < names.length; depth += 1) await this.expand(names.slice(0, depth).join("/"));
    this.current.value = path;
  }

  /** Reads again the folders that have been read and hold one of these files or folders. */
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

  /** Does what a key of the tree pattern means; `false` for any other key. */
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
        // A letter goes to the next name that begins with it.
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
