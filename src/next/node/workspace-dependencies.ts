import type { ReadableGraph } from "../../analysis/index.ts";
import { WorkspaceAnalysis } from "../../analysis/node/index.ts";
import type { Clock } from "../../async/index.ts";
import { languageOf, type Syntax } from "../../syntax/index.ts";
import { EmendError, errorMessage } from "../../text/index.ts";
import type { ChangedText, FileSystem } from "../../workspace/index.ts";
import type { TextIndex } from "../engine/text-index.ts";
import { maxTypedCharacters } from "../providers/types/past-change.ts";

/** Options of {@link WorkspaceDependencies}. */
export interface WorkspaceDependenciesOptions {
  readonly root: string | undefined;
  readonly files: TextIndex;
  readonly fileSystem: FileSystem;
  /** Its owner disposes it. */
  readonly syntax: Syntax;
  readonly clock: Clock;
  /** Resolves when the files are read. */
  readonly whenRead: Promise<void>;
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
  #analysis: WorkspaceAnalysis | undefined;
  #work: Promise<void> | undefined;
  #timer: Disposable | undefined;

  constructor(options: WorkspaceDependenciesOptions) {
    this.#options = options;
  }

  /** The graph; `undefined` until it is built, and where it cannot be. */
  get graph(): ReadableGraph | undefined {
    return this.#analysis?.graph;
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
    await this.#analysis?.[Symbol.asyncDispose]();
  }

  #setWork(work: Promise<void>): void {
    // A rejection reaches the callers of `settled`; without any, it would end the process.
    work.catch(() => undefined);
    this.#work = work;
  }

  async #build(): Promise<void> {
    const { root = "", files, fileSystem, syntax, whenRead, onProblem } = this.#options;
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
    this.#analysis = await WorkspaceAnalysis.open({
      ...{ root, about: paths, texts: files, fileSystem, syntax, signal, maxCharacters: maxTypedCharacters },
      files: new Map(paths.map((path) => [path, { language: files.languageOf(path) }])),
      ...{ openTypes: null, openPython: null },
    });
  }

  async #update(): Promise<void> {
    const analysis = this.#analysis;
    if (analysis === undefined || this.#changed.size === 0) return;
    const changes = new Map<string, ChangedText>();
    for (const path of this.#changed)
      changes.set(path, { before: analysis.textOf(path), after: this.#options.files.textOf(path) });
    this.#changed.clear();
    await analysis.update(changes, { signal: this.#stopping.signal });
  }

  /** Reports a failure and drops the graph; next edits work without it. */
  async #reportFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#analysis = undefined;
      const detail = errorMessage(error);
      this.#options.onProblem(`Next edits do not follow what depends on what: ${detail}`);
      if (!(error instanceof EmendError)) throw error;
    }
  }
}

/** Whether names of the file's language are resolved without a type checker. */
function isSupported(path: string): boolean {
  return languageOf(path).binder !== undefined;
}

/** How long nothing must be edited before the graph is updated, in milliseconds. */
const quietMs = 1_500;

/** The most files of a dependency graph. */
const maxFiles = 2_500;
