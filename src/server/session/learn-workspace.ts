import { setImmediate } from "node:timers/promises";
import { BuiltinModel, fromSnapshot, toSnapshot } from "../../model/index.ts";
import {
  type CacheAnswer,
  contentHash,
  type IndexCache,
  type SaveAnswer,
  type SeenFile,
  type StoredIndex,
} from "../../model/node/index.ts";
import { hasScripts } from "../../syntax/index.ts";
import { EmendError } from "../../text/index.ts";
import {
  type FileSystem,
  FileSystemError,
  folderOf,
  joinPath,
  type SkippedPath,
  type SkipReason,
  type SourceAnswer,
  stampOf,
  TextStore,
  type WalkRecord,
  WalkRecorder,
  type Workspace,
  type WorkspaceFile,
  walkInBatches,
} from "../../workspace/index.ts";
import { findDependencyTypes, type ImportedModule, importedModules } from "./dependency-types.ts";

/** What is learnt, and where the index is cached. */
export interface LearnOptions {
  /** The absolute folder of the workspace, links resolved. */
  readonly root: string;
  readonly fileSystem: FileSystem;
  /** The texts of the workspace; without them, the files are read for this only. */
  readonly texts?: TextStore | undefined;
  /** The files and skipped paths of an earlier walk; without them the workspace is walked. */
  readonly workspace?: Pick<Workspace, "files" | "skipped"> | undefined;
  /** Without a cache nothing is kept. */
  readonly cache?: IndexCache | undefined;
  /** The file that is completed in: files near it and its imports are learnt first. */
  readonly open?: { readonly path: string; readonly language: string; readonly text: string } | undefined;
  /**
   * The time after which listing the files stops, and then learning them, to be continued the next
   * time; unlimited by default.
   */
  readonly budgetMs?: number | undefined;
  /** The same where no index was kept; by default `budgetMs`. */
  readonly firstBudgetMs?: number | undefined;
  /** The most bytes of declaration files of dependencies. */
  readonly maxDependencyBytes: number;
  readonly signal: AbortSignal;
  /** Milliseconds since some fixed time. */
  now(): number;
  /**
   * Awaited before each piece of work with its number of characters, so that the caller decides how
   * much of the thread learning takes. With it, the model may be used while it learns. By default,
   * other tasks run every 10 milliseconds.
   */
  yieldBefore?(nextCharacters: number): Promise<void>;
  /** Called with the model before the first file is learnt; it has all that was cached. */
  onModel?(model: BuiltinModel): void;
  onProgress?(progress: LearnProgress): void;
}

/** The progress of learning. */
export interface LearnProgress {
  readonly phase: "looking" | "learning";
  /** Files found in the phase `looking`, then files read. */
  readonly files: number;
  /** How many files are to be read; 0 in the phase `looking`. */
  readonly totalFiles: number;
  /** Bytes read, and bytes to be read; 0 in the phase `looking`. */
  readonly bytes: number;
  readonly totalBytes: number;
}

/** The result of {@link learnWorkspace}. */
export interface LearntWorkspace {
  readonly model: BuiltinModel;
  /** Whether the index came from the cache (`kept`), or why not. */
  readonly cache: "off" | "kept" | "absent" | "other-version" | "broken";
  /** Why the cached index was broken. */
  readonly cacheDetail: string | undefined;
  /**
   * The numbers of files that were learnt now, known before, and forgotten because they are gone or
   * changed kind.
   */
  readonly learnt: number;
  readonly known: number;
  readonly forgotten: number;
  /** Whether all files were learnt; `false` when the time was up. */
  readonly isComplete: boolean;
  /** The number of files found that can be learnt. */
  readonly files: number;
  readonly skipped: readonly SkippedPath[];
  /** How long this took, in milliseconds. */
  readonly tookMs: number;
  /** How long all of the model's knowledge took to learn, over all runs, in milliseconds. */
  readonly learningMs: number;
  /**
   * The paths to be read again, judged by size and modification time, if `files` are all the files
   * that exist.
   */
  outdated(files: ReadonlyMap<string, WorkspaceFile>): string[];
  /**
   * Takes the result of reading a file again: learns the file if it has changed, forgets it if it
   * is gone or refused.
   */
  take(answer: SourceAnswer): Promise<void>;
  /**
   * Caches the index if enough has changed since it was cached last, or with `afterAnyChange` if
   * anything has; `undefined` when it was not cached. Nothing may be learnt meanwhile. Rejects with
   * the signal's reason.
   */
  save(options?: { readonly afterAnyChange?: boolean }): Promise<SaveAnswer | undefined>;
}

