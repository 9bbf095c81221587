import type { AbortOptions, Clock } from "../async/index.ts";
import type { Watch, Watcher } from "./file-system.ts";
import { ignoreFileNames } from "./ignore-tree.ts";
import type { SkipReason } from "./skip-reason.ts";
import {
  type FolderListing,
  type OpenEntry,
  type SkippedPath,
  Survey,
  type SurveyOptions,
  type WorkspaceFile,
} from "./survey.ts";
import { type Walk, walkFolder, walkLinks } from "./walk.ts";
import { comparePaths, folderOf, isWithin, joinPath, nameOf, tryRelativePath } from "./workspace-path.ts";

/** What {@link openWorkspace} opens, and how it follows changes. */
export interface WorkspaceOptions extends SurveyOptions {
  /** The absolute path of the folder, with `/` between names. */
  readonly root: string;
  /**
   * Without a watcher, the disk is read once, and again when {@link Workspace.refresh} is called.
   */
  readonly watch?: Watch;
  readonly clock: Clock;
  /**
   * Changes are reported when the disk has been quiet for this time, in milliseconds; default: 100.
   */
  readonly quietMs?: number;
  /**
   * Changes are reported after this time at the latest, however busy the disk is; in milliseconds;
   * default: 2,000.
   */
  readonly maxWaitMs?: number;
  /** Aborts the opening; later it has no effect. */
  readonly signal?: AbortSignal | undefined;
}

/** The change of one file. A file that is replaced, as editors do when they save, is `changed`. */
export type WorkspaceChange =
  | { readonly kind: "added" | "changed"; readonly path: string; readonly file: WorkspaceFile }
  | { readonly kind: "removed"; readonly path: string };

/**
 * Opens a workspace: walks it, and follows its changes when there is a watcher; the caller disposes
 * of it. Rejects with a `FileSystemError` when the root cannot be listed, with the error of the
 * watcher when the watcher cannot be started, and with the signal's reason on abort.
 */
export function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  return Workspace.open(options);
}

/**
 * The files of a folder, kept up to date. {@link openWorkspace} returns one; the caller has to
 * dispose of it.
 */
export class Workspace implements AsyncDisposable {
  /** The absolute path of the folder. */
  readonly root: string;
  readonly #options: WorkspaceOptions;
  #survey!: Survey;
  #watcher: Watcher | undefined;
  /** The listing of each folder that is entered, without what is behind links. */
  readonly #folders = new Map<string, FolderListing>();
  /** What was found through links. */
  #linked: readonly (WorkspaceFile | SkippedPath)[] = [];
  #files: ReadonlyMap<string, WorkspaceFile> = new Map();
  #skipped: readonly SkippedPath[] = [];
  /** The skipped paths that stay skipped whatever their contents are. */
  #out: ReadonlySet<string> = new Set();
  readonly #listeners = new Set<(changes: readonly WorkspaceChange[]) => void>();
  readonly #rulesListeners = new Set<() => void>();
  readonly #errorListeners = new Set<(error: unknown) => void>();

