import type { ServerResponse } from "node:http";
import type { Clock } from "../../async/index.ts";
import { errorMessage } from "../../text/index.ts";
import { folderOf, joinPath, nameOf, tryRelativePath, type Watch, type Watcher } from "../../workspace/index.ts";
import type { PageChanges } from "../protocol/page-files.ts";
import { type PageRefusal, sendRefusal } from "./answer.ts";
import { tryVersionControl } from "./resolve-served-path.ts";

/** What is watched, and how. */
export interface DiskChangesOptions {
  /** The absolute folder that the page shows, links resolved, with `/` between names. */
  readonly root: string;
  readonly watch: Watch;
  readonly clock: Clock;
  /** Called with errors that no answer to the page reports. */
  readonly onProblem: (message: string) => void;
}

/** Changes are collected for so many milliseconds and reported together. */
const gatherMs = 50;

/**
 * Watches those folders of the workspace that a page has shown: those it has listed, or has a file
 * of open. Changes elsewhere, such as in a hundred thousand files of packages, cost nothing.
 */
export class DiskChanges implements AsyncDisposable {
  readonly #options: DiskChangesOptions;
  /** The watched folders, links resolved, with the paths by which they were requested. */
  readonly #folders = new Map<string, Set<string>>([["", new Set([""])]]);
  readonly #listeners = new Set<(paths: readonly string[]) => void>();
  readonly #touched = new Set<string>();
  #reportTimer: Disposable | undefined;
  #watcher: Promise<Watcher> | undefined;

  constructor(options: DiskChangesOptions) {
    this.#options = options;
  }

  /**
   * Watches the folder `path`, which is `real` with its links resolved. Both are relative to the
   * root.
   */
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

  /** The number of listeners. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /**
   * Calls `listener` with paths that may have changed, or been created or deleted, until disposed
   * of. Resolves when watching has begun, so that no later change is missed; rejects where it
   * cannot begin.
   */
  async listen(listener: (paths: readonly string[]) => void): Promise<Disposable> {
    this.#listeners.add(listener);
    this.#watcher ??= this.#watch();
    await this.#watcher;
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
    this.#reportTimer?.[Symbol.dispose]();
    const watcher = await this.#watcher?.catch(() => undefined);
    await watcher?.[Symbol.asyncDispose]();
  }

  #watch(): Promise<Watcher> {
    const { root, watch, onProblem } = this.#options;
    return watch({
      paths: [root, ...[...this.#folders.keys()].filter(Boolean).map((folder) => joinPath(root, folder))],
      isExcluded: (path, kind) => {
        const inside = tryRelativePath(root, path);
        if (inside === undefined || tryVersionControl(inside) !== undefined) return true;
        if (this.#folders.has(inside)) return false;
        return kind === "folder" || !this.#folders.has(folderOf(inside));
      },
      onChange: (path) => this.#touch(path),
      onError: (error) => onProblem(`Changes on the disk may be missed: ${errorMessage(error)}`),
    });
  }

  #touch(path: string): void {
    const inside = tryRelativePath(this.#options.root, path);
    if (inside === undefined || tryVersionControl(inside) !== undefined || staged.test(inside)) return;
    // The root itself has no path within it.
    const above = inside === "" ? undefined : this.#folders.get(folderOf(inside));
    for (const folder of above ?? []) this.#touched.add(joinPath(folder, nameOf(inside)));
    for (const folder of this.#folders.get(inside) ?? []) this.#touched.add(folder);
    if (this.#touched.size === 0) return;
    this.#reportTimer ??= this.#options.clock.after(gatherMs, () => this.#report());
  }

  #report(): void {
    const paths = [...this.#touched].sort();
    this.#touched.clear();
    this.#reportTimer = undefined;
    for (const listener of this.#listeners) listener(paths);
  }
}

/** The temporary files that Emend writes beside a file. */
const staged = /(^|\/)\.emend-[0-9a-f]+-\d+\.tmp$/;

/**
 * The milliseconds between two comment lines that keep a connection open and find the closed ones.
 */
const keepAliveMs = 15_000;

/** The milliseconds after which a page reconnects. */
const retryMs = 1_000;

/**
 * The most pages that listen at once. A browser opens six connections to one server, and listeners
 * occupy theirs: a seventh page could not even read a file. A page without a listener works all the
 * same, and notices changes when it saves.
 */
const maxListeners = 5;

const full: PageRefusal = {
  status: 503,
  code: "too-many-pages",
  message: "Too many pages watch the disk. Close one to let this page watch it.",
};

/**
 * Sends server-sent events, one for each change on the disk, until the page disconnects. A page
 * that does not read them is disconnected, and reconnects. Where five pages listen already, it is
 * refused. Rejects where watching cannot begin.
 *
 * Source: HTML Living Standard, server-sent events.
 */
export async function sendChanges(response: ServerResponse, changes: DiskChanges, clock: Clock): Promise<void> {
  if (changes.listeners >= maxListeners) return sendRefusal(response, full);
  let listening: Disposable | undefined;
  let timer: Disposable | undefined;
  const close = () => {
    listening?.[Symbol.dispose]();
    timer?.[Symbol.dispose]();
  };
  response.once("close", close);
  const send = (text: string) => {
    if (response.destroyed) return;
    response.write(text);
    if (response.writableLength > maxWaitingBytes) response.destroy();
  };
  const keepAlive = () => {
    send(": still here\n\n");
    timer = clock.after(keepAliveMs, keepAlive);
  };
  listening = await changes.listen((paths) => send(`data: ${JSON.stringify({ paths } satisfies PageChanges)}\n\n`));
  if (response.destroyed) return close();
  // From the headers on, no change is missed.
  response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store" });
  send(`retry: ${retryMs}\n\n`);
  timer = clock.after(keepAliveMs, keepAlive);
}

/** The most bytes that wait for a page that does not read. */
const maxWaitingBytes = 1_000_000;