/**
 * Milliseconds of work between two returns to the event loop, without
 * {@link LearnOptions.yieldBefore}.
 */
const yieldIntervalMs = 10;

/**
 * Files with more characters are learnt in parts, so that other tasks need not wait for a whole
 * file.
 */
const partCharacters = 16_000;

/** Places of one context that are frozen at a time, which takes as long as learning a part. */
const frozenPlaces = 50_000;

/**
 * The index is cached only when this share of it, and so many characters, were learnt since,
 * because writing costs more than learning; the record of the walk when so many folders were
 * listed.
 */
const worthSaving = { share: 0.03, characters: 30_000, restamped: 100, listed: 20 };

/**
 * Learns a workspace: restores the cached index, forgets files that are gone, and learns those that
 * are new or have changed.
 *
 * A file with the remembered size and modification time is not read; any other is, and it is learnt
 * again only if its content differs. The folders are listed while the index is read. Rejects with a
 * `FileSystemError` when the root cannot be listed, and with the signal's reason. With `budgetMs`
 * it may end early; `isComplete` is `false` then.
 *
 * Law: however slow the machine is, repeated runs whose indexes are saved learn all files. So the
 * time for learning begins after the index is read, and listing continues until it has found a file
 * to learn.
 */
export async function learnWorkspace(options: LearnOptions): Promise<LearntWorkspace> {
  const { root, fileSystem, cache, open, signal, now, workspace } = options;
  const texts = options.texts ?? new TextStore({ root, fileSystem });
  const startMs = now();
  let budgetMs = options.firstBudgetMs ?? options.budgetMs;
  const isLate = (sinceMs: number) => budgetMs !== undefined && now() - sinceMs > budgetMs;
  const restoring = cache?.load(root).then(tryRestore);
  // Listing the folders may fail first; then this rejection is not awaited.
  restoring?.catch(() => undefined);

  const end = { isLate: () => isLate(startMs), isEnough: listingEnd(restoring) };
  const recorder = workspace === undefined ? await openRecorder(options) : undefined;
  const found = workspace === undefined ? await listFiles(options, recorder, end) : foundIn(workspace);
  const restored = await restoring;
  signal.throwIfAborted();
  const kept = restored?.kind === "kept" ? restored : undefined;
  if (kept !== undefined) budgetMs = options.budgetMs;

  const seen = new Map((kept?.index.files ?? []).map((file) => [file.path, file]));
  const totalBytes = found.files.reduce((sum, { size }) => sum + size, 0);
  const model = kept?.model ?? new BuiltinModel({ expectedCharacters: Math.max(100_000, totalBytes) });
  options.onModel?.(model);
  const work = new Learning(model, seen, { ...options, texts });

  const dependencies = await work.checkDependencies(open === undefined ? [] : modulesOf(open));
  const wanted = found.files.filter((file) => !work.trusts(file));
  // Where all files that were found are known, and as many are known, none is gone.
  const isSame = wanted.length === 0 && found.files.length === seen.size;
  if (found.isComplete && !isSame) {
    const present = new Set(found.files.map(({ path }) => path));
    for (const path of [...seen.keys()]) {
      if (!present.has(path) && !isDependency(path)) work.forget(path);
    }
  }

  const queue = [...dependencies, ...wanted.map(({ path }) => path)];
  const sizes = new Map(wanted.map(({ path, size }) => [path, size]));
  const queuedBytes = wanted.reduce((sum, { size }) => sum + size, 0);
  // The files that were not listed are as they were learnt, as far as is known.
  let isComplete = found.isComplete || kept?.index.isComplete === true;
  let done = 0;
  let bytes = 0;
  const learningStartMs = now();
  for await (const answer of texts.read(queue, { signal })) {
    await work.take(answer);
    done += 1;
    bytes += sizes.get(answer.path) ?? 0;
    options.onProgress?.({ phase: "learning", files: done, totalFiles: queue.length, bytes, totalBytes: queuedBytes });
    if (done < queue.length && isLate(learningStartMs)) {
      isComplete = false;
      break;
    }
  }
  // Types of the dependencies of all files are learnt only when no file is being completed.
  if (open === undefined && isComplete) await work.learnDependencies();

  const tookMs = now() - startMs;
  // The functions below must not refer to `kept`, which holds the tables as they were read.
  const keptLearningMs = kept?.index.learningMs ?? 0;
  const learningMs = () => keptLearningMs + work.learningMs;
  let isKept = kept !== undefined && (!isComplete || kept.index.isComplete);
  const saveWalk = async () => {
    if (recorder === undefined || !found.isComplete || recorder.listed < worthSaving.listed) return;
    recorder.listed = 0;
    await cache?.saveNotes(root, recorder.record);
  };
  return {
    model,
    cache: restored?.kind ?? "off",
    cacheDetail: restored?.kind === "broken" ? restored.detail : undefined,
    learnt: work.learnt,
    known: model.knowledge.files.size - work.learnt,
    forgotten: work.forgotten,
    isComplete,
    files: found.files.length,
    skipped: [...found.skipped, ...skippedByReading(seen)],
    tookMs,
    learningMs: learningMs(),
    outdated(files) {
      const changed = [...files.values()].filter((file) => !work.trusts(file)).map(({ path }) => path);
      const gone = [...seen.keys()].filter((path) => !files.has(path) && !isDependency(path));
      return [...changed, ...gone];
    },
    take: (answer) => work.take(answer),
    async save({ afterAnyChange = false } = {}) {
      const { characters } = model.knowledge;
      const least = afterAnyChange ? 0 : Math.max(worthSaving.characters, characters * worthSaving.share);
      const isWorth =
        work.changedCharacters > least ||
        work.restamped > (afterAnyChange ? 0 : worthSaving.restamped) ||
        // The next run continues from here.
        (!isComplete && work.changedCharacters > 0) ||
        (!isKept && characters > 0);
      if (cache === undefined) return undefined;
      if (!isWorth) {
        await saveWalk();
        return undefined;
      }
      await options.yieldBefore?.(Number.POSITIVE_INFINITY);
      for (const _ of model.knowledge.corpus.freezeInParts(frozenPlaces)) await work.yieldIfDue(partCharacters);
      const record = {
        ...{ files: [...seen.values()], statistics: model.statistics },
        ...{ learningMs: learningMs(), isComplete },
      };
      // While a completion runs, its file is hidden in the model's tables; so each of them is
      // copied while none does.
      const { yieldBefore } = options;
      const answer = await cache.save(root, record, toSnapshot(model.knowledge), {
        signal,
        ...(yieldBefore && { beforeCopy: () => yieldBefore(0) }),
      });
      isKept = true;
      work.changedCharacters = 0;
      work.restamped = 0;
      await saveWalk();
      return answer;
    },
  };
}

