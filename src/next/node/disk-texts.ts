import { type Clock, type FileSystem, readSources, type WorkspaceFile } from "../../codebase/index.ts";

/** A file as the disk has it now; no text where there is none, or it may not be read. */
export interface DiskText {
  readonly path: string;
  readonly text: string | undefined;
}

/** What is read, and who is told. */
export interface DiskTextsOptions {
  /** The absolute folder of the workspace, links resolved. */
  readonly root: string;
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  /** The most UTF-16 units of all texts together. What comes after is left out, and told. */
  readonly maxCharacters: number;
  /** Lets whoever waits for the thread have its turn. */
  yieldThread(): Promise<void>;
  /** Takes files that were read, a few at a time. A byte order mark is left out, as editors do, so that offsets are the same. */
  onTexts(texts: readonly DiskText[]): void;
  /** Something failed that can be lived with, in one line. */
  onProblem(message: string): void;
}

/** Reads the files of a workspace in the background, and again those that changed. Nothing here rejects or throws. */
export class DiskTexts implements Disposable {
  readonly #options: DiskTextsOptions;
  readonly #stopping = new AbortController();
  /** What each file was like when it was to be read last. */
  #seen: ReadonlyMap<string, WorkspaceFile> = new Map();
  readonly #lengths = new Map<string, number>();
  readonly #queue = new Set<string>();
  #characters = 0;
  #isFull = false;
  #work: Promise<void> | undefined;
  #sliceStartMs = Number.NEGATIVE_INFINITY;

  constructor(options: DiskTextsOptions) {
    this.#options = options;
  }

  /** How many files have a text. */
  get size(): number {
    return this.#lengths.size;
  }

  /** Takes up which files there are: reads those that are new or another than they were, and drops those that are gone. Answers which those are. */
  follow(files: ReadonlyMap<string, WorkspaceFile>): readonly string[] {
    const before = this.#seen;
    const others: string[] = [];
    for (const [path, { size, mtimeMs }] of files) {
      const old = before.get(path);
      if (old?.size !== size || old.mtimeMs !== mtimeMs) others.push(path);
    }
    for (const path of before.keys()) if (!files.has(path)) others.push(path);
    this.#seen = files;
    this.#enqueue(others);
    return others;
  }

  /** Reads a file again, whatever is known of it. */
  look(path: string): void {
    this.#enqueue([path]);
  }

  /** Resolves when all is read that there is to read now. */
  async settled(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  [Symbol.dispose](): void {
    this.#stopping.abort(new Error("the workspace is closed"));
  }

  #enqueue(paths: readonly string[]): void {
    for (const path of paths) this.#queue.add(path);
    if (this.#queue.size === 0 || this.#stopping.signal.aborted) return;
    this.#work ??= this.#readQueue().finally(() => {
      this.#work = undefined;
    });
  }

  async #readQueue(): Promise<void> {
    const { root, fileSystem, onProblem } = this.#options;
    const { signal } = this.#stopping;
    try {
      while (this.#queue.size > 0) {
        const paths = [...this.#queue].slice(0, atATime);
        for (const path of paths) this.#queue.delete(path);
        const texts: DiskText[] = [];
        const wanted = paths.filter((path) => this.#seen.has(path));
        for await (const answer of readSources(root, wanted, { fileSystem, signal })) {
          const text = answer.kind === "source" ? answer.text.replace(/^\uFEFF/, "") : undefined;
          texts.push({ path: answer.path, text: this.#count(answer.path, text) });
        }
        for (const path of paths) if (!this.#seen.has(path)) texts.push({ path, text: this.#count(path, undefined) });
        await this.#hand(texts);
      }
    } catch (error) {
      if (signal.aborted) return;
      onProblem(
        `Next edits will miss some files of ${root}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  async #hand(texts: readonly DiskText[]): Promise<void> {
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
 * How many files are told at a time: what is told together may be one change, such as a file that was moved, and so may all that a person changes at once. More
 * would hold the thread for longer than a key may wait: a file takes about half a millisecond.
 */
const atATime = 24;

/** Others have their turn after so much work. */
const sliceMs = 4;
