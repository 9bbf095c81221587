import { CodeIndex } from "../../context/index.ts";
import { errorMessage } from "../../text/index.ts";
import type { WorkspaceLearningOptions } from "./workspace-learning.ts";

/** What is indexed, and by which schedule. */
export interface WorkspaceIndexingOptions
  extends Pick<WorkspaceLearningOptions, "root" | "texts" | "scheduler" | "onProblem"> {
  /** Whether a file may be searched; others are removed from the index. */
  isWanted(path: string): boolean;
}

/**
 * Indexes the texts of a workspace for searching, in the background, and follows their changes.
 * They are held in memory, since findings are parts of them. Never rejects or throws.
 */
export class WorkspaceIndexing implements Disposable {
  readonly index = new CodeIndex();
  readonly #options: WorkspaceIndexingOptions;
  readonly #queue = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #held: Disposable;
  readonly #following: Disposable;
  #work: Promise<void> | undefined;

  constructor(options: WorkspaceIndexingOptions) {
    this.#options = options;
    this.#held = options.texts.hold();
    this.#following = options.texts.subscribe((paths) => this.update(paths));
  }

  /** Queues files that are to be indexed. */
  update(paths: Iterable<string>): void {
    for (const path of paths) this.#queue.add(path);
    this.#work ??= this.#indexQueue().finally(() => {
      this.#work = undefined;
    });
  }

  /** Resolves when all queued files are indexed. */
  async settled(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  [Symbol.dispose](): void {
    this.#stopping.abort(new Error("the workspace is closed"));
    this.#following[Symbol.dispose]();
    this.#held[Symbol.dispose]();
  }

  async #indexQueue(): Promise<void> {
    const { root, texts, scheduler, isWanted, onProblem } = this.#options;
    const { signal } = this.#stopping;
    try {
      while (this.#queue.size > 0) {
        const paths = [...this.#queue];
        this.#queue.clear();
        for await (const answer of texts.read(paths, { signal })) {
          await scheduler.waitForTurn(answer.kind === "source" ? answer.text.length : 0);
          const isKept = answer.kind === "source" && isWanted(answer.path);
          if (isKept) this.index.set(answer.path, answer.language, answer.text);
          else this.index.delete(answer.path);
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      onProblem(`Searching ${root} will miss some files: ${errorMessage(error)}`);
    }
  }
}
