import { type FileSystem, readSources } from "../../codebase/index.ts";
import { CodeIndex } from "../../context/index.ts";
import type { Pace } from "./pace.ts";

/** What is indexed, and how quickly. */
export interface WorkspaceIndexingOptions {
  /** The absolute folder of the workspace, links resolved. */
  readonly root: string;
  readonly fileSystem: FileSystem;
  readonly pace: Pace;
  /** Whether a file may be searched; any other is dropped when it comes up. */
  isWanted(path: string): boolean;
  /** Something failed that can be lived with, in one line. */
  onProblem(message: string): void;
}

/** Keeps the texts of a workspace ready to be searched, in the background. Nothing here rejects or throws. */
export class WorkspaceIndexing implements Disposable {
  readonly index = new CodeIndex();
  readonly #options: WorkspaceIndexingOptions;
  readonly #queue = new Set<string>();
  readonly #stopping = new AbortController();
  #work: Promise<void> | undefined;

  constructor(options: WorkspaceIndexingOptions) {
    this.#options = options;
  }

  /** Takes up what became of these files: they are new, changed or gone. */
  update(paths: Iterable<string>): void {
    for (const path of paths) this.#queue.add(path);
    this.#work ??= this.#indexQueue().finally(() => {
      this.#work = undefined;
    });
  }

  /** Resolves when all that is known of is indexed. */
  async settled(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  [Symbol.dispose](): void {
    this.#stopping.abort(new Error("the workspace is closed"));
  }

  async #indexQueue(): Promise<void> {
    const { root, fileSystem, pace, isWanted, onProblem } = this.#options;
    const { signal } = this.#stopping;
    try {
      while (this.#queue.size > 0) {
        const paths = [...this.#queue];
        this.#queue.clear();
        for await (const answer of readSources(root, paths, { fileSystem, signal })) {
          await pace.turn(answer.kind === "source" ? answer.text.length : 0);
          const isKept = answer.kind === "source" && isWanted(answer.path);
          if (isKept) this.index.set(answer.path, answer.language, answer.text);
          else this.index.delete(answer.path);
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      onProblem(`Searching ${root} will miss some files: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