/** The reasons why files were refused, of those that the index remembers. */
function skippedByReading(seen: ReadonlyMap<string, SeenFile>): SkippedPath[] {
  const skipped: SkippedPath[] = [];
  for (const { path, refused } of seen.values()) {
    if (refused !== undefined) skipped.push({ kind: "skipped", path, reason: JSON.parse(refused) as SkipReason });
  }
  return skipped;
}

/** Whether a path is in a folder `node_modules`, whose files are not listed with the workspace. */
export function isDependency(path: string): boolean {
  return /(^|\/)node_modules\//.test(path);
}

interface Found {
  readonly files: readonly WorkspaceFile[];
  readonly skipped: readonly SkippedPath[];
  readonly isComplete: boolean;
}

/** When the listing of files may stop before the last one. */
interface ListingEnd {
  readonly isLate: () => boolean;
  /** Whether some of the files found so far have to be learnt, or all files were learnt once. */
  readonly isEnough: (files: readonly WorkspaceFile[]) => Promise<boolean>;
}

/**
 * {@link ListingEnd.isEnough} for the index that is being restored, whose tables are held no longer
 * than it.
 */
function listingEnd(restoring: Promise<Restored> | undefined): ListingEnd["isEnough"] {
  let seen: ReadonlyMap<string, SeenFile> | undefined;
  let checked = 0;
  return async (files) => {
    const restored = await restoring;
    if (restored?.kind !== "kept" || restored.index.isComplete) return true;
    seen ??= new Map(restored.index.files.map((file) => [file.path, file]));
    const known = seen;
    const isEnough = files.slice(checked).some((file) => !isAsSeen(file, known.get(file.path)));
    checked = files.length;
    return isEnough;
  };
}

