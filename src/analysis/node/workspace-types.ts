import type { Clock } from "../../async/index.ts";
import { isScript } from "../../names/index.ts";
import { EmendError, errorMessage } from "../../text/index.ts";
import { type FileSystem, joinPath } from "../../workspace/index.ts";
import { type CachedTypeChecker, type CheckerWork, TypeCheckCache } from "../impact/type-check-cache.ts";
import { type LeftOutFiles, printLeftOut } from "./typescript-culprits.ts";
import { filesOfDisk, filesWithTexts, readConfigText } from "./typescript-files.ts";
import { TypeScriptSource, type TypeScriptSourceOptions } from "./typescript-source.ts";
import { type CheckerExcess, defaultCheckerLimits, excessOf } from "./watch-checker.ts";

/** The present texts of a workspace, such as those of a text index. */
export interface PresentTexts {
  paths(): Iterable<string>;
  textOf(path: string): string | undefined;
}

/** Options of {@link WorkspaceTypes}. */
export interface WorkspaceTypesOptions {
  /** The absolute path of the workspace's folder, links resolved. */
  readonly root: string;
  /** The texts that the checker is opened with; {@link WorkspaceTypes.update} reports changes. */
  readonly files: PresentTexts;
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
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
 * An open checker; its owner disposes it. It may also name files that it leaves out because its
 * process exceeded a limit on them.
 */
export type OpenedTypeChecker = CachedTypeChecker & { readonly leftOut?: LeftOutFiles } & AsyncDisposable;

/**
 * The TypeScript checker of a workspace, one process for all that need types. Each request has its
 * own texts laid over the present ones, see {@link TypeCheckCache}.
 *
 * It is opened in the background when a request needs types and nothing was edited for a moment;
 * until then no types are known. It is closed after five minutes without a request. Where it ends
 * unexpectedly it is opened again, at most three times in all.
 */
export class WorkspaceTypes implements AsyncDisposable {
  readonly #options: WorkspaceTypesOptions;
  readonly #stopping = new AbortController();
  #starts = 0;
  #opening: Promise<void> | undefined;
  #checker: OpenedTypeChecker | undefined;
  #types: TypeCheckCache | undefined;
  /** Starts the checker that is wanted, without waiting for a pause. */
  #startNow: (() => void) | undefined;
  /** The timer until the checker is started or closed. */
  #timer: Disposable | undefined;
  /** The number of requests that the checker has not answered yet. */
  #requests = 0;
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

  constructor(options: WorkspaceTypesOptions) {
    this.#options = options;
  }

  /** The present checker's cache; `undefined` while it is not open. */
  get current(): TypeCheckCache | undefined {
    return this.#types;
  }

  /** Whether the checker is wanted and not open yet. */
  get isOpening(): boolean {
    return this.#opening !== undefined && this.#types === undefined;
  }

  /**
   * Opens the checker for a script, unless it is open or failed too often: when nothing was edited
   * for {@link pauseMs}, or now where `isUrgent`. Resolves to the types when the checker is open,
   * and to `undefined` when it cannot be opened or the file is no script. Never rejects.
   */
  async want(path: string, { isUrgent = false } = {}): Promise<TypeCheckCache | undefined> {
    if (!isScript(path)) return undefined;
    if (this.#opening === undefined && this.#starts < maxStarts) this.#start();
    if (isUrgent) this.#startNow?.();
    await this.#opening?.catch(() => undefined);
    return this.#types;
  }

  #start(): void {
    this.#starts += 1;
    const pause = new Promise<void>((resolve) => {
      this.#startNow = () => {
        this.#startNow = undefined;
        this.#timer?.[Symbol.dispose]();
        resolve();
      };
    });
    this.#awaitPause();
    this.#opening = pause
      .then(() => this.#open())
      .catch((error: unknown) => {
        if (this.#stopping.signal.aborted) return;
        if (!(error instanceof EmendError)) throw error;
        this.#closeFailed(error, { paths: [] });
      });
    this.#opening.catch((error: unknown) => this.#options.onProblem(`Types are not known: ${errorMessage(error)}`));
  }

  #awaitPause(): void {
    if (this.#startNow !== undefined) this.#setTimer(pauseMs, this.#startNow);
  }

  #setTimer(delayMs: number, task: () => void): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#options.clock.after(delayMs, task);
  }

