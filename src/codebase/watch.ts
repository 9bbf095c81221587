/** What a watcher is asked to look at. Paths are absolute, with `/` between names. */
export interface WatchRequest {
  /** Folders, watched with all below them, and single files. */
  readonly paths: readonly string[];
  /** Whether a path need not be watched, nor anything below it. Its kind is not always known when this is asked. */
  readonly isOut: (path: string, kind: "file" | "folder" | undefined) => boolean;
  /**
   * Something happened to what is at `path`: it came, changed or went. Too many calls do no harm, and their order and
   * number say nothing: whoever listens looks at the disk.
   */
  readonly onTouch: (path: string) => void;
  /** The watcher has failed, and some touches may be lost. */
  readonly onError: (error: unknown) => void;
}

/** A running watcher. Disposing of it twice is harmless. */
export interface Watcher extends AsyncDisposable {
  /** Watches `path` as well, which was out before. */
  add(path: string): void;
}

/** Starts watching; resolves when every touch from now on will be noticed. */
export type Watch = (request: WatchRequest) => Promise<Watcher>;
