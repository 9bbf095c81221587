import { CodeIndex } from "../../context/index.ts";
import { errorMessage } from "../../text/index.ts";
import { type SourceAnswer, TextQueue } from "../../workspace/index.ts";
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
  readonly #queue: TextQueue;
  readonly #held: Disposable;
  readonly #following: Disposable;

  constructor(options: WorkspaceIndexingOptions) {
    const { root, texts, onProblem } = options;
    this.#options = options;
    this.#held = texts.hold();
    this.#queue = new TextQueue({
      texts,
      isWanted: (path) => options.isWanted(path),
      take: (answers, signal) => this.#take(answers, signal),
      onFailure: (error) => onProblem(`Searching ${root} will miss some files: ${errorMessage(error)}`),
    });
    this.#following = texts.subscribe((paths) => this.update(paths));
  }

  /** Queues files that are to be indexed. */
  update(paths: Iterable<string>): void {
    this.#queue.add(paths);
  }

  /** Resolves when all queued files are indexed. */
  async settled(): Promise<void> {
    await this.#queue.settled();
  }

  [Symbol.dispose](): void {
    this.#queue[Symbol.dispose]();
    this.#following[Symbol.dispose]();
    this.#held[Symbol.dispose]();
  }

  async #take(answers: readonly SourceAnswer[], signal: AbortSignal): Promise<void> {
    for (const answer of answers) {
      await this.#options.scheduler.waitForTurn(answer.kind === "source" ? answer.text.length : 0);
      signal.throwIfAborted();
      if (answer.kind === "source") this.index.set(answer.path, answer.language, answer.text);
      else this.index.delete(answer.path);
    }
  }
}
