import {
  type BlockReader,
  type FileReferences,
  NameReferences,
  type ReadableGraph,
  type ReferenceSource,
  WorkspaceGraph,
} from "../../analysis/index.ts";
import type { Clock } from "../../async/index.ts";
import { languageSupport } from "../../languages/index.ts";
import { languageOf, type Syntax } from "../../syntax/index.ts";
import { EmendError, errorMessage } from "../../text/index.ts";
import type { TextIndex } from "../engine/text-index.ts";

/** Options of {@link WorkspaceDependencies}. */
export interface WorkspaceDependenciesOptions {
  readonly files: TextIndex;
  readonly reader: BlockReader;
  /** Its owner disposes it. */
  readonly syntax: Syntax;
  readonly clock: Clock;
  /** Resolves when the files are read. */
  readonly whenRead: Promise<void>;
  /** Lets other tasks of the thread run. */
  yieldThread(): Promise<void>;
  onProblem(message: string): void;
}

/**
 * The dependency graph of a workspace's blocks, by names, for languages without a type checker. It
 * is built in the background after the first edit of such a file, and updated when nothing was
 * edited for 1.5 seconds.
 */
export class WorkspaceDependencies implements AsyncDisposable {
  readonly #options: WorkspaceDependenciesOptions;
  readonly #stopping = new AbortController();
  /** The files that changed since the graph was updated. */
  readonly #changed = new Set<string>();
  #graph: WorkspaceGraph | undefined;
  #isBuilt = false;
  #work: Promise<void> | undefined;
  #timer: Disposable | undefined;

  constructor(options: WorkspaceDependenciesOptions) {
    this.#options = options;
  }

  /** The graph; `undefined` until it is built, and where it cannot be. */
  get graph(): ReadableGraph | undefined {
    return this.#isBuilt ? this.#graph?.graph : undefined;
  }

  /**
   * Starts building the graph when a file is edited, unless it was started or the language is not
   * supported. Does not wait for it; `onProblem` is called where the graph cannot be built.
   */
  want(path: string): void {
    if (this.#work === undefined && isSupported(path)) this.#setWork(this.#reportFailure(() => this.#build()));
  }

  /** Reports that a file changed or was removed. */
  update(path: string): void {
    if (this.#work === undefined || !isSupported(path)) return;
    this.#changed.add(path);
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#options.clock.after(quietMs, () => {
      if (this.#work !== undefined) this.#setWork(this.#work.then(() => this.#reportFailure(() => this.#update())));
    });
  }

  /**
   * Resolves when no work on the graph is pending. Rejects with an error of that work other than
   * `EmendError`, which is a fault of the code.
   */
  async settled(): Promise<void> {
    for (let work: Promise<void> | undefined; work !== this.#work; ) {
      work = this.#work;
      await work;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#stopping.abort(new Error("the workspace is closed"));
    await this.#work;
  }

  #setWork(work: Promise<void>): void {
    // A rejection reaches the callers of `settled`; without any, it would end the process.
    work.catch(() => undefined);
    this.#work = work;
  }

  async #build(): Promise<void> {
    const { files, reader, syntax, whenRead, onProblem, yieldThread } = this.#options;
    const { signal } = this.#stopping;
    await whenRead;
    signal.throwIfAborted();
    const paths = [...files.paths()].filter(isSupported);
    if (paths.length > maxFiles) {
      onProblem(
        `Next edits do not follow what depends on what: there are ${paths.length} files, more than ${maxFiles}.`,
      );
      return;
    }
    // Changes from here on are applied after the build.
    this.#changed.clear();
    const texts = new Map(paths.map((path) => [path, files.textOf(path)]));
    const readText = async (path: string) => {
      await yieldThread();
      return texts.get(path);
    };
    const names = new NameReferences({ syntax, paths, readText });
    const graph = new WorkspaceGraph({ reader, sources: [this.#inParts(names)], yieldThread });
    await graph.build(paths, readText, { signal });
    this.#graph = graph;
    this.#isBuilt = true;
  }

  async #update(): Promise<void> {
    if (!this.#isBuilt || this.#changed.size === 0) return;
    const changes = new Map([...this.#changed].map((path) => [path, this.#options.files.textOf(path)]));
    this.#changed.clear();
    await this.#graph?.update(changes, { signal: this.#stopping.signal });
  }

  /** The reference source, called for a few files at a time, so that other tasks run in between. */
  #inParts(source: NameReferences): ReferenceSource {
    const { yieldThread } = this.#options;
    return {
      languages: source.languages,
      update: (texts, options) => source.update(texts, options),
      async referencesOf(paths, options) {
        const answers: FileReferences[] = [];
        for (let at = 0; at < paths.length; at += filesAtOnce) {
          await yieldThread();
          answers.push(...(await source.referencesOf(paths.slice(at, at + filesAtOnce), options)));
        }
        return answers;
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
  }

  /** Reports a failure and drops the graph; next edits work without it. */
  async #reportFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#isBuilt = false;
      this.#graph = undefined;
      const detail = errorMessage(error);
      this.#options.onProblem(`Next edits do not follow what depends on what: ${detail}`);
      if (!(error instanceof EmendError)) throw error;
    }
  }
}

/** Whether names of the file's language are resolved without a type checker. */
function isSupported(path: string): boolean {
  return languageSupport(languageOf(path).id)?.nameResolution !== undefined;
}

/** How long nothing must be edited before the graph is updated, in milliseconds. */
const quietMs = 1_500;

/** The most files of a dependency graph. */
const maxFiles = 2_500;

/** How many files are read before other tasks may run. */
const filesAtOnce = 8;
