/** What a {@link Watch} observes, and its callbacks. Paths are absolute, with `/` between names. */
export interface WatchRequest {
  /** Folders, watched with everything below them, and single files. */
  readonly paths: readonly string[];
  /**
   * Whether a path and everything below it need not be watched. `kind` is `undefined` where it is
   * unknown.
   */
  readonly isExcluded: (path: string, kind: "file" | "folder" | undefined) => boolean;
  /**
   * Called when the entry at `path` was created, changed or removed. Too many calls are harmless,
   * and their order and number mean nothing: the receiver has to look at the disk.
   */
  readonly onChange: (path: string) => void;
  /** Called when the watcher has failed and changes may have been missed. */
  readonly onError: (error: unknown) => void;
}

/** A running watcher. It may be disposed of twice. */
export interface Watcher extends AsyncDisposable {
  /** Watches `path` as well, after `isOut` excluded it. */
  add(path: string): void;
}

/** Starts watching. Resolves when every later change will be noticed. */
export type Watch = (request: WatchRequest) => Promise<Watcher>;
