import { type AbortOptions, SerialQueue } from "../../async/index.ts";
import { joinPath } from "../../workspace/index.ts";
import type { Diagnostic, OverlayTypeChecker } from "../diagnostics/type-checker.ts";
import type { FileReferences, ReferenceSource } from "../graph/reference.ts";
import { excessOf, type LeftOutFiles } from "./typescript-culprits.ts";
import { filesOfDisk, filesWithTexts } from "./typescript-files.ts";
import { TypeScriptSource, type TypeScriptSourceOptions } from "./typescript-source.ts";

/**
 * A {@link TypeScriptSource} that is opened again when its process exceeds a limit of memory or
 * time, without the files that cause it. The failed request is then repeated.
 *
 * When no single file is the cause, and after {@link maxRestarts} restarts, requests reject as
 * those of the source do. A file that is left out is read again once an update sets another text
 * for it.
 */
export class RestartingTypeScript implements ReferenceSource, OverlayTypeChecker {
  readonly languages: readonly string[];
  readonly #options: TypeScriptSourceOptions;
  readonly #open: (options: TypeScriptSourceOptions) => Promise<TypeScriptSource>;
  #source: TypeScriptSource;
  /** The texts of all updates; a new process is opened with them. */
  readonly #updatedTexts = new Map<string, string | undefined>();
  /**
   * The left-out files with the texts that exceeded the limit; `undefined` where the text is
   * unknown.
   */
  readonly #leftOut = new Map<string, LeftOutFile>();
  #revisionBefore = 0;
  #restarts = 0;
  #restartQueue = new SerialQueue();
  #isClosed = false;
  #isGivenUp = false;

  private constructor(
    source: TypeScriptSource,
    options: TypeScriptSourceOptions,
    open: (options: TypeScriptSourceOptions) => Promise<TypeScriptSource>,
  ) {
    this.languages = source.languages;
    this.#source = source;
    this.#options = options;
    this.#open = open;
  }

  /** Opens the first source. `open` opens it and those that replace it. Rejects as `open` does. */
  static async open(
    options: TypeScriptSourceOptions,
    open: (options: TypeScriptSourceOptions) => Promise<TypeScriptSource> = TypeScriptSource.open,
  ): Promise<RestartingTypeScript> {
    const restarting = new RestartingTypeScript(await open(options), options, open);
    await restarting.#noteLeftOut();
    return restarting;
  }

  /** The scripts of the project, by path in the workspace. */
  get scripts(): Iterable<string> {
    return this.#source.scripts;
  }

  /** The configuration file whose strictness options apply; `undefined` when there is none. */
  get optionsFrom(): string | undefined {
    return this.#source.optionsFrom;
  }

  /**
   * Increases when an update changed how files are parsed or modules are resolved; see {@link
   * ReferenceSource.revision}.
   */
  get revision(): number {
    return this.#revisionBefore + this.#source.revision;
  }

