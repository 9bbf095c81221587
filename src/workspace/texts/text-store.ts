import type { FileSystem } from "../file-system.ts";
import { readAhead, readSource, type SourceAnswer } from "../read-source.ts";

/** The options of a {@link TextStore}. */
export interface TextStoreOptions {
  /** The absolute folder of the workspace, links resolved. */
  readonly root: string;
  readonly fileSystem: FileSystem;
  /**
   * The most UTF-16 units of the texts that are held; default: 100 million. Further files are read
   * again each time.
   */
  readonly maxHeldCharacters?: number;
}

/** The text of a document that is not on the disk as such, and the id of its language. */
export interface UnsavedDocument {
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

/**
 * The texts of a workspace: those of the disk, and over them those of documents that are not on it,
 * such as documents that were never saved. All that follows the texts reads them here, so that a
 * text is read once and is in memory once.
 *
 * Texts of the disk are held only while a follower needs them in memory, see {@link hold}. A text
 * that is not held is read again at the next {@link read}. Which files there are is known to the
 * `Workspace`; its owner reports changes with {@link changed}.
 *
 * Law: {@link read} yields texts that were present at some time after the last change that was
 * reported before it.
 */
export class TextStore {
  readonly #options: TextStoreOptions;
  readonly #held = new Map<string, Extract<SourceAnswer, { readonly kind: "source" }>>();
  /** The files that are being read, so that a second reader takes the same answer. */
  readonly #reading = new Map<string, Promise<SourceAnswer>>();
  #documents: ReadonlyMap<string, UnsavedDocument> = new Map();
  readonly #followers = new Set<(paths: readonly string[]) => void>();
  #holders = 0;
  #characters = 0;

  constructor(options: TextStoreOptions) {
    this.#options = options;
  }

  /** The UTF-16 units of all held texts of the disk. */
  get heldCharacters(): number {
    return this.#characters;
  }

  /** The documents that are not on the disk, by path. */
  get unsaved(): ReadonlyMap<string, UnsavedDocument> {
    return this.#documents;
  }

  /**
   * Holds all texts that are read from now on in memory, until all results of this method are
   * disposed of.
   */
  hold(): Disposable {
    this.#holders += 1;
    let isOver = false;
    return {
      [Symbol.dispose]: () => {
        if (isOver) return;
        isOver = true;
        this.#holders -= 1;
        if (this.#holders > 0) return;
        this.#held.clear();
        this.#characters = 0;
      },
    };
  }

  /**
   * Yields the texts at `paths` in their order: of an unsaved document, unless only those of the
   * `disk` are wanted, else of the disk, see `readSources`. A file that cannot be read is an answer
   * of the kind `skipped`. Rejects with the signal's reason on abort.
   */
  async *read(
    paths: Iterable<string>,
    { signal, of = "all" }: { readonly signal?: AbortSignal | undefined; readonly of?: "all" | "disk" } = {},
  ): AsyncGenerator<SourceAnswer, void, undefined> {
    const readOne = async (path: string) => {
      signal?.throwIfAborted();
      const answer = (of === "all" ? this.#unsavedAt(path) : undefined) ?? (await this.#textOnDisk(path));
      signal?.throwIfAborted();
      return answer;
    };
    yield* readAhead(paths, readOne);
  }

  /**
   * Reports that files of the disk came, changed or went: followers are called with their paths.
   */
  changed(paths: readonly string[]): void {
    for (const path of paths) this.forget(path);
    this.#notify(paths);
  }

  /**
   * Reads a file from the disk at the next {@link read}, where its change may not be noticed yet.
   */
  forget(path: string): void {
    this.#characters -= this.#held.get(path)?.text.length ?? 0;
    this.#held.delete(path);
    this.#reading.delete(path);
  }

  /**
   * Sets the documents that are not on the disk. Of several with one path the first is taken; where
   * there is a file at the path, it is read again after the document is gone.
   */
  setUnsaved(documents: readonly UnsavedDocument[]): void {
    const before = this.#documents;
    const after = new Map(documents.toReversed().map((document) => [document.path, document]));
    this.#documents = after;
    const paths = [...new Set([...before.keys(), ...after.keys()])];
    const isSame = (path: string) =>
      before.get(path)?.text === after.get(path)?.text && before.get(path)?.language === after.get(path)?.language;
    const changed = paths.filter((path) => !isSame(path));
    if (changed.length > 0) this.#notify(changed);
  }

  /**
   * Calls `follower` with the paths of each change, after the change. Disposing of the result ends
   * the calls.
   */
  subscribe(follower: (paths: readonly string[]) => void): Disposable {
    this.#followers.add(follower);
    return { [Symbol.dispose]: () => void this.#followers.delete(follower) };
  }

  #notify(paths: readonly string[]): void {
    for (const follower of this.#followers) follower(paths);
  }

  #unsavedAt(path: string): SourceAnswer | undefined {
    const document = this.#documents.get(path);
    if (document === undefined) return undefined;
    const { language, text } = document;
    return { kind: "source", path, language, text, size: text.length, mtimeMs: -1 };
  }

  async #textOnDisk(path: string): Promise<SourceAnswer> {
    const held = this.#held.get(path);
    if (held !== undefined) return held;
    const { root, fileSystem } = this.#options;
    const reading = this.#reading.get(path) ?? readSource(root, path, { fileSystem });
    this.#reading.set(path, reading);
    try {
      const answer = await reading;
      // A later report of a change starts another reading.
      if (this.#reading.get(path) === reading) this.#hold(answer);
      return answer;
    } finally {
      if (this.#reading.get(path) === reading) this.#reading.delete(path);
    }
  }

  #hold(answer: SourceAnswer): void {
    const { maxHeldCharacters = 100_000_000 } = this.#options;
    if (this.#holders === 0 || answer.kind === "skipped" || this.#held.has(answer.path)) return;
    if (this.#characters + answer.text.length > maxHeldCharacters) return;
    this.#held.set(answer.path, answer);
    this.#characters += answer.text.length;
  }
}
