import type { CheckerSnapshot, OverlayTypeChecker, ReferenceSource } from "../../analysis/index.ts";
import {
  type CheckerExcess,
  excessOf,
  filesOfDisk,
  filesWithTexts,
  type LeftOutFiles,
  maxCheckedBytes,
  printLeftOut,
  TypeScriptSource,
  type TypeScriptSourceOptions,
} from "../../analysis/node/index.ts";
import { isScript } from "../../names/index.ts";
import { EmendError } from "../../text/index.ts";
import { type FileSystem, FileSystemError, joinPath } from "../../workspace/index.ts";
import { defaultNextEditSettings } from "../engine/settings.ts";
import type { TextIndex } from "../engine/text-index.ts";
import { ReferencesBefore } from "../providers/types/references.ts";
import { TypeCheckCache } from "../providers/types/type-check-cache.ts";

/** Options of {@link ScriptTypes}. */
export interface ScriptTypesOptions {
  /** The absolute path of the workspace's folder, links resolved. */
  readonly root: string;
  readonly files: TextIndex;
  readonly fileSystem: FileSystem;
  /** Resolves when the files are read, as far as they can be. */
  readonly whenRead: Promise<void>;
  /** The paths of the documents open in an editor, whose texts may differ from the disk's. */
  openPaths(): Iterable<string>;
  /**
   * The most megabytes of memory of the checker's process, by the present settings; default 2,048.
   */
  maxTypesMemoryMb?(): number;
  /** Opens the checker; default TypeScript's service, which ships with Emend. */
  readonly open?: ((options: TypeScriptSourceOptions) => Promise<OpenedTypeChecker>) | undefined;
  onProblem(message: string): void;
}

/**
 * An open checker; its owner disposes it. It may also resolve references, and name files that it
 * leaves out because its process exceeded a limit on them.
 */
export type OpenedTypeChecker = OverlayTypeChecker &
  Partial<Pick<ReferenceSource, "referencesOf">> & { readonly leftOut?: LeftOutFiles } & AsyncDisposable;

/**
 * The TypeScript checker of a workspace. It is opened in the background when a script is viewed for
 * the first time; until then no types are known. Where it ends unexpectedly it is opened again, at
 * most three times in all.
 */
export class ScriptTypes implements AsyncDisposable {
  readonly #options: ScriptTypesOptions;
  readonly #stopping = new AbortController();
  #starts = 0;
  #opening: Promise<void> | undefined;
  #checker: OpenedTypeChecker | undefined;
  #types: TypeCheckCache | undefined;
  #references: ReferencesBefore | undefined;
  /** The files that changed while it was being opened. */
  #changedMeanwhile: Set<string> | undefined;
  /**
   * Files on which the checker exceeded a limit, with their texts then: they are left out until the
   * text changes.
   */
  readonly #leftOut = new Map<string, LeftOutText>();
  /**
   * The files of a request on which the checker exceeded a limit, where there are several: the next
   * start finds the cause.
   */
  #suspects: readonly string[] | undefined;

  constructor(options: ScriptTypesOptions) {
    this.#options = options;
  }

  /** The present checker's cache; `undefined` while it is not open. */
  get current(): TypeCheckCache | undefined {
    return this.#types;
  }

  /**
   * The references of names, in the states of {@link current}; `undefined` while that is not open,
   * and where the checker does not resolve references.
   */
  get references(): ReferencesBefore | undefined {
    return this.#references;
  }

  /**
   * Opens the checker when a script is viewed, unless it is open or failed too often. Other files
   * are ignored.
   */
  want(path: string): void {
    if (!isScript(path) || this.#opening !== undefined || this.#starts >= maxStarts) return;
    this.#starts += 1;
    this.#opening = this.#open().catch((error: unknown) => {
      if (this.#stopping.signal.aborted) return;
      if (!(error instanceof EmendError)) throw error;
      this.#closeFailed(error, []);
    });
    this.#opening.catch((error: unknown) => this.#options.onProblem(`Types are not known: ${String(error)}`));
  }