  /**
   * The files that are currently left out, because the process exceeded a limit on them or would do
   * so; paths are relative to the root.
   */
  get leftOut(): LeftOutFiles {
    return new Map([...Array.from(this.#source.unchecked, (path) => [path, "stalled"] as const), ...this.#exceeding]);
  }

  get #exceeding(): LeftOutFiles {
    return new Map(Array.from(this.#leftOut, ([path, { excess }]) => [path, excess]));
  }

  /**
   * Sets the texts of files, by path in the workspace; `undefined` removes a file. A file on which
   * the process exceeds a limit is left out instead. Rejects as the source does where a restart
   * does not help, for other failures, and with the signal's reason on abort.
   */
  async update(texts: ReadonlyMap<string, string | undefined>, options: AbortOptions = {}): Promise<void> {
    for (const [path, text] of texts) {
      this.#updatedTexts.set(path, text);
      const left = this.#leftOut.get(path);
      if (left !== undefined && left.text !== text) this.#leftOut.delete(path);
    }
    await this.#try([...texts.keys()], options, (source) =>
      source.update(new Map([...texts].filter(([path]) => !this.#leftOut.has(path))), options),
    );
  }

  /**
   * The printed types of the declarations at `nameStarts`, offsets in UTF-16 code units, in the
   * same order; `undefined` where there is no type. Rejects as the source does where a restart does
   * not help, for other failures, and with the signal's reason on abort.
   */
  typesAt(
    path: string,
    nameStarts: readonly number[],
    options: AbortOptions = {},
  ): Promise<readonly (string | undefined)[]> {
    return this.#try([path], options, (source) => source.typesAt(path, nameStarts, options));
  }

  /**
   * The references of these files, in the order given; none for an unknown file. Rejects as the
   * source does where a restart does not help, for other failures, and with the signal's reason on
   * abort.
   */
  referencesOf(
    paths: readonly string[],
    options: NonNullable<Parameters<ReferenceSource["referencesOf"]>[1]> = {},
  ): Promise<readonly FileReferences[]> {
    return this.#try(paths, options, (source) => source.referencesOf(paths, options));
  }

  /**
   * The type errors in these files; in all files where `paths` is `undefined`. Rejects as the
   * source does where a restart does not help, for other failures, and with the signal's reason on
   * abort.
   */
  errorsOf(paths: readonly string[] | undefined, options: AbortOptions = {}): Promise<readonly Diagnostic[]> {
    return this.#try(paths, options, (source) => source.errorsOf(paths, options));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#source[Symbol.asyncDispose]();
  }

  async #try<T>(
    requestedPaths: readonly string[] | undefined,
    { signal }: AbortOptions,
    request: (source: TypeScriptSource) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const source = this.#source;
      try {
        return await request(source);
      } catch (error) {
        if (excessOf(error) === undefined || this.#isClosed || this.#isGivenUp) throw error;
        signal?.throwIfAborted();
        await this.#restart(source, requestedPaths, error);
      }
    }
  }

  /** Replaces `source` by a new one, once for all requests that failed with it. */
  #restart(source: TypeScriptSource, requestedPaths: readonly string[] | undefined, error: unknown): Promise<void> {
    return this.#restartQueue.run(async () => {
      if (this.#isGivenUp) throw error;
      if (this.#source !== source) return;
      try {
        await this.#replace(source, requestedPaths, error);
      } catch (cause) {
        this.#isGivenUp = true;
        throw cause;
      }
    });
  }

  async #replace(
    source: TypeScriptSource,
    requestedPaths: readonly string[] | undefined,
    error: unknown,
  ): Promise<void> {
    this.#restarts += 1;
    if (this.#restarts > maxRestarts) throw error;
    const { root, paths, readText, files = filesOfDisk } = this.#options;
    await source[Symbol.asyncDispose]();
    const known = new Set(paths);
    for (const [path, text] of this.#updatedTexts) {
      if (text === undefined) known.delete(path);
      else known.add(path);
    }
    const texts = Array.from(this.#updatedTexts, ([path, text]) => [joinPath(root, path), text ?? null] as const);
    const scripts = new Set(source.scripts);
    // A text from an update is more likely to be the cause than one that was checked before.
    const suspects = [...new Set([...this.#updatedTexts.keys(), ...(requestedPaths ?? scripts)])].filter((path) =>
      scripts.has(path),
    );
    const next = await this.#open({
      ...this.#options,
      ...{ paths: [...known], leftOut: this.#exceeding, suspects },
      readText: async (path) => (this.#updatedTexts.has(path) ? this.#updatedTexts.get(path) : readText(path)),
      files: filesWithTexts(files, new Map(texts)),
    });
    if (this.#isClosed || next.leftOut.size === this.#leftOut.size) {
      await next[Symbol.asyncDispose]();
      throw error;
    }
    this.#revisionBefore += source.revision;
    this.#source = next;
    await this.#noteLeftOut();
  }

  async #noteLeftOut(): Promise<void> {
    for (const [path, excess] of this.#source.leftOut) {
      if (this.#leftOut.has(path)) continue;
      const text = this.#updatedTexts.has(path) ? this.#updatedTexts.get(path) : await this.#options.readText(path);
      this.#leftOut.set(path, { excess, text });
    }
  }
}

interface LeftOutFile {
  readonly excess: LeftOutFiles extends ReadonlyMap<string, infer Excess> ? Excess : never;
  readonly text: string | undefined;
}

/** The most restarts. Each leaves out at least one more file. */
const maxRestarts = 4;
