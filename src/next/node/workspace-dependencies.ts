import {
  type BlockReader,
  type Clock,
  type FileReferences,
  NameReferences,
  type ReadableGraph,
  type ReferenceSource,
  WorkspaceGraph,
} from "../../codebase/index.ts";
import { languageOf, type Syntax } from "../../syntax/index.ts";
import { EmendError } from "../../text/index.ts";
import type { TextIndex } from "../text-index.ts";

/** What the dependencies of a workspace's blocks are found with. */
export interface WorkspaceDependenciesOptions {
  readonly files: TextIndex;
  readonly reader: BlockReader;
  /** It stays its owner's. */
  readonly syntax: Syntax;
  readonly clock: Clock;
  /** Resolves when the files are read. */
  readonly whenRead: Promise<void>;
  /** Lets whoever waits for the thread have its turn. */
  yieldThread(): Promise<void>;
  onProblem(message: string): void;
}

/**
 * How the blocks of a workspace depend on each other, by names: of the languages of which no type checker is at hand. It is found in the background once somebody edits
 * such a file, and is a little behind what is typed: it follows when nothing was edited for a while.
 */
export class WorkspaceDependencies implements AsyncDisposable {
  readonly #options: WorkspaceDependenciesOptions;
  readonly #stopping = new AbortController();
  /** What was told since the graph was brought up to date. */
  readonly #changed = new Set<string>();
  #graph: WorkspaceGraph | undefined;
  #isBuilt = false;
  #work: Promise<void> | undefined;
  #timer: Disposable | undefined;

  constructor(options: WorkspaceDependenciesOptions) {
    this.#options = options;
  }

  /** The graph; `undefined` until it is built, and where it is not going to be. */
  get graph(): ReadableGraph | undefined {
    return this.#isBuilt ? this.#graph?.graph : undefined;
  }

  /** Somebody edits this file: builds the graph, unless that was done, or nothing would be known of the file. */
  want(path: string): void {
    if (known.has(languageOf(path).id)) this.#work ??= this.#fence(() => this.#build());
  }

  /** A file has another text, or is gone. */
  tell(path: string): void {
    if (this.#work === undefined || !known.has(languageOf(path).id)) return;
    this.#changed.add(path);
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#options.clock.after(quietMs, () => {
      this.#work = this.#work?.then(() => this.#fence(() => this.#update()));
    });
  }

  /** Resolves when the graph is as far as it is going to be now. */
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

  async #build(): Promise<void> {
    const { files, reader, syntax, whenRead, onProblem, yieldThread } = this.#options;
    const { signal } = this.#stopping;
    await whenRead;
    signal.throwIfAborted();
    const paths = [...files.paths()].filter((path) => known.has(languageOf(path).id));
    if (paths.length > maxFiles) {
      onProblem(
        `Next edits do not follow what depends on what: there are ${paths.length} files, more than ${maxFiles}.`,
      );
      return;
    }
    // What is told from here on is taken up when this is done.
    this.#changed.clear();
    const texts = new Map(paths.map((path) => [path, files.textOf(path)]));
    const readText = async (path: string) => {
      await yieldThread();
      return texts.get(path);
    };
    const names = new NameReferences({ syntax, paths, readText });
    const graph = new WorkspaceGraph({ reader, sources: [this.#inParts(names)] });
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

  /** A source that is asked about a few files at a time, so that others have their turn in between. */
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

  /** Whatever fails, next edits go on without the graph. */
  async #fence(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#isBuilt = false;
      this.#graph = undefined;
      const detail = error instanceof Error ? error.message : String(error);
      this.#options.onProblem(`Next edits do not follow what depends on what: ${detail}`);
      if (!(error instanceof EmendError)) throw error;
    }
  }
}

/** The languages whose names are understood without a type checker. */
const known: ReadonlySet<string> = new Set(["python", "csharp", "java", "go", "rust", "c", "cpp", "ruby", "php"]);

/** How long nothing is edited before the graph follows, in milliseconds. */
const quietMs = 1_500;

/** The most files of which dependencies are kept. */
const maxFiles = 2_500;

/** How many files are asked about before others have their turn. */
const filesAtOnce = 8;