  /** Updates a file's text; `undefined` where it was removed. */
  update(path: string, text: string | undefined): void {
    if (this.#isLeftOut(path, text)) return;
    this.#leftOut.delete(path);
    this.#changedMeanwhile?.add(path);
    this.#types?.update(path, text);
  }

  /** Resolves when the checker is open or failed to open. */
  async settled(): Promise<void> {
    await this.#opening?.catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#starts = maxStarts;
    this.#stopping.abort(new Error("the workspace is closed"));
    await this.settled();
    this.#types = undefined;
    this.#references = undefined;
    await this.#checker?.[Symbol.asyncDispose]();
    this.#checker = undefined;
  }

  async #open(): Promise<void> {
    const { root, files, whenRead, open = TypeScriptSource.open, openPaths } = this.#options;
    const { maxTypesMemoryMb = () => defaultNextEditSettings.maxTypesMemoryMb } = this.#options;
    const { signal } = this.#stopping;
    await whenRead.catch(() => undefined);
    signal.throwIfAborted();
    const missed = new Set<string>();
    this.#changedMeanwhile = missed;
    const texts = new Map(textsOf(files));
    const overlaid = new Map<string, string | null>();
    for (const path of this.#leftOut.keys()) {
      if (!this.#isLeftOut(path, texts.get(path))) this.#leftOut.delete(path);
      // The checker must not read it from the disk either.
      else if (texts.delete(path)) overlaid.set(joinPath(root, path), null);
    }
    for (const path of openPaths()) if (isChecked(path)) overlaid.set(joinPath(root, path), texts.get(path) ?? null);
    const suspects = this.#suspects;
    this.#suspects = undefined;
    const checker = await open({
      ...{ root, paths: [...texts.keys()], suspects, signal },
      leftOut: new Map(Array.from(this.#leftOut, ([path, { excess }]) => [path, excess])),
      readText: async (path) => texts.get(path) ?? (await this.#readConfig(path)),
      files: filesWithTexts(filesOfDisk, overlaid),
      limits: { maxMemoryMb: maxTypesMemoryMb(), stallMs },
    });
    if (signal.aborted) {
      await checker[Symbol.asyncDispose]();
      return;
    }
    this.#checker = checker;
    this.#noteLeftOut(checker.leftOut ?? new Map(), texts);
    const types = new TypeCheckCache({ checker: this.#watched(checker), texts, takes: isChecked });
    for (const path of missed) {
      const text = files.textOf(path);
      if (!this.#isLeftOut(path, text)) types.update(path, text);
    }
    this.#changedMeanwhile = undefined;
    this.#types = types;
    const findReferences = checker.referencesOf?.bind(checker);
    this.#references =
      findReferences &&
      new ReferencesBefore(types, {
        referencesOf: (paths, options) => this.#watch(checker, findReferences(paths, options), paths),
      });
  }

  /** The checker, with its failures also passed to {@link ScriptTypes}. */
  #watched(checker: OpenedTypeChecker): OverlayTypeChecker {
    const hold = checker.snapshot?.bind(checker);
    return {
      update: (texts, options) => this.#watch(checker, checker.update(texts, options), [...texts.keys()]),
      errorsOf: (paths, options) => this.#watch(checker, checker.errorsOf(paths, options), paths),
      ...(hold && { snapshot: async () => this.#watchedSnapshot(checker, await this.#watch(checker, hold())) }),
    };
  }

  #watchedSnapshot(checker: OpenedTypeChecker, snapshot: CheckerSnapshot): CheckerSnapshot {
    return {
      errorsOf: (paths, options) => this.#watch(checker, snapshot.errorsOf(paths, options), paths),
      referencesOf: (paths, options) => this.#watch(checker, snapshot.referencesOf(paths, options), paths),
      [Symbol.dispose]: () => snapshot[Symbol.dispose](),
    };
  }

  /**
   * Waits for a result, and closes the checker where it fails. `about` are the files of the
   * request.
   */
  async #watch<Answer>(
    checker: OpenedTypeChecker,
    answer: Promise<Answer>,
    about: readonly string[] = [],
  ): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof EmendError && this.#checker === checker) this.#closeFailed(error, about);
      throw error;
    }
  }

  /**
   * Closes the checker, until a script is viewed again. The files of the failed request are left
   * out then.
   */
  #closeFailed(error: EmendError, about: readonly string[]): void {
    const excess = excessOf(error);
    const left = excess === undefined ? [] : this.#leaveOut(about, excess);
    const checker = this.#checker;
    this.#checker = undefined;
    this.#types = undefined;
    this.#references = undefined;
    this.#changedMeanwhile = undefined;
    this.#opening = undefined;
    const without = left.length === 0 ? "" : ` Left out until the text changes: ${left.join(", ")}.`;
    this.#options.onProblem(`Next edits are not checked by types: ${error.message}${without}`);
    Promise.resolve(checker?.[Symbol.asyncDispose]()).catch(() => undefined);
  }

  /**
   * Leaves out the file of a request, while its text is unchanged. Of several files the next start
   * finds the cause.
   */
  #leaveOut(paths: readonly string[], excess: LeftOutText["excess"]): readonly string[] {
    const scripts = paths.filter((path) => isScript(path) && this.#options.files.textOf(path) !== undefined);
    const [path] = scripts;
    if (path === undefined) return [];
    if (scripts.length > 1) {
      this.#suspects = scripts;
      return [];
    }
    this.#leftOut.set(path, { text: this.#options.files.textOf(path)!, excess });
    this.#forgiveStart();
    return [path];
  }

  /**
   * Records the files that a checker left out when it was opened. Those outside the workspace's
   * texts are found again by the next start.
   */
  #noteLeftOut(leftOut: LeftOutFiles, texts: Map<string, string>): void {
    const found = new Map([...leftOut].filter(([path]) => !this.#leftOut.has(path)));
    if (found.size === 0) return;
    for (const [path, excess] of found) {
      const text = texts.get(path);
      if (text !== undefined) this.#leftOut.set(path, { text, excess });
      texts.delete(path);
    }
    this.#forgiveStart();
    const message = `Next edits are checked by types without some files: ${printLeftOut(found)}.`;
    this.#options.onProblem(`${message} Left out until the text changes.`);
  }

  #isLeftOut(path: string, text: string | undefined): boolean {
    return text !== undefined && this.#leftOut.get(path)?.text === text;
  }

  /** Does not count a start after which files are left out: the next start avoids the cause. */
  #forgiveStart(): void {
    if (this.#leftOut.size <= maxLeftOut) this.#starts -= 1;
  }

  /** Reads a configuration file of a package, which is no file of the workspace. */
  async #readConfig(path: string): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(
        await this.#options.fileSystem.readFile(joinPath(this.#options.root, path), { maxBytes: maxCheckedBytes }),
      );
    } catch (error) {
      if (error instanceof FileSystemError) return undefined;
      throw error;
    }
  }
}

/** The most starts, without those that ended on files that are left out since. */
const maxStarts = 3;

/** How long the checker may take without progress during a request, in milliseconds. */
const stallMs = 10_000;

/** The most left-out files before starts are counted again. */
const maxLeftOut = 8;

/** The text of a file on which the checker exceeded a limit. */
interface LeftOutText {
  readonly text: string;
  readonly excess: CheckerExcess["kind"];
}

/** Whether the checker uses a file: scripts, their configuration, and imported JSON. */
function isChecked(path: string): boolean {
  return isScript(path) || path.endsWith(".json");
}

function* textsOf(files: TextIndex): Generator<readonly [string, string]> {
  for (const path of files.paths()) if (isChecked(path)) yield [path, files.textOf(path)!];
}
