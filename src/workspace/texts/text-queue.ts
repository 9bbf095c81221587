import type { SerialQueue } from "../../async/index.ts";
import type { SourceAnswer } from "../read-source.ts";
import type { TextStore } from "./text-store.ts";

/** The options of a {@link TextQueue}. */
export interface TextQueueOptions {
  readonly texts: TextStore;
  /** As for {@link TextStore.read}; default: `all`. */
  readonly of?: "all" | "disk";
  /** Other work during which nothing is read, such as saving what was taken; default: none. */
  readonly turns?: SerialQueue;
  /**
   * Whether a text is used: its file may still be on the disk, but ignored now. Other files are
   * passed on as missing. Called when the text is passed on.
   */
  isWanted(path: string): boolean;
  /**
   * Takes texts that were read, up to 24 together, and lets other tasks run. `signal` aborts when
   * the queue is disposed of.
   */
  take(answers: readonly SourceAnswer[], signal: AbortSignal): Promise<void>;
  /** Called when `take` has failed; texts that were queued before it are not read. */
  onFailure(error: unknown): void;
}

/**
 * Takes texts from a store in the background, in the order in which they were added. What is
 * derived from texts follows the store with this: it adds the files that there are, and later those
 * that changed. No method rejects or throws.
 */
export class TextQueue implements Disposable {
  readonly #options: TextQueueOptions;
  readonly #stopping = new AbortController();
  readonly #paths = new Set<string>();
  #work: Promise<void> | undefined;

  constructor(options: TextQueueOptions) {
    this.#options = options;
  }

  /** Adds files that are new, changed or removed. */
  add(paths: Iterable<string>): void {
    for (const path of paths) this.#paths.add(path);
    if (this.#paths.size === 0 || this.#stopping.signal.aborted) return;
    const read = () => this.#read();
    this.#work ??= (this.#options.turns?.run(read) ?? read()).finally(() => {
      this.#work = undefined;
      // What was added after the last text was taken.
      this.add([]);
    });
  }

  /** Resolves when all added files are read and taken. */
  async settled(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  /** Stops the reading: nothing is passed on any more. */
  [Symbol.dispose](): void {
    this.#stopping.abort(new Error("the workspace is closed"));
  }

  async #read(): Promise<void> {
    const { texts, of = "all", isWanted, onFailure } = this.#options;
    const { signal } = this.#stopping;
    try {
      while (this.#paths.size > 0) {
        const paths = [...this.#paths];
        this.#paths.clear();
        let answers: SourceAnswer[] = [];
        for await (const answer of texts.read(paths, { signal, of })) {
          const { path } = answer;
          answers.push(isWanted(path) ? answer : { kind: "skipped", path, reason: { kind: "missing" } });
          if (answers.length < atATime) continue;
          await this.#options.take(answers, signal);
          answers = [];
        }
        if (answers.length > 0) await this.#options.take(answers, signal);
      }
    } catch (error) {
      if (!signal.aborted) onFailure(error);
    }
  }
}

/**
 * How many texts are passed on at a time. Files passed together may be one change, such as a moved
 * file or all files that the user changes at once. A file takes about half a millisecond, so more
 * would delay a key.
 */
const atATime = 24;