  /** Updates a file's text; `undefined` where it was removed. */
  update(path: string, text: string | undefined): void {
    this.#awaitPause();
    if (this.#isLeftOut(path, text)) return;
    this.#leftOut.delete(path);
    this.#changedMeanwhile?.add(path);
    this.#types?.update(path, text);
  }

  /** Resolves when the checker is open or failed to open, where it is wanted; starts it now. */
  async settled(): Promise<void> {
    this.#startNow?.();
    await this.#opening?.catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#starts = maxStarts;
    this.#stopping.abort(new Error("the workspace is closed"));
    await this.settled();
    await this.#close();
  }

  /** Ends the checker; the next request that needs types opens it again. */
  async #close(): Promise<void> {
    const checker = this.#checker;
    this.#timer?.[Symbol.dispose]();
    this.#checker = undefined;
    this.#types = undefined;
    this.#changedMeanwhile = undefined;
    this.#opening = undefined;
    await checker?.[Symbol.asyncDispose]();
  }

  #closeWhenIdle(): void {
    if (this.#requests > 0) return;
    this.#setTimer(idleMs, () => {
      this.#starts -= 1;
      // A process that cannot be ended has ended.
      this.#close().catch(() => undefined);
    });
  }

  async #open(): Promise<void> {
    const { root, files, fileSystem, whenRead, open = TypeScriptSource.open, openPaths } = this.#options;
    const { maxTypesMemoryMb = () => defaultCheckerLimits.maxMemoryMb } = this.#options;
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
      ...{ root, paths: [...texts.keys()], requested: [...openPaths()], suspects, signal },
      leftOut: new Map(Array.from(this.#leftOut, ([path, { excess }]) => [path, excess])),
      readText: async (path) => texts.get(path) ?? (await readConfigText(joinPath(root, path), fileSystem)),
      files: filesWithTexts(filesOfDisk, overlaid),
      limits: { maxMemoryMb: maxTypesMemoryMb(), stallMs },
    });
    if (signal.aborted) {
      await checker[Symbol.asyncDispose]();
      return;
    }
    this.#checker = checker;
    this.#noteLeftOut(checker.leftOut ?? new Map(), texts);
    const types = new TypeCheckCache({
      ...{ checker, texts, takes: isChecked },
      watch: (work, about) => this.#watch(checker, work, about),
    });
    for (const path of missed) {
      const text = files.textOf(path);
      if (!this.#isLeftOut(path, text)) types.update(path, text);
    }
    this.#changedMeanwhile = undefined;
    this.#types = types;
    this.#closeWhenIdle();
  }

  /** Waits for work of the checker, and closes the checker where it fails. */
  async #watch<Answer>(checker: OpenedTypeChecker, work: Promise<Answer>, about: CheckerWork): Promise<Answer> {
    this.#requests += 1;
    if (this.#checker === checker) this.#timer?.[Symbol.dispose]();
    try {
      return await work;
    } catch (error) {
      if (error instanceof EmendError && this.#checker === checker) this.#closeFailed(error, about);
      throw error;
    } finally {
      this.#requests -= 1;
      if (this.#checker === checker) this.#closeWhenIdle();
    }
  }

  /** Closes the checker, until types are needed again, without the file of the failed work. */
  #closeFailed(error: EmendError, about: CheckerWork): void {
    const excess = excessOf(error);
    const left = excess === undefined ? [] : this.#leaveOut(about, excess);
    const without = left.length === 0 ? "" : ` Left out until the text changes: ${left.join(", ")}.`;
    this.#options.onProblem(`Next edits are not checked by types: ${error.message}${without}`);
    this.#close().catch(() => undefined);
  }

  /**
   * Leaves out the file of work that exceeded a limit, while its text is unchanged. Of several
   * files, and of those that an opened file imports, the next start finds the cause.
   */
  #leaveOut({ paths, isInclusion = false }: CheckerWork, excess: LeftOutText["excess"]): readonly string[] {
    const scripts = paths.filter((path) => isScript(path) && this.#options.files.textOf(path) !== undefined);
    const [path] = scripts;
    if (path === undefined) return [];
    if (scripts.length > 1 || isInclusion) {
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
}

/** The most starts, without those that ended on files that are left out since. */
const maxStarts = 3;

/** How long nothing must be edited before the checker is started, in milliseconds. */
const pauseMs = 400;

/** How long the checker is kept without a request, in milliseconds. */
const idleMs = 300_000;

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

function* textsOf(files: PresentTexts): Generator<readonly [string, string]> {
  for (const path of files.paths()) if (isChecked(path)) yield [path, files.textOf(path)!];
}
