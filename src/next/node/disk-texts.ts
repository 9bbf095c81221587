import type { Clock } from "../../async/index.ts";
import { errorMessage } from "../../text/index.ts";
import {
  type FileSystem,
  FileSystemError,
  folderOf,
  joinPath,
  type TextStore,
  type WorkspaceFile,
} from "../../workspace/index.ts";

/** A file's present text on disk; `undefined` where there is none or it may not be read. */
export interface DiskText {
  readonly path: string;
  readonly text: string | undefined;
}

/** Options of {@link DiskTexts}. */
interface DiskTextsOptions {
  /** The absolute path of the workspace's folder, for messages. */
  readonly root: string;
  readonly texts: TextStore;
  /** Whether changes are reported to `texts` here; otherwise its owner reports them before. */
  readonly ownsTexts: boolean;
  readonly clock: Clock;
  /**
   * The most UTF-16 units of all texts together. Files beyond it are left out, which is reported
   * once.
   */
  readonly maxCharacters: number;
  /** Lets other tasks of the thread run. */
  yieldThread(): Promise<void>;
  /**
   * Receives files that were read, a few at a time. The byte order mark is removed, as editors do,
   * so that offsets agree.
   */
  onTexts(texts: readonly DiskText[]): void;
  /** Receives a problem that does not stop the reading, in one line. */
  onProblem(message: string): void;
}

/**
 * Takes the texts of a workspace from their store in the background, and those that change again.
 * No method rejects or throws.
 */
export class DiskTexts implements Disposable {
  readonly #options: DiskTextsOptions;
  readonly #stopping = new AbortController();
  /** The state of each file when it was last queued for reading. */
  #seen: ReadonlyMap<string, WorkspaceFile> = new Map();
  readonly #lengths = new Map<string, number>();
  readonly #queue = new Set<string>();
  #characters = 0;
  #isFull = false;
  #work: Promise<void> | undefined;
  readonly #held: Disposable;
  #sliceStartMs = Number.NEGATIVE_INFINITY;

  constructor(options: DiskTextsOptions) {
    this.#options = options;
    this.#held = options.texts.hold();
  }

  /** The number of files with a text. */
  get size(): number {
    return this.#lengths.size;
  }

  /**
   * Takes the present files: reads new and changed ones, and drops removed ones. Returns the paths
   * of all of these.
   */
  follow(files: ReadonlyMap<string, WorkspaceFile>): readonly string[] {
    const before = this.#seen;
    const others: string[] = [];
    for (const [path, { size, mtimeMs }] of files) {
      const old = before.get(path);
      if (old?.size !== size || old.mtimeMs !== mtimeMs) others.push(path);
    }
    for (const path of before.keys()) if (!files.has(path)) others.push(path);
    this.#seen = files;
    if (this.#options.ownsTexts) this.#options.texts.changed(others);
    this.#enqueue(others);
    return others;
  }

  /** Reads a file again, even if its state is unchanged. */
  readAgain(path: string): void {
    this.#options.texts.forget(path);
    this.#enqueue([path]);
  }

  /** Resolves when no file is waiting to be read. */
  async settled(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  [Symbol.dispose](): void {
    this.#stopping.abort(new Error("the workspace is closed"));
    this.#held[Symbol.dispose]();
  }

  #enqueue(paths: readonly string[]): void {
    for (const path of paths) this.#queue.add(path);
    if (this.#queue.size === 0 || this.#stopping.signal.aborted) return;
    this.#work ??= this.#readQueue().finally(() => {
      this.#work = undefined;
    });
  }

  async #readQueue(): Promise<void> {
    const { root, texts: store, onProblem } = this.#options;
    const { signal } = this.#stopping;
    try {
      while (this.#queue.size > 0) {
        const paths = [...this.#queue].slice(0, atATime);
        for (const path of paths) this.#queue.delete(path);
        const texts: DiskText[] = [];
        const wanted = paths.filter((path) => this.#seen.has(path));
        for await (const answer of store.read(wanted, { signal, of: "disk" })) {
          const text = answer.kind === "source" ? answer.text.replace(/^\uFEFF/, "") : undefined;
          texts.push({ path: answer.path, text: this.#count(answer.path, text) });
        }
        for (const path of paths) if (!this.#seen.has(path)) texts.push({ path, text: this.#count(path, undefined) });
        await this.#passOn(texts);
      }
    } catch (error) {
      if (signal.aborted) return;
      onProblem(`Next edits will miss some files of ${root}: ${errorMessage(error)}`);
    }
  }

  async #passOn(texts: readonly DiskText[]): Promise<void> {
    const { clock, yieldThread, onTexts } = this.#options;
    if (clock.now() - this.#sliceStartMs >= sliceMs) {
      await yieldThread();
      this.#sliceStartMs = clock.now();
    }
    if (!this.#stopping.signal.aborted) onTexts(texts);
  }

  #count(path: string, text: string | undefined): string | undefined {
    const { maxCharacters, root, onProblem } = this.#options;
    this.#characters -= this.#lengths.get(path) ?? 0;
    this.#lengths.delete(path);
    if (text === undefined) return undefined;
    if (this.#characters + text.length > maxCharacters) {
      if (!this.#isFull) onProblem(`${root} has more source than next edits look at: ${maxCharacters} characters.`);
      this.#isFull = true;
      return undefined;
    }
    this.#characters += text.length;
    this.#lengths.set(path, text.length);
    return text;
  }
}

/**
 * How many files are passed on at a time. Files passed together may be one change, such as a moved
 * file or all files that the user changes at once. A file takes about half a millisecond, so more
 * would delay a key.
 */
const atATime = 24;

/** After how many milliseconds of work other tasks may run. */
const sliceMs = 4;

/**
 * Returns the content of git's `HEAD` for the work tree that contains an absolute folder: the
 * branch, or a commit where there is none. It changes with a checkout, and not with a commit.
 * `undefined` outside of a git work tree. A file that cannot be read counts as missing and causes
 * no rejection.
 */
export async function gitHeadText(folder: string, fileSystem: FileSystem): Promise<string | undefined> {
  for (let at = folder; at !== ""; at = folderOf(at)) {
    const git = joinPath(at, ".git");
    // In a linked work tree `.git` is a file that names the folder.
    const link = await tryRead(git, fileSystem);
    const named = /^gitdir: (.*)$/m.exec(link ?? "")?.[1]?.trim();
    const place =
      named === undefined ? git : named.startsWith("/") || /^[A-Za-z]:/.test(named) ? named : joinPath(at, named);
    const head = await tryRead(joinPath(place, "HEAD"), fileSystem);
    if (head !== undefined) return head;
  }
  return undefined;
}

async function tryRead(path: string, fileSystem: FileSystem): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await fileSystem.readFile(path));
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}