  /** Folders to list again, and folders to walk again with everything below them. */
  readonly #dirty = new Set<string>();
  readonly #dirtyTrees = new Set<string>();
  #rulesAreOld = false;
  #timer: Disposable | undefined;
  #firstTouch: number | undefined;
  #update: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: WorkspaceOptions) {
    this.root = options.root;
    this.#options = options;
  }

  /**
   * See {@link openWorkspace}. Rejects with a `FileSystemError` when the root cannot be listed,
   * with the error of the watcher when it cannot be started, and with the signal's reason on abort.
   */
  static async open(options: WorkspaceOptions): Promise<Workspace> {
    const workspace = new Workspace(options);
    try {
      await workspace.#start();
      return workspace;
    } catch (error) {
      await workspace[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * The files by path, sorted by path; those that are reached through links come last. The map is
   * immutable; each update makes a new one.
   */
  get files(): ReadonlyMap<string, WorkspaceFile> {
    return this.#files;
  }

  /** The skipped paths and their reasons, sorted by path. */
  get skipped(): readonly SkippedPath[] {
    return this.#skipped;
  }

  /**
   * Calls `listener` with each batch of changes, sorted by path, after {@link files} is updated.
   * Disposing of the result, or of the workspace, ends the calls.
   */
  onChange(listener: (changes: readonly WorkspaceChange[]) => void): Disposable {
    return subscribe(this.#listeners, listener);
  }

  /**
   * Calls `listener` when ignore rules may have changed, before the file changes that follow from
   * that are reported. It is called also when no file changes: the rules may be about files that
   * are not on the disk. Disposing of the result ends the calls.
   */
  onRules(listener: () => void): Disposable {
    return subscribe(this.#rulesListeners, listener);
  }

  /**
   * Calls `listener` when the watcher or an update that it started has failed. {@link refresh}
   * finds what was missed. Disposing of the result ends the calls.
   */
  onError(listener: (error: unknown) => void): Disposable {
    return subscribe(this.#errorListeners, listener);
  }

  /**
   * Reads the whole disk again, reports the changes and then resolves. Rejects with a
   * `FileSystemError` when the root cannot be listed; does nothing after the workspace is disposed
   * of.
   */
  async refresh(): Promise<void> {
    if (this.#closing !== undefined) return;
    this.#rulesAreOld = true;
    await this.#runUpdates();
  }

  /**
   * Follows the disk from now on. Changes since the opening are reported before it resolves.
   * Rejects with the error of the watcher when it cannot be started, with the signal's reason on
   * abort, and as {@link refresh} does.
   */
  async watch(watch: Watch, { signal }: AbortOptions = {}): Promise<void> {
    if (this.#closing !== undefined) return;
    const watcher = await watch({
      paths: [this.root, ...this.#survey.rules.outerFiles],
      isExcluded: (path, kind) => this.#isOut(path, kind),
      onChange: (path) => this.#onTouch(path),
      onError: (error) => this.#fail(error),
    });
    this.#watcher = watcher;
    if (this.#closing !== undefined) return watcher[Symbol.asyncDispose]();
    signal?.throwIfAborted();
    // Changes between the walk and this point were not noticed.
    this.#rulesAreOld = true;
    await this.#runUpdates(signal);
  }

  /** Stops watching. Changes are no longer reported. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #start(): Promise<void> {
    const { signal, watch } = this.#options;
    this.#rulesAreOld = true;
    await this.#runUpdates(signal);
    if (watch !== undefined) await this.watch(watch, { signal });
  }

  async #close(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#listeners.clear();
    this.#rulesListeners.clear();
    this.#errorListeners.clear();
    await this.#watcher?.[Symbol.asyncDispose]();
    await this.#update?.catch(() => undefined);
  }

  #fail(error: unknown): void {
    for (const listener of this.#errorListeners) listener(error);
  }

  #isOut(absolute: string, kind: "file" | "folder" | undefined): boolean {
    const path = tryRelativePath(this.root, absolute);
    if (path === undefined || path === "") return false;
    if (this.#out.has(path) || this.#out.has("")) return true;
    // A folder that is new since the last update, such as `node_modules`, should not be watched
    // even briefly.
    if (kind !== "folder" || this.#folders.has(path)) return false;
    return this.#survey.skipFolder(path, new Set()) !== undefined;
  }

  #onTouch(absolute: string): void {
    if (this.#closing !== undefined) return;
    const path = tryRelativePath(this.root, absolute);
    if (path === undefined || this.#survey.rules.outerFiles.includes(absolute)) this.#rulesAreOld = true;
    else if ((ignoreFileNames as readonly string[]).includes(nameOf(path))) this.#dirtyTrees.add(folderOf(path));
    else this.#dirty.add(folderOf(path));
    this.#schedule();
  }

  #schedule(): void {
    const now = this.#options.clock.now();
    this.#firstTouch ??= now;
    this.#timer?.[Symbol.dispose]();
    const { quietMs = 100, maxWaitMs = 2000 } = this.#options;
    const delayMs = Math.max(0, Math.min(quietMs, this.#firstTouch + maxWaitMs - now));
    this.#timer = this.#options.clock.after(delayMs, () => {
      this.#timer = undefined;
      this.#runUpdates().catch((error: unknown) => this.#fail(error));
    });
  }

  /** Runs one update after those that are running; updates do not overlap. */
  async #runUpdates(signal?: AbortSignal): Promise<void> {
    while (this.#update !== undefined) await this.#update.catch(() => undefined);
    if (this.#closing !== undefined) return;
    this.#firstTouch = undefined;
    this.#update = this.#updateOnce(signal);
    try {
      await this.#update;
    } finally {
      this.#update = undefined;
    }
  }

  async #updateOnce(signal: AbortSignal | undefined): Promise<void> {
    const trees = new Set(this.#dirtyTrees);
    const folders = new Set(this.#dirty);
    const isFullUpdate = this.#rulesAreOld;
    this.#dirtyTrees.clear();
    this.#dirty.clear();
    this.#rulesAreOld = false;
    if (!isFullUpdate && trees.size + folders.size === 0) return;
    const known = new Set(this.#folders.keys());
    try {
      if (isFullUpdate) {
        this.#survey = await Survey.open(this.root, this.#options);
        this.#forget("");
        await this.#walk("", signal);
      } else {
        for (const folder of trees) await this.#walkAgain(this.#nearestKnown(folder), signal);
        for (const folder of folders) await this.#listAgain(this.#nearestKnown(folder), signal);
      }
      await this.#followLinks(signal);
    } catch (error) {
      // The next update then reads everything.
      this.#rulesAreOld = true;
      throw error;
    }
    if (this.#closing !== undefined) return;
    const fresh = Array.from(this.#folders.keys()).filter((folder) => !known.has(folder));
    // A new folder may contain ignore files.
    if (isFullUpdate || trees.size + fresh.length > 0) for (const listener of this.#rulesListeners) listener();
    this.#publish();
    this.#listLater(fresh);
  }

  /**
   * The watcher starts to watch a new folder at about the same time as the update lists it. A
   * second listing finds what was written in between.
   */
  #listLater(folders: readonly string[]): void {
    if (this.#watcher === undefined || folders.length === 0) return;
    for (const folder of folders) this.#dirty.add(folder);
    this.#schedule();
  }

  /**
   * The folder itself, or the nearest folder above it that is entered; a new folder is found from
   * there.
   */
  #nearestKnown(folder: string): string {
    let known = folder;
    while (known !== "" && !this.#folders.has(known)) known = folderOf(known);
    return known;
  }

  #forget(folder: string): void {
    for (const known of this.#folders.keys()) if (isWithin(known, folder)) this.#folders.delete(known);
    this.#survey.rules.forget(folder);
  }

  async #walkAgain(folder: string, signal: AbortSignal | undefined): Promise<void> {
    this.#forget(folder);
    await this.#walk(folder, signal);
  }

  async #walk(folder: string, signal: AbortSignal | undefined): Promise<void> {
    const onListing = (path: string, listing: FolderListing) => void this.#folders.set(path, listing);
    const walk: Walk = { survey: this.#survey, signal, listed: new Set(), links: [], onListing };
    for await (const _ of walkFolder(walk, folder)) if (this.#closing !== undefined) return;
  }

  /** Lists one folder again, walks its new folders and removes those that are gone. */
  async #listAgain(folder: string, signal: AbortSignal | undefined): Promise<void> {
    const before = this.#folders.get(folder);
    const after = await this.#survey.list(folder);
    signal?.throwIfAborted();
    const entered = (listing: FolderListing | undefined) =>
      listing?.kind === "listing" ? listing.entries.filter((entry) => entry.kind === "folder") : [];
    const kept = new Set(entered(after).map((entry) => entry.path));
    for (const { path } of entered(before)) if (!kept.has(path)) this.#forget(path);
    if (after.kind === "skipped") this.#forget(folder);
    this.#folders.set(folder, after);
    for (const path of kept) if (!this.#folders.has(path)) await this.#walk(path, signal);
  }

  async #followLinks(signal: AbortSignal | undefined): Promise<void> {
    const listed = new Set<string>();
    const links: string[] = [];
    for (const [folder, listing] of this.#folders) {
      listed.add(folder);
      if (listing.kind === "skipped") continue;
      for (const entry of listing.entries) {
        if (entry.kind === "file") listed.add(entry.path);
        else if (entry.kind === "link") links.push(entry.path);
      }
    }
    const linked: (WorkspaceFile | SkippedPath)[] = [];
    for await (const item of walkLinks({ survey: this.#survey, signal, listed, links })) linked.push(item);
    this.#linked = linked;
  }

  /** Publishes the new state and reports how it differs from the old one. */
  #publish(): void {
    const files: WorkspaceFile[] = [];
    const skipped: SkippedPath[] = [];
    const sort = (entry: WorkspaceFile | OpenEntry | SkippedPath) => {
      if (entry.kind === "file") files.push(entry);
      else if (entry.kind === "skipped") skipped.push(entry);
    };
    for (const listing of this.#folders.values()) {
      if (listing.kind === "skipped") skipped.push(listing);
      else listing.entries.forEach(sort);
    }
    files.sort((one, other) => comparePaths(one.path, other.path));
    this.#linked.forEach(sort);
    skipped.sort((one, other) => comparePaths(one.path, other.path));
    const before = this.#files;
    const after = new Map(files.map((file) => [file.path, file]));
    this.#files = after;
    this.#skipped = skipped;
    const out = new Set(skipped.filter(({ reason }) => lasting.has(reason.kind)).map(({ path }) => path));
    const back = [...this.#out].filter((path) => !out.has(path) && (after.has(path) || this.#folders.has(path)));
    this.#out = out;
    for (const path of back) this.#watcher?.add(joinPath(this.root, path));

    const changes: WorkspaceChange[] = [];
    for (const [path, file] of after) {
      const old = before.get(path);
      if (old === undefined) changes.push({ kind: "added", path, file });
      else if (old.size !== file.size || old.mtimeMs !== file.mtimeMs) changes.push({ kind: "changed", path, file });
    }
    for (const path of before.keys()) if (!after.has(path)) changes.push({ kind: "removed", path });
    if (changes.length === 0) return;
    changes.sort((one, other) => comparePaths(one.path, other.path));
    for (const listener of this.#listeners) listener(changes);
  }
}

/** Reasons that depend on names and rules, not on a file's contents. */
const lasting: ReadonlySet<SkipReason["kind"]> = new Set([
  "ignored",
  "secret",
  "binary",
  "generated",
  "vendored",
  "output",
  "version-control",
]);

function subscribe<Listener>(listeners: Set<Listener>, listener: Listener): Disposable {
  listeners.add(listener);
  return { [Symbol.dispose]: () => void listeners.delete(listener) };
}