/** Recalls the last walk of this workspace; without a cache there is none. */
async function openRecorder({ root, fileSystem, cache }: LearnOptions): Promise<WalkRecorder | undefined> {
  if (cache === undefined) return undefined;
  const startedAtMs = Date.now();
  const before = (await cache.loadNotes(root)) as WalkRecord | undefined;
  return new WalkRecorder({ fileSystem, root, before, startedAtMs });
}

/** Lists the files that may be learnt. Stops early when the time is up and there are enough. */
async function listFiles(
  { root, fileSystem, open, signal, onProgress }: LearnOptions,
  recorder: WalkRecorder | undefined,
  { isLate, isEnough }: ListingEnd,
): Promise<Found> {
  const files: WorkspaceFile[] = [];
  const skipped: SkippedPath[] = [];
  let checked = 0;
  for await (const items of walkInBatches(root, { fileSystem, recorder, focus: open?.path, signal })) {
    for (const item of items) {
      if (item.kind === "skipped") skipped.push(item);
      else files.push(item);
    }
    if (files.length - checked < 64) continue;
    checked = files.length;
    onProgress?.({ phase: "looking", files: files.length, totalFiles: 0, bytes: 0, totalBytes: 0 });
    if (isLate() && (await isEnough(files))) return { files, skipped, isComplete: false };
  }
  return { files, skipped, isComplete: true };
}

function foundIn({ files, skipped }: Pick<Workspace, "files" | "skipped">): Found {
  return { files: [...files.values()], skipped, isComplete: true };
}

type Restored =
  | { readonly kind: "kept"; readonly model: BuiltinModel; readonly index: StoredIndex }
  | Exclude<CacheAnswer<StoredIndex>, { kind: "kept" }>;

function tryRestore(answer: CacheAnswer<StoredIndex>): Restored {
  if (answer.kind !== "kept") return answer;
  const index = answer.value;
  try {
    const knowledge = fromSnapshot(index.snapshot);
    return { kind: "kept", model: new BuiltinModel({ knowledge }), index };
  } catch (error) {
    if (!(error instanceof EmendError)) throw error;
    return { kind: "broken", detail: error.message };
  }
}

function modulesOf({ path, language, text }: NonNullable<LearnOptions["open"]>): ImportedModule[] {
  if (!hasScripts(language)) return [];
  return importedModules(text).map((specifier) => ({ specifier, folder: folderOf(path) }));
}

function isAsSeen({ size, mtimeMs }: Pick<WorkspaceFile, "size" | "mtimeMs">, seen: SeenFile | undefined): boolean {
  return seen !== undefined && mtimeMs >= 0 && seen.size === size && seen.mtimeMs === mtimeMs;
}

/** A model that is learning, and the files it has seen. `seen` is kept up to date. */
class Learning {
  learnt = 0;
  forgotten = 0;
  /** Characters learnt and forgotten since the index was cached last. */
  changedCharacters = 0;
  /** Files with a new modification time but the same content. */
  restamped = 0;
  learningMs = 0;
  readonly #model: BuiltinModel;
  readonly #seen: Map<string, SeenFile>;
  readonly #options: LearnOptions & { readonly texts: TextStore };
  readonly #startedAtMs = Date.now();
  readonly #imported = new Map<string, ImportedModule>();
  #yieldedAtMs: number;

  constructor(model: BuiltinModel, seen: Map<string, SeenFile>, options: LearnOptions & { readonly texts: TextStore }) {
    this.#model = model;
    this.#seen = seen;
    this.#options = options;
    this.#yieldedAtMs = options.now();
  }

  /**
   * Whether a file is unchanged since it was seen last, judged by its size and modification time.
   */
  trusts({ path, size, mtimeMs }: Pick<WorkspaceFile, "path" | "size" | "mtimeMs">): boolean {
    const known = this.#seen.get(path);
    if (!isAsSeen({ size, mtimeMs }, known)) return false;
    return known?.refused !== undefined || this.#model.knowledge.files.has(path);
  }

