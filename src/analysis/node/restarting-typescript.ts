import type { AbortOptions } from "../../async/index.ts";
import { joinPath } from "../../workspace/index.ts";
import type { FileDiagnostic, OverlayTypeChecker } from "../diagnostics/type-checker.ts";
import type { FileReferences, ReferenceSource } from "../graph/reference.ts";
import { type EndedRequest, RestartingService } from "./restarting-service.ts";
import type { LeftOutFiles } from "./typescript-culprits.ts";
import { filesOfDisk, filesWithTexts } from "./typescript-files.ts";
import { TypeScriptSource, type TypeScriptSourceOptions } from "./typescript-source.ts";
import { type CheckerExcess, excessOf } from "./watch-checker.ts";

/**
 * A {@link TypeScriptSource} that is opened again when its process exceeds a limit of memory or
 * time, without the files that cause it; see {@link RestartingService}. Where no single file is the
 * cause, a restart does not help.
 */
export class RestartingTypeScript implements ReferenceSource, OverlayTypeChecker {
  readonly languages: readonly string[];
  readonly #options: TypeScriptSourceOptions;
  readonly #open: (options: TypeScriptSourceOptions) => Promise<TypeScriptSource>;
  readonly #restarting: RestartingService<TypeScriptSource, CheckerExcess["kind"]>;
  #revisionBefore = 0;

  private constructor(
    source: TypeScriptSource,
    options: TypeScriptSourceOptions,
    open: (options: TypeScriptSourceOptions) => Promise<TypeScriptSource>,
  ) {
    this.languages = source.languages;
    this.#options = options;
    this.#open = open;
    this.#restarting = new RestartingService(source, {
      maxRestarts,
      hasEnded: (_, error) => excessOf(error) !== undefined,
      reopen: (ended) => this.#reopen(ended),
      close: (source) => source[Symbol.asyncDispose](),
    });
  }

  /** Opens the first source. `open` opens it and those that replace it. Rejects as `open` does. */
  static async open(
    options: TypeScriptSourceOptions,
    open: (options: TypeScriptSourceOptions) => Promise<TypeScriptSource> = TypeScriptSource.open,
  ): Promise<RestartingTypeScript> {
    const restarting = new RestartingTypeScript(await open(options), options, open);
    await restarting.#noteLeftOut(restarting.#restarting.service);
    return restarting;
  }

  /** The scripts of the project, by path in the workspace. */
  get scripts(): Iterable<string> {
    return this.#restarting.service.scripts;
  }

  /** The configuration file whose strictness options apply; `undefined` when there is none. */
  get optionsFrom(): string | undefined {
    return this.#restarting.service.optionsFrom;
  }

  /**
   * Increases when an update changed how files are parsed or modules are resolved; see {@link
   * ReferenceSource.revision}.
   */
  get revision(): number {
    return this.#revisionBefore + this.#restarting.service.revision;
  }

  /**
   * The files that are currently left out, because the process exceeded a limit on them or would do
   * so; paths are relative to the root.
   */
  get leftOut(): LeftOutFiles {
    const unchecked = Array.from(this.#restarting.service.unchecked, (path) => [path, "stalled"] as const);
    return new Map([...unchecked, ...this.#restarting.excesses]);
  }

  /**
   * Sets the texts of files, by path in the workspace; `undefined` removes a file. A file on which
   * the process exceeds a limit is left out instead. Rejects as the source does where a restart
   * does not help, for other failures, and with the signal's reason on abort.
   */
  async update(texts: ReadonlyMap<string, string | undefined>, options: AbortOptions = {}): Promise<void> {
    this.#restarting.setTexts(texts);
    await this.#restarting.run([...texts.keys()], options, (source) =>
      source.update(new Map([...texts].filter(([path]) => !this.#restarting.leftOut.has(path))), options),
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
    return this.#restarting.run([path], options, (source) => source.typesAt(path, nameStarts, options));
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
    return this.#restarting.run(paths, options, (source) => source.referencesOf(paths, options));
  }

  /**
   * The type errors in these files; in all files where `paths` is `undefined`. Rejects as the
   * source does where a restart does not help, for other failures, and with the signal's reason on
   * abort.
   */
  errorsOf(paths: readonly string[] | undefined, options: AbortOptions = {}): Promise<readonly FileDiagnostic[]> {
    return this.#restarting.run(paths, options, (source) => source.errorsOf(paths, options));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#restarting.close();
  }

  async #reopen(ended: EndedRequest<TypeScriptSource>): Promise<TypeScriptSource> {
    const { root, paths, readText, files = filesOfDisk } = this.#options;
    const { texts, excesses: leftOut } = this.#restarting;
    const known = new Set(paths);
    for (const [path, text] of texts) {
      if (text === undefined) known.delete(path);
      else known.add(path);
    }
    const overlay = Array.from(texts, ([path, text]) => [joinPath(root, path), text ?? null] as const);
    const scripts = new Set(ended.service.scripts);
    // A text from an update is more likely to be the cause than one that was checked before.
    const suspects = [...new Set([...texts.keys(), ...(ended.paths ?? scripts)])].filter((path) => scripts.has(path));
    const next = await this.#open({
      ...this.#options,
      ...{ paths: [...known], leftOut, suspects },
      readText: async (path) => (texts.has(path) ? texts.get(path) : readText(path)),
      files: filesWithTexts(files, new Map(overlay)),
    });
    if (next.leftOut.size === leftOut.size) {
      await next[Symbol.asyncDispose]();
      throw ended.error;
    }
    this.#revisionBefore += ended.service.revision;
    await this.#noteLeftOut(next);
    return next;
  }

  async #noteLeftOut(source: TypeScriptSource): Promise<void> {
    const { texts, leftOut } = this.#restarting;
    for (const [path, excess] of source.leftOut) {
      if (leftOut.has(path)) continue;
      leftOut.set(path, { excess, text: texts.has(path) ? texts.get(path) : await this.#options.readText(path) });
    }
  }
}

/** The most restarts. Each leaves out at least one more file. */
const maxRestarts = 4;
