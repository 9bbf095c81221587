import {
  type Clock,
  folderOf,
  joinPath,
  nameOf,
  tryRelativePath,
  type Watch,
  type Watcher,
} from "../../codebase/index.ts";
import { tryVersionControl } from "./served-place.ts";

/** What is followed, and how. */
export interface DiskChangesOptions {
  /** The absolute folder, links resolved. */
  readonly root: string;
  readonly watch: Watch;
  readonly clock: Clock;
  readonly onProblem: (message: string) => void;
}

/** Changes are told together when the first of them is so old, in milliseconds. */
const gatherMs = 50;

/**
 * Follows what changes on the disk in those folders of the workspace that a page has looked at: whose names it shows, or of which it has
 * a file open. Whatever happens elsewhere, such as to a hundred thousand files of packages, costs nothing.
 */
export class DiskChanges implements AsyncDisposable {
  readonly #options: DiskChangesOptions;
  /** The folders, links resolved, with the paths by which they were asked for. */
  readonly #folders = new Map<string, Set<string>>([["", new Set([""])]]);
  readonly #listeners = new Set<(paths: readonly string[]) => void>();
  readonly #touched = new Set<string>();
  #telling: Disposable | undefined;
  #watcher: Promise<Watcher> | undefined;

  constructor(options: DiskChangesOptions) {
    this.#options = options;
  }

  /** Follows the folder `path`, which really is `real`, from now on. Both are relative to the root. */
  follow(path: string, real: string): void {
    const known = this.#folders.get(real);
    if (known !== undefined) {
      known.add(path);
      return;
    }
    this.#folders.set(real, new Set([path]));
    const add = (watcher: Watcher) => watcher.add(joinPath(this.#options.root, real));
    this.#watcher?.then(add, () => undefined);
  }

  /** How many listen. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** Calls back with paths that may have changed, come or gone, until disposed of. Resolves when none is missed any more. */
  async listen(listener: (paths: readonly string[]) => void): Promise<Disposable> {
    this.#listeners.add(listener);
    this.#watcher ??= this.#watch();
    await this.#watcher;
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
    this.#telling?.[Symbol.dispose]();
    const watcher = await this.#watcher?.catch(() => undefined);
    await watcher?.[Symbol.asyncDispose]();
  }

  #watch(): Promise<Watcher> {
    const { root, watch, onProblem } = this.#options;
    return watch({
      paths: [root, ...[...this.#folders.keys()].filter(Boolean).map((folder) => joinPath(root, folder))],
      isOut: (path, kind) => {
        const inside = tryRelativePath(root, path);
        if (inside === undefined || tryVersionControl(inside) !== undefined) return true;
        if (this.#folders.has(inside)) return false;
        return kind === "folder" || !this.#folders.has(folderOf(inside));
      },
      onTouch: (path) => this.#touch(path),
      onError: (error) =>
        onProblem(`Changes on the disk may be missed: ${error instanceof Error ? error.message : error}`),
    });
  }

  #touch(path: string): void {
    const inside = tryRelativePath(this.#options.root, path);
    if (inside === undefined || tryVersionControl(inside) !== undefined || staged.test(inside)) return;
    // The root's own folder is not a path in it.
    const above = inside === "" ? undefined : this.#folders.get(folderOf(inside));
    for (const folder of above ?? []) this.#touched.add(joinPath(folder, nameOf(inside)));
    for (const folder of this.#folders.get(inside) ?? []) this.#touched.add(folder);
    if (this.#touched.size === 0) return;
    this.#telling ??= this.#options.clock.after(gatherMs, () => this.#tell());
  }

  #tell(): void {
    const paths = [...this.#touched].sort();
    this.#touched.clear();
    this.#telling = undefined;
    for (const listener of this.#listeners) listener(paths);
  }
}

/** What Emend prepares beside a file that it writes. */
const staged = /(^|\/)\.emend-[0-9a-f]+-\d+\.tmp$/;