  forget(path: string): void {
    this.#seen.delete(path);
    const file = this.#model.knowledge.files.get(path);
    if (file === undefined) return;
    this.forgotten += 1;
    this.changedCharacters += file.characters;
    this.#model.forget(path);
  }

  /** Learns or forgets a file by the result of reading it. */
  async take(answer: SourceAnswer): Promise<void> {
    if (answer.kind === "skipped") {
      this.forget(answer.path);
      const { size, mtimeMs } = await this.#statOf(answer.path);
      // A missing or unreadable file may be back the next time, so it is not remembered.
      if (isPermanent(answer.reason) && size >= 0) {
        const refused = JSON.stringify(answer.reason);
        this.#seen.set(answer.path, { path: answer.path, language: "", size, mtimeMs, hash: "", refused });
      }
      return;
    }
    const { path, language, text, size } = answer;
    await this.yieldIfDue(Math.min(text.length, partCharacters));
    const hash = contentHash(text);
    const mtimeMs = stampOf(answer.mtimeMs, this.#startedAtMs);
    const known = this.#seen.get(path);
    this.#seen.set(path, { path, language, size, mtimeMs, hash });
    const isKnown = known?.hash === hash && known.language === language && this.#model.knowledge.files.has(path);
    if (isKnown) this.restamped += 1;
    else {
      await this.#learn(path, language, text);
      this.learnt += 1;
      this.changedCharacters += text.length;
      if (hasScripts(language) && !isDependency(path)) {
        for (const specifier of importedModules(text)) {
          if (!this.#imported.has(specifier)) this.#imported.set(specifier, { specifier, folder: folderOf(path) });
        }
      }
    }
  }

  async #learn(path: string, language: string, text: string): Promise<void> {
    const { now } = this.#options;
    let start = now();
    if (text.length <= partCharacters) this.#model.learn(path, language, text);
    else {
      for (const _ of this.#model.learnInParts(path, language, text, partCharacters)) {
        this.learningMs += now() - start;
        await this.yieldIfDue(partCharacters);
        start = now();
      }
    }
    this.learningMs += now() - start;
  }

  /**
   * Forgets dependencies that are gone. Returns the paths of those that are new or have changed, of
   * the known ones and of `modules`.
   */
  async checkDependencies(modules: readonly ImportedModule[]): Promise<string[]> {
    const { root, fileSystem, maxDependencyBytes, signal } = this.#options;
    const wanted = new Set<string>();
    await Promise.all(
      [...this.#seen.keys()].filter(isDependency).map(async (path) => {
        const { size, mtimeMs } = await this.#statOf(path);
        if (size < 0) this.forget(path);
        else if (!this.trusts({ path, size, mtimeMs })) wanted.add(path);
      }),
    );
    const types = await findDependencyTypes(modules, { root, fileSystem, maxBytes: maxDependencyBytes, signal });
    for (const path of types) if (!this.#seen.has(path)) wanted.add(path);
    return [...wanted];
  }

  /** Learns the types of the modules that the files learnt this time import. */
  async learnDependencies(): Promise<void> {
    const { texts, signal } = this.#options;
    const paths = await this.checkDependencies([...this.#imported.values()]);
    for await (const answer of texts.read(paths, { signal })) await this.take(answer);
  }

  async #statOf(path: string): Promise<{ readonly size: number; readonly mtimeMs: number }> {
    try {
      const { size, mtimeMs } = await this.#options.fileSystem.stat(joinPath(this.#options.root, path));
      return { size, mtimeMs: stampOf(mtimeMs, this.#startedAtMs) };
    } catch (error) {
      if (error instanceof FileSystemError) return { size: -1, mtimeMs: -1 };
      throw error;
    }
  }

  /** Lets other tasks run, such as Ctrl-C and the progress bar. Throws the signal's reason. */
  async yieldIfDue(nextCharacters: number): Promise<void> {
    const { now, signal, yieldBefore } = this.#options;
    if (yieldBefore !== undefined) await yieldBefore(nextCharacters);
    else if (now() - this.#yieldedAtMs >= yieldIntervalMs) {
      await setImmediate();
      this.#yieldedAtMs = now();
    }
    signal.throwIfAborted();
  }
}

/** Whether the file will be refused again as long as it stays the same. */
function isPermanent({ kind }: SkipReason): boolean {
  return kind !== "missing" && kind !== "no-permission" && kind !== "disk-failed" && kind !== "link";
}
