import { CodeIndex } from "../../context/index.ts";
import { errorMessage } from "../../text/index.ts";
import { type FileSystem, readSources } from "../../workspace/index.ts";
import type { BackgroundScheduler } from "./background-scheduler.ts";

/** What is indexed, and by which schedule. */
export interface WorkspaceIndexingOptions {
  /** The absolute folder of the workspace, links resolved. */
  readonly root: string;
  readonly fileSystem: FileSystem;
  readonly scheduler: BackgroundScheduler;
  /** Whether a file may be searched; others are removed from the index. */
  isWanted(path: string): boolean;
  /** Called with a problem that does not stop the work, in one line. */
  onProblem(message: string): void;
}

/** Indexes the texts of a workspace for searching, in the background. Never rejects or throws. */
export class WorkspaceIndexing implements Disposable {
  readonly index = new CodeIndex();
  readonly #options: WorkspaceIndexingOptions;
  readonly #queue = new Set<string>();
  readonly #stopping = new AbortController();
  #work: Promise<void> | undefined;

  constructor(options: WorkspaceIndexingOptions) {
    this.#options = options;
  }

  /** Queues new, changed or deleted files. */
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
  }

  async #indexQueue(): Promise<void> {
    const { root, fileSystem, scheduler, isWanted, onProblem } = this.#options;
    const { signal } = this.#stopping;
    try {
      while (this.#queue.size > 0) {
        const paths = [...this.#queue];
        this.#queue.clear();
        for await (const answer of readSources(root, paths, { fileSystem, signal })) {
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
